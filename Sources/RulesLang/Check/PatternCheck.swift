/// Checks that literal patterns are regular expressions (Docs/Language.md §8), and compiles them for
/// evaluation.
///
/// The engine checks the literal argument of `matches` and `split` for any receiver.
struct PatternCheck {
  /// The distinct patterns, compiled for short texts.
  private(set) var patterns: [Pattern]
  /// An error for each literal that is not a regular expression.
  private(set) var diagnostics: [Diagnostic] = []

  /// Maximum patterns that are compiled in advance; each may take a millisecond.
  private static let greatestCount = 128

  /// Checks the literals of a file; `known` are patterns that are compiled already.
  init(_ ruleset: Ruleset, knowing known: [Pattern] = []) {
    patterns = known
    for node in ruleset.expressions {
      guard case .method(_, let name, let arguments) = node.kind, arguments.count == 1,
        name.text == "matches" || name.text == "split"
      else { continue }
      let argument = ruleset[ruleset.unparenthesized(arguments[0])]
      guard case .literal(.string(let source)) = argument.kind else { continue }
      look(at: source, in: ruleset[arguments[0]].range)
    }
  }

  private mutating func look(at source: Text, in range: SourceRange) {
    if patterns.contains(where: { $0.source == source }) { return }
    do throws(PatternError) {
      if patterns.count < Self.greatestCount {
        patterns.append(try Pattern(source, serving: 0))
      } else {
        _ = try Pattern.syntax(of: source)
      }
    } catch {
      // A pattern whose only problem is the size of its program is an error at run time, not here.
      if error.reason != .tooLarge || (try? Pattern.syntax(of: source)) == nil {
        diagnostics.append(.invalidPattern(error.message(for: source), at: range))
      }
    }
  }
}
