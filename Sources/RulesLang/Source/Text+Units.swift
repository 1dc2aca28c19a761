// A text seen as code points and as UTF-16 units. `size()`, indices and `<` count units
// (Docs/Language.md §7, §8); patterns and `keys()` see code points.

extension Text {
  /// The code points of a text, lone surrogates included, in order.
  public struct CodePoints: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    private var index: Int

    init(_ bytes: [UInt8], from index: Int = 0) {
      self.bytes = bytes
      self.index = index
    }

    /// The next code point, or nil at the end.
    public mutating func next() -> UInt32? {
      guard index < bytes.count else { return nil }
      let lead = UInt32(bytes[index])
      if lead < 0x80 {
        index += 1
        return lead
      }
      let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      var code = lead & (0x7F >> UInt32(length))
      for offset in 1..<length { code = code << 6 | UInt32(bytes[index + offset] & 0x3F) }
      index += length
      return code
    }
  }

  /// The UTF-16 code units of a text, in order.
  public struct Units: Sequence, IteratorProtocol, Sendable {
    private var codePoints: CodePoints
    private var low: UInt16?

    init(_ codePoints: CodePoints) { self.codePoints = codePoints }

    /// The next unit, or nil at the end.
    public mutating func next() -> UInt16? {
      if let pending = low {
        low = nil
        return pending
      }
      guard let code = codePoints.next() else { return nil }
      guard code >= 0x10000 else { return UInt16(code) }
      low = UInt16(0xDC00 + ((code - 0x10000) & 0x3FF))
      return UInt16(0xD800 + ((code - 0x10000) >> 10))
    }
  }

  /// The code points, lone surrogates included.
  public var codePoints: CodePoints { CodePoints(bytes) }

  /// The UTF-16 units.
  public var units: Units { Units(codePoints) }

  /// The number of UTF-16 units: what `size()` returns. O(bytes).
  public var unitCount: Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    return count
  }

  /// Creates a text of UTF-16 units; surrogate pairs are joined.
  public init(units: some Sequence<UInt16>) {
    self.init()
    for unit in units { append(UInt32(unit)) }
  }

  /// The units from `start` up to, not including, `end`; the caller has checked the bounds.
  public func slice(from start: Int, upTo end: Int) -> Text {
    var result = Text()
    var position = 0
    for unit in units {
      if position >= end { break }
      if position >= start { result.append(UInt32(unit)) }
      position += 1
    }
    return result
  }

  /// Orders by UTF-16 units, which is the order of `<` (Docs/Language.md §7). O(common prefix).
  public static func precedesByUnit(_ left: Text, _ right: Text) -> Bool {
    var index = 0
    let shared = min(left.bytes.count, right.bytes.count)
    while index < shared, left.bytes[index] == right.bytes[index] { index += 1 }
    while index > 0, isContinuation(in: left, or: right, at: index) { index -= 1 }
    var leftUnits = Units(CodePoints(left.bytes, from: index))
    var rightUnits = Units(CodePoints(right.bytes, from: index))
    while let one = leftUnits.next() {
      guard let other = rightUnits.next() else { return false }
      if one != other { return one < other }
    }
    return rightUnits.next() != nil
  }

  /// True if `index` is inside a code point of either text, so that comparing must begin earlier.
  private static func isContinuation(in left: Text, or right: Text, at index: Int) -> Bool {
    (index < left.bytes.count && left.bytes[index] & 0xC0 == 0x80)
      || (index < right.bytes.count && right.bytes[index] & 0xC0 == 0x80)
  }
}
