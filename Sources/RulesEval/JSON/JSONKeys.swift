import RulesLang

/// Keys of objects that were read before: suites and logs say the same few over and over, and then
/// have them from here instead of making each anew.
public struct JSONKeys: Sendable {
  private var known: [Text] = []
  /// By key, the one that came after it the last time.
  private var next: [Int] = []
  /// The key that was read last.
  private var last = 0

  private static let slotCount = 64

  /// Knows no key.
  public init() {}

  /// The text of some bytes, which are UTF-8.
  mutating func text(of bytes: [UInt8], in range: Range<Int>) -> Text {
    if range.isEmpty { return Text() }
    let first = bytes[range.lowerBound]
    if known.isEmpty {
      known = Array(repeating: Text(), count: Self.slotCount)
      next = Array(repeating: 0, count: Self.slotCount)
    }
    let slot =
      (range.count &* 31 &+ Int(first) &* 7 &+ Int(bytes[range.upperBound - 1])) % Self.slotCount
    next[last] = slot
    last = slot
    if bytes.isSame(as: known[slot].bytes, in: range) { return known[slot] }
    known[slot] = Text(wellFormed: Array(bytes[range]))
    return known[slot]
  }

  /// The key that begins at a place of some bytes and ends at a quote, if it is the one that followed
  /// the last one before: objects of one kind have the same keys in the same order.
  mutating func expected(_ bytes: [UInt8], from start: Int, to end: Int) -> Text? {
    if known.isEmpty { return nil }
    let slot = next[last]
    let quote = start + known[slot].bytes.count
    guard quote > start, quote < end, bytes[quote] == UInt8(ascii: "\""),
      bytes.isSame(as: known[slot].bytes, in: start..<quote)
    else { return nil }
    last = slot
    return known[slot]
  }
}
