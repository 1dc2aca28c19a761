import RulesLang

/// A set of replacements in a text. A replacement inside another one is dropped.
struct Patch: Hashable {
  /// One replacement.
  struct Piece: Hashable {
    /// The replaced range; an empty range is an insertion.
    var range: SourceRange
    /// The replacement.
    var text: String
    /// The equivalent change of the syntax tree, if there is one.
    var edit: TreeEdit?
  }

  /// The replacements by position; at one position in the order of addition.
  private(set) var pieces: [Piece] = []

  /// The equivalent changes of the syntax tree, distinct and in order; nil if one has no
  /// equivalent.
  var treeEdits: [TreeEdit]? {
    var edits: [TreeEdit] = []
    for piece in pieces {
      guard let edit = piece.edit else { return nil }
      // Only changes made of two replacements can occur twice.
      if case .branch = edit, edits.contains(edit) { continue }
      edits.append(edit)
    }
    return edits
  }

  /// Adds a replacement.
  ///
  /// - Parameter edit: The equivalent change of the syntax tree.
  mutating func replace(_ range: SourceRange, with text: String, as edit: TreeEdit? = nil) {
    let piece = Piece(range: range, text: text, edit: edit)
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

  /// Adds all replacements of another patch.
  mutating func add(_ other: Patch) {
    for piece in other.pieces { replace(piece.range, with: piece.text, as: piece.edit) }
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
