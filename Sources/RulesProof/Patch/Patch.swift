import RulesLang

/// Replacements in a text. One that lies inside another is lost in it.
struct Patch: Hashable {
  /// One replacement.
  struct Piece: Hashable {
    /// What is replaced; an empty range is a place where something is put in.
    var range: SourceRange
    /// What takes its place.
    var text: String
    /// What it does to the tree, if it can be said so.
    var edit: TreeEdit?
  }

  /// The replacements by place; those at one place in the order in which they were added.
  private(set) var pieces: [Piece] = []

  /// What the replacements do to the tree, each once, in order; nil if that cannot be said of one of them.
  var treeEdits: [TreeEdit]? {
    var edits: [TreeEdit] = []
    for piece in pieces {
      guard let edit = piece.edit else { return nil }
      // Only what takes two replacements can come twice.
      if case .branch = edit, edits.contains(edit) { continue }
      edits.append(edit)
    }
    return edits
  }

  /// Adds a replacement; `edit` says the same of the tree.
  mutating func replace(_ range: SourceRange, with text: String, as edit: TreeEdit? = nil) {
    let piece = Piece(range: range, text: text, edit: edit)
    // Most come in order, and then nothing needs to be looked through.
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

  /// The text with the replacements made.
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

  /// The place in the text before the replacements of what stands at an offset after them.
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
  /// Whether another range lies inside; a place at one of its ends does not.
  func swallows(_ other: SourceRange) -> Bool {
    if isEmpty { return false }
    if other.isEmpty { return start < other.start && other.start < end }
    return start <= other.start && other.end <= end
  }

  /// Whether it begins at a place where something is put in.
  fileprivate func follows(_ place: SourceRange) -> Bool {
    start == place.start && place.isEmpty && !isEmpty
  }
}
