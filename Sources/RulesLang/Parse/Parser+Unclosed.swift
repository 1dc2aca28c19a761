// Hints for missing braces. At the end of a file in which a brace is missing, it is only known that an
// earlier brace has no partner; the indentation of the lines shows which one. Other missing tokens are
// reported by the unexpected token: that is the official emulator's message, and stays. If the missing token
// is clear, its place is marked.

extension Parser {
  /// Adds to diagnostics what seems to be missing before their places.
  mutating func pointAtWhatIsMissing() {
    pointAtUnclosedBrace()
    pointAtUnclosedParenthesis()
    nameMissingBrace()
  }

  /// Adds, to the report of a statement's end, the parenthesis or bracket that is still open there.
  private mutating func pointAtUnclosedParenthesis() {
    guard let place = diagnostics.firstIndex(where: { $0.code == .syntax }),
      let end = diagnostics[place].range
    else { return }
    var open: [Token] = []
    for token in tokens {
      if token.range.start >= end.start {
        guard token.range == end, token.kind == .semicolon || token.kind == .rightBrace else {
          return
        }
        break
      }
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: open.append(token)
      case .rightParen, .rightBracket, .rightBrace: _ = open.popLast()
      default: break
      }
    }
    guard let last = open.last, last.kind != .leftBrace else { return }
    diagnostics[place] = diagnostics[place].relating(
      last.range, as: "this `\(text(last))` is not closed")
  }

  /// Adds help to the first report of a path that follows `match`: the brace of its block is missing, because
  /// the content of a block follows with only captures in between.
  private mutating func nameMissingBrace() {
    guard let place = diagnostics.firstIndex(where: { $0.code == .misplacedPath }),
      let path = diagnostics[place].range, diagnostics[place].help == nil,
      let after = diagnostics[place].related.first?.range,
      let start = tokens.firstIndex(where: { $0.range == path }), start > 0,
      tokens[start - 1].kind == .match,
      let end = tokens[start...].firstIndex(where: { $0.range == after }),
      [.allow, .match, .function].contains(tokens[end].kind)
    else { return }
    let bytes = ruleset.source.bytes
    let isBegun = tokens[start..<end].contains {
      $0.kind == .leftBrace && bytes[Int($0.range.start) - 1] != UInt8(ascii: "/")
    }
    if isBegun { return }
    diagnostics[place].help = "it has one; the `{` of its block is missing after this path"
  }

  /// Adds, to the report of the end of the file, the brace that seems to be unclosed.
  private mutating func pointAtUnclosedBrace() {
    let end = tokens[tokens.count - 1].range
    guard let place = diagnostics.firstIndex(where: { $0.code == .syntax && $0.range == end }),
      let brace = unclosedBrace
    else { return }
    diagnostics[place] = diagnostics[place].relating(brace, as: "this `{` seems to have no `}`")
  }

  /// The brace that probably has no partner: one whose partner is indented less than its own line, else the
  /// last one that is open at the end; nil if there is none.
  private var unclosedBrace: SourceRange? {
    var open: [SourceRange] = []
    var suspect: SourceRange?
    for token in tokens {
      switch token.kind {
      case .leftBrace: open.append(token.range)
      case .rightBrace:
        guard let partner = open.popLast(), suspect == nil else { continue }
        let indentation = indentation(of: token.range)
        if isFirst(token.range), indentation < self.indentation(of: partner) { suspect = partner }
      default: break
      }
    }
    return open.last.map { suspect ?? $0 }
  }

  private static let greatestIndentation = 200

  /// Returns the number of bytes of white space before the first word of a line.
  private func indentation(of range: SourceRange) -> Int {
    let line = ruleset.source.lineRange(ruleset.source.line(of: range.start))
    let bytes = ruleset.source.bytes[Int(line.start)..<Int(line.end)]
    // Indentations beyond the maximum are not distinguished.
    return bytes.prefix(Self.greatestIndentation).prefix {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
    }.count
  }

  /// True if only white space precedes a range in its line.
  private func isFirst(_ range: SourceRange) -> Bool {
    let line = ruleset.source.lineRange(ruleset.source.line(of: range.start))
    return Int(line.start) + indentation(of: range) == Int(range.start)
  }
}
