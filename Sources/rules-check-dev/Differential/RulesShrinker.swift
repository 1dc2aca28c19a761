import RulesLang

/// Shrinks rules files: removes a part, or replaces an expression by one of its operands.
struct RulesShrinker {
  private let ruleset: Ruleset

  /// Parses a rules file; nil if it cannot be parsed.
  init?(_ rules: String) {
    let outcome = Checker.check(SourceText(name: "trial.rules", rules))
    guard !outcome.ruleset.services.isEmpty, !outcome.ruleset.expressions.isEmpty else {
      return nil
    }
    ruleset = outcome.ruleset
  }

  /// Smaller files, the largest cuts first. They need not compile.
  var candidates: [String] {
    let cuts = parts + expressions
    let sorted = cuts.sorted { $0.saving > $1.saving }
    return sorted.filter { $0.saving > 0 }.map { apply($0) }
  }

  /// Returns the file without the statements that were not tried and the blocks that are then empty.
  func only(lines: Set<Int>) -> String {
    let source = ruleset.source
    var gone: [SourceRange] = []
    for match in ruleset.matches where match.matches.isEmpty {
      if !match.allows.contains(where: { lines.contains(line(of: $0, source)) }) {
        gone.append(match.range)
      }
    }
    var bytes = source.bytes
    for range in gone.sorted(by: { $0.start > $1.start }) {
      bytes.removeSubrange(Int(range.start)..<Int(range.end))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func line(of allow: AllowID, _ source: SourceText) -> Int {
    source.line(of: ruleset[allow].keyword.start)
  }

  private struct Cut {
    var range: SourceRange
    var replacement: String

    var saving: Int { range.count - replacement.utf8.count }
  }

  private func apply(_ cut: Cut) -> String {
    let bytes = ruleset.source.bytes
    let text =
      bytes[..<Int(cut.range.start)] + Array(cut.replacement.utf8) + bytes[Int(cut.range.end)...]
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Declarations

  private var parts: [Cut] {
    let whole =
      ruleset.functions.map(\.range) + ruleset.matches.map(\.range) + ruleset.allows.map(\.range)
      + ruleset.functions.flatMap { $0.lets.map(\.name.range) }
    var cuts = whole.map { Cut(range: $0, replacement: "") }
    for allow in ruleset.allows where allow.operations.count > 1 {
      let words = SourceRange(
        start: allow.operations[0].range.start,
        end: allow.operations[allow.operations.count - 1].range.end)
      cuts += allow.operations.map {
        Cut(range: words, replacement: ruleset.source.string($0.range))
      }
    }
    return cuts
  }

  // MARK: Expressions

  private static let leaves = ["true", "false", "null", "1", "''", "[]"]

  private var expressions: [Cut] {
    var cuts: [Cut] = []
    for node in ruleset.expressions {
      var operands: [SourceRange] = []
      node.forEachOperand { operands.append(ruleset[$0].range) }
      for operand in operands {
        let text = ruleset.source.string(operand)
        cuts.append(Cut(range: node.range, replacement: text))
        cuts.append(Cut(range: node.range, replacement: "(\(text))"))
      }
      for leaf in Self.leaves { cuts.append(Cut(range: node.range, replacement: leaf)) }
      cuts += elements(of: node)
    }
    return cuts
  }

  /// Returns a list, map or call without one of its elements.
  private func elements(of node: Expression) -> [Cut] {
    switch node.kind {
    case .list(let elements): return without(elements.map { ruleset[$0].range })
    case .map(let entries):
      return without(entries.map { ruleset[$0.key].range.union(ruleset[$0.value].range) })
    case .call(_, let arguments), .method(_, _, let arguments):
      return without(arguments.map { ruleset[$0].range })
    case .path(let parts) where parts.count > 1:
      return parts.map { Cut(range: $0.range, replacement: "") }
    case .literal, .variable, .path, .parenthesized, .not, .negate, .binary, .isType, .conditional,
      .member, .index, .slice, .invalid:
      return []
    }
  }

  /// Returns the cuts of each element, together with the comma beside it.
  private func without(_ ranges: [SourceRange]) -> [Cut] {
    ranges.indices.map { index in
      var range = ranges[index]
      if index + 1 < ranges.count {
        range.end = ranges[index + 1].start
      } else if index > 0 {
        range.start = ranges[index - 1].end
      }
      return Cut(range: range, replacement: "")
    }
  }
}
