/// The hash function MD5 of RFC 1321.
public enum MD5 {
  /// The 16 octets of the hash of a message. The result of `hashing.md5`.
  public static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = State(a: 0x6745_2301, b: 0xEFCD_AB89, c: 0x98BA_DCFE, d: 0x1032_5476)
    let blocks = PaddedBlocks(message, lengthIsBigEndian: false)
    for block in 0..<blocks.count {
      var next = state
      for step in 0..<64 {
        let word = blocks.word(of: block, at: wordIndex(step))
        next.step(
          step, adding: word &+ constants[step], rotation: rotations[step / 16 * 4 + step % 4])
      }
      state.add(next)
    }
    return state.octets
  }

  /// Returns the index of the word that a step reads from the block: in order, then in strides of 5, 3 and 7.
  private static func wordIndex(_ step: Int) -> Int {
    switch step / 16 {
    case 0: step
    case 1: (5 * step + 1) % 16
    case 2: (3 * step + 5) % 16
    default: 7 * step % 16
    }
  }

  /// The rotation distances of the steps: four for each round, repeated.
  private static let rotations: [UInt32] = [
    7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
  ]

  /// The first 32 bits of |sin(i)| for i from 1 to 64, in radians.
  private static let constants: [UInt32] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613,
    0xFD46_9501, 0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193,
    0xA679_438E, 0x49B4_0821, 0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D,
    0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8, 0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED,
    0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A, 0xFFFA_3942, 0x8771_F681, 0x6D9D_6122,
    0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70, 0x289B_7EC6, 0xEAA1_27FA,
    0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665, 0xF429_2244,
    0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
    0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB,
    0xEB86_D391,
  ]
}

/// The four words that a block is mixed into.
private struct State {
  var a, b, c, d: UInt32

  /// One of the 64 steps; each sixteen have their own function.
  mutating func step(_ number: Int, adding input: UInt32, rotation: UInt32) {
    let mixed =
      switch number / 16 {
      case 0: (b & c) | (~b & d)
      case 1: (b & d) | (c & ~d)
      case 2: b ^ c ^ d
      default: c ^ (b | ~d)
      }
    let sum = a &+ mixed &+ input
    let rotated = sum &<< rotation | sum &>> (32 - rotation)
    (a, d, c, b) = (d, c, b, b &+ rotated)
  }

  mutating func add(_ other: State) {
    a &+= other.a
    b &+= other.b
    c &+= other.c
    d &+= other.d
  }

  var octets: [UInt8] {
    var result: [UInt8] = []
    for word in [a, b, c, d] { result.append(octetsOf: word) }
    return result
  }
}
