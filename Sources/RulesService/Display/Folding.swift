package import RulesLang

/// A range of lines that can be folded.
package struct FoldingRange: Hashable, Sendable {
  /// The first line, from 0, which stays visible.
  package var start: Int
  /// The last line that is hidden.
  package var end: Int
  /// True if it is a comment.
  package var isComment: Bool
}

extension TextDocument {
  /// Returns the folding ranges of rules, or of any text with brackets.
  func foldingRanges(_ tokens: TokenList) -> [FoldingRange] {
    var found: [FoldingRange] = []
    var open: [UInt32] = []
    for token in tokens.tokens {
      switch token.kind {
      case .leftBrace, .leftBracket, .leftParen: open.append(token.range.start)
      case .rightBrace, .rightBracket, .rightParen:
        guard let start = open.popLast() else { continue }
        // The line of the closing bracket stays.
        let fold = FoldingRange(
          start: line(of: start), end: line(of: token.range.start) - 1, isComment: false)
        if fold.end > fold.start, found.last?.start != fold.start { found.append(fold) }
      default: continue
      }
    }
    return (found + commentFolds(tokens)).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// Returns the folding ranges of comments: those of several lines, and consecutive line comments.
  private func commentFolds(_ tokens: TokenList) -> [FoldingRange] {
    var found: [FoldingRange] = []
    for comment in tokens.comments {
      let (start, end) = (line(of: comment.start), line(of: comment.end))
      if let last = found.last, last.end == start - 1, isAlone(comment), start == end {
        found[found.count - 1].end = end
      } else if start < end || isAlone(comment) {
        found.append(FoldingRange(start: start, end: end, isComment: true))
      }
    }
    return found.filter { $0.start < $0.end }
  }

  /// True if nothing precedes a comment on its line.
  private func isAlone(_ comment: SourceRange) -> Bool {
    let start = lineRange(line(of: comment.start)).start
    return source.bytes[Int(start)..<Int(comment.start)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}

extension RulesAnalysis {
  /// Returns the folding ranges.
  package func foldingRanges(in document: TextDocument) -> [FoldingRange] {
    document.foldingRanges(tokens)
  }

  /// Returns the ranges of the expressions, statements and blocks around an offset, the smallest first.
  package func selectionRanges(at offset: Int) -> [SourceRange] {
    let place = UInt32(offset)
    func holds(_ range: SourceRange) -> Bool { range.start <= place && place <= range.end }
    var found = rules.expressions.map { $0.range }.filter { holds($0) && !$0.isEmpty }
    found += rules.allows.map { $0.range }.filter(holds)
    found += rules.functions.map { $0.range }.filter(holds)
    found += rules.matches.map { $0.range }.filter(holds)
    found += rules.services.map { $0.range }.filter(holds)
    found.append(SourceRange(start: 0, end: source.bytes.count))
    found.sort { $0.count < $1.count }
    var nested: [SourceRange] = []
    for range in found {
      guard let last = nested.last else {
        nested.append(range)
        continue
      }
      if range.start <= last.start, range.end >= last.end, range != last { nested.append(range) }
    }
    return nested
  }
}

extension SuiteAnalysis {
  /// Returns the folding ranges.
  package func foldingRanges(in document: TextDocument) -> [FoldingRange] {
    document.foldingRanges(TokenList(source))
  }
}
