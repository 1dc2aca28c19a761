/// The names of a suite's test cases so far, for making each unique to programs that compare runs by name.
///
/// Only a hash of each name is kept, so memory stays small for a suite of any length.
package struct CaseNames {
  private var counts: [UInt64: Int] = [:]

  /// Creates an empty set of names.
  package init() {}

  /// Returns a test case, written as XML, with a number appended to its name if an earlier one has the same:
  /// `name="x"`, `name="x, 2"`.
  package mutating func distinguishing(_ piece: String) -> String {
    let bytes = Array(piece.utf8)
    guard let start = Self.nameStart(in: bytes),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return piece }
    var name = Array(bytes[start..<end])
    var number = counts[Self.hash(name), default: 0]
    if number == 0 {
      counts[Self.hash(name)] = 1
      return piece
    }
    // The numbered name may be the name of a test, too.
    let plain = name
    repeat {
      number += 1
      name = plain + Array(", \(number)".utf8)
    } while counts[Self.hash(name)] != nil
    counts[Self.hash(plain)] = number
    counts[Self.hash(name)] = 1
    return String(decoding: bytes[..<start] + name + bytes[end...], as: UTF8.self)
  }

  private static let mark = Array(" name=\"".utf8)

  private static func nameStart(in bytes: [UInt8]) -> Int? {
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
        return index + mark.count
      }
      index += 1
    }
    return nil
  }

  /// Returns the FNV-1a hash of some bytes, the same in every run.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
