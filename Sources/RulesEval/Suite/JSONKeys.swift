import RulesLang

/// Keys of objects that were read before: suites and logs say the same few over and over, and then
/// have them from here instead of making each anew.
public struct JSONKeys: Sendable {
  private var known: [Text] = []

  private static let slotCount = 64

  /// Knows no key.
  public init() {}

  /// The text of some bytes, which are UTF-8.
  mutating func text(_ bytes: [UInt8], _ range: Range<Int>) -> Text {
    if range.isEmpty { return Text() }
    let first = bytes[range.lowerBound]
    if known.isEmpty { known = Array(repeating: Text(), count: Self.slotCount) }
    let slot =
      (range.count &* 31 &+ Int(first) &* 7 &+ Int(bytes[range.upperBound - 1])) % Self.slotCount
    if bytes.isSame(as: known[slot].bytes, in: range) { return known[slot] }
    known[slot] = Text(wellFormed: Array(bytes[range]))
    return known[slot]
  }
}
