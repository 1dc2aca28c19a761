/// The hash function SHA-256 of FIPS 180-4.
public enum SHA256 {
  /// The 32 octets of the hash of a message. The result of `hashing.sha256`.
  public static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    var words = [UInt32](repeating: 0, count: 64)
    let blocks = PaddedBlocks(message, lengthIsBigEndian: true)
    for block in 0..<blocks.count {
      for index in 0..<16 { words[index] = blocks.word(of: block, at: index).byteSwapped }
      state.absorb(&words)
    }
    return state.octets
  }

  /// The first 32 bits of the fractions of the square roots of the first 8 primes.
  private static let initial = State(
    a: 0x6A09_E667, b: 0xBB67_AE85, c: 0x3C6E_F372, d: 0xA54F_F53A,
    e: 0x510E_527F, f: 0x9B05_688C, g: 0x1F83_D9AB, h: 0x5BE0_CD19)

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  fileprivate static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

/// The eight words that a block is mixed into.
private struct State {
  var a, b, c, d, e, f, g, h: UInt32

  /// Mixes in a block: its 16 words are at the front of `words`, the rest is room for 48 more.
  mutating func absorb(_ words: inout [UInt32]) {
    for index in 16..<64 {
      let early = words[index - 15]
      let late = words[index - 2]
      let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var next = self
    let constants = SHA256.constants
    for index in 0..<64 { next.step(words[index] &+ constants[index]) }
    a &+= next.a
    b &+= next.b
    c &+= next.c
    d &+= next.d
    e &+= next.e
    f &+= next.f
    g &+= next.g
    h &+= next.h
  }

  private mutating func step(_ input: UInt32) {
    let choice = (e & f) ^ (~e & g)
    let majority = (a & b) ^ (a & c) ^ (b & c)
    let first = h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice &+ input
    let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
    (h, g, f, e) = (g, f, e, d &+ first)
    (d, c, b, a) = (c, b, a, first &+ second)
  }

  var octets: [UInt8] {
    var result: [UInt8] = []
    for word in [a, b, c, d, e, f, g, h] { result.append(octetsOf: word.byteSwapped) }
    return result
  }
}

extension UInt32 {
  /// The word with its bits moved right in a circle.
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 - count) }
}
