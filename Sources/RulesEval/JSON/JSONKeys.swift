import RulesLang

/// A cache of object keys: suites and logs repeat the same few, which then share one text each.
public struct JSONKeys: Sendable {
  private var known: [Text] = []
  /// For each key's slot, the slot of the key that followed it last time.
  private var next: [Int] = []
  /// The slot of the key that was read last.
  private var last = 0

  private static let slotCount = 64

  /// Creates an empty cache.
  public init() {}

  /// Returns the text of some bytes, from the cache if it is there.
  ///
  /// - Requires: The bytes are UTF-8.
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

  /// Returns the key between `start` and a quote if it is the one that followed the previous key last time,
  /// as in objects of one kind, whose keys come in the same order; else nil.
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
