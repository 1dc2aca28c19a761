import RulesLang

/// The layout of a text: where lines begin, and their indentation.
///
/// A block's statements are on lines of their own. `LineBreaking` lays out the inside of statements.
struct Layout {
  /// The separator before a piece.
  enum Start: UInt8 { case sameLine, line, lineAfterBlank }

  /// Spaces per level of indentation.
  static let step = 2
  /// Maximum levels of indentation; rules cannot have deeper blocks.
  private static let maximumDepth = 64

  private let pieces: Pieces
  private let roles: Roles
  private var lines: LineBreaking

  /// The separator before each piece.
  private(set) var starts: [Start]
  /// The indentation of each piece that begins a line.
  var indents: [Int] { lines.indents }
  /// The spaces before each piece that does not begin a line.
  var blanks: [Int] { lines.measure.blanks }

  /// Lays out pieces. Linear in their number.
  init(_ pieces: Pieces) {
    self.pieces = pieces
    roles = Roles(of: pieces)
    lines = LineBreaking(pieces, roles)
    starts = Array(repeating: .sameLine, count: pieces.count)
    placeStatements()
    for index in 1..<max(1, pieces.count) where starts[index] == .sameLine {
      if lines.begins[index] || lines.measure.isForced[index] { starts[index] = .line }
    }
  }

  private mutating func placeStatements() {
    var depth = 0
    var index = 0
    while index < pieces.count - 1 {
      let indent = min(max(depth, 0), Self.maximumDepth) * Self.step
      if pieces[index].isComment {
        placeComment(index, indent: indent)
        index += 1
      } else if roles.roles[index] == .blockClose {
        depth = max(0, depth - 1)
        let isEmpty = index > 0 && roles.roles[index - 1] == .blockOpen
        lines.indents[index] = min(depth, Self.maximumDepth) * Self.step
        if !isEmpty { starts[index] = .line }
        index += 1
      } else {
        let last = statementEnd(from: index)
        lines.indents[index] = indent
        starts[index] = statementStart(index)
        lines.breakStatement(index...last, indent: indent)
        if roles.roles[last] == .blockOpen { depth += 1 }
        index = last + 1
      }
    }
  }

  /// Returns the end of a statement that begins with a piece: its semicolon, the brace of its block, or the
  /// piece before the next statement. Comments on lines of their own at its end belong to the next one.
  private func statementEnd(from first: Int) -> Int {
    var index = first
    while true {
      switch roles.roles[index] {
      case .semicolon, .blockOpen: return index
      default: break
      }
      let next = index + 1
      let role = roles.roles[next]
      guard role != .end, role != .blockClose, !roles.starts[next] else { break }
      index = next
    }
    while index > first, pieces[index].isComment, pieces[index].lineFeeds > 0 { index -= 1 }
    return index
  }

  private mutating func placeComment(_ index: Int, indent: Int) {
    lines.indents[index] = indent
    guard index == 0 || pieces[index].lineFeeds > 0 else { return }
    starts[index] = spaced(index)
  }

  /// Returns the separator before a statement: a line end, except behind a comment that begins the line
  /// already, and before a lone semicolon.
  private func statementStart(_ index: Int) -> Start {
    guard index > 0 else { return .line }
    let isBehindComment =
      pieces[index - 1].kind == .blockComment && pieces[index].lineFeeds == 0
      && starts[index - 1] != .sameLine
    if isBehindComment || roles.roles[index] == .semicolon { return .sameLine }
    return spaced(index)
  }

  /// Returns the separator before a piece that begins a line: an empty line in the text stays, but not at the
  /// beginning of a block.
  private func spaced(_ index: Int) -> Start {
    pieces[index].lineFeeds >= 2 && !isFirst(index) ? .lineAfterBlank : .line
  }

  /// True if nothing precedes a piece in its block, except perhaps a comment beside the brace.
  private func isFirst(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    let isBesideBrace =
      index > 1 && pieces[index - 1].isComment && pieces[index - 1].lineFeeds == 0
    return roles.roles[isBesideBrace ? index - 2 : index - 1] == .blockOpen
  }
}
