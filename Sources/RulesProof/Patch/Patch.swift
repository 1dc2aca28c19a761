import RulesLang

/// A set of replacements in a text that is to be printed. A replacement inside another one is dropped.
struct Patch: Hashable {
  /// One replacement.
  struct Piece: Hashable {
    /// The replaced range; an empty range is an insertion.
    var range: SourceRange
    /// The replacement.
    var text: String
  }

  /// The replacements by position; at one position in the order of addition.
  private(set) var pieces: [Piece] = []

  /// Adds a replacement.
  mutating func replace(_ range: SourceRange, with text: String) {
    let piece = Piece(range: range, text: text)
    // Fast path for replacements in source order.
    guard let last = pieces.last else { return pieces.append(piece) }
    if last.range.end <= range.start, last.range.start < range.start {
      return pieces.append(piece)
    }
    if pieces.contains(where: { $0.range.swallows(range) }) { return }
    pieces.removeAll { range.swallows($0.range) }
    let place = pieces.firstIndex { $0.range.start > range.start || $0.range.follows(range) }
    pieces.insert(piece, at: place ?? pieces.count)
  }

  /// Returns the text with the replacements applied.
  func applied(to source: SourceText) -> SourceText {
    var bytes: [UInt8] = []
    var start = 0
    for piece in pieces {
      bytes += source.bytes[start..<Int(piece.range.start)]
      bytes += Array(piece.text.utf8)
      start = Int(piece.range.end)
    }
    bytes += source.bytes[start...]
    return SourceText(name: source.name, bytes: bytes)
  }

  /// Maps an offset in the patched text to the original text.
  func original(_ offset: UInt32) -> UInt32 {
    var shift = 0
    for piece in pieces {
      let begin = Int(piece.range.start) + shift
      if Int(offset) < begin { break }
      let size = piece.text.utf8.count
      if Int(offset) < begin + size { return piece.range.start }
      shift += size - piece.range.count
    }
    return UInt32(max(0, Int(offset) - shift))
  }
}

extension SourceRange {
  /// True if another range lies inside; an insertion at either end does not.
  func swallows(_ other: SourceRange) -> Bool {
    if isEmpty { return false }
    if other.isEmpty { return start < other.start && other.start < end }
    return start <= other.start && other.end <= end
  }

  /// True if this range begins at an insertion.
  fileprivate func follows(_ place: SourceRange) -> Bool {
    start == place.start && place.isEmpty && !isEmpty
  }
}
