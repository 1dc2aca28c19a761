// At the end of a file in which a brace is missing all that is known is that one of those before it has no
// partner. Which one that is the eye sees by how the lines are indented.

extension Parser {
  /// Adds to a report of the end of the file which brace it may be.
  mutating func pointAtUnclosedBrace() {
    let end = tokens[tokens.count - 1].range
    guard let place = diagnostics.firstIndex(where: { $0.code == .syntax && $0.range == end }),
      let brace = unclosedBrace
    else { return }
    diagnostics[place] = diagnostics[place].relating(brace, as: "this `{` seems to have no `}`")
  }

  /// The brace that probably has no partner: one whose partner stands further to the left than its own line
  /// begins, else the last one that is open at the end; nil if none is.
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

  /// How many bytes of blanks are before the first word of the line of a place.
  private func indentation(of range: SourceRange) -> Int {
    let line = ruleset.source.lineRange(ruleset.source.line(of: range.start))
    let bytes = ruleset.source.bytes[Int(line.start)..<Int(line.end)]
    // Of very many blanks no more are told apart.
    return bytes.prefix(Self.greatestIndentation).prefix {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
    }.count
  }

  /// Whether nothing but blanks stands before a place in its line.
  private func isFirst(_ range: SourceRange) -> Bool {
    let line = ruleset.source.lineRange(ruleset.source.line(of: range.start))
    return Int(line.start) + indentation(of: range) == Int(range.start)
  }
}
