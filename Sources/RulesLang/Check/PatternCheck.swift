/// Refuses literal patterns that are not regular expressions (Docs/Language.md §8).
///
/// The engine looks at the literal argument of `matches` and `split`, whatever the receiver is.
enum PatternCheck {
  /// One report for each literal that is no pattern.
  static func run(_ ruleset: Ruleset) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for node in ruleset.expressions {
      guard case .method(_, let name, let arguments) = node.kind, arguments.count == 1,
        name.text == "matches" || name.text == "split"
      else { continue }
      let argument = ruleset[ruleset.unparenthesized(arguments[0])]
      guard case .literal(.string(let source)) = argument.kind else { continue }
      do throws(PatternError) {
        _ = try Pattern.syntax(of: source)
      } catch {
        diagnostics.append(
          .invalidPattern(error.message(for: source), at: ruleset[arguments[0]].range))
      }
    }
    return diagnostics
  }
}
