import RulesEval
import RulesLang

// The message of a denial in the official words (Docs/Emulator.md, Denials): one part for each statement that
// was tried, such as `false for 'update' @ L6`.

/// The official message of denied requests.
enum DenialText {
  /// The message if no statement applies.
  static let noStatement = "No matching allow statements"
  /// The separator of the statements' parts.
  private static let separator = ", "

  /// Returns the message for the decisions about one document. For a set without precondition these are the
  /// one as `create` and the one as `update`; a statement that grants one of them is called false as well.
  static func text(of decisions: [AccessDecision], in rules: Ruleset) -> String {
    let parts = decisions.flatMap { decision in
      decision.tried.map { part($0, of: decision, in: rules) }
    }
    return parts.isEmpty ? noStatement : "\n" + parts.joined(separator: separator)
  }

  /// Returns the obstacles of the statement that came nearest to granting, each after a line feed; empty if
  /// there are none.
  static func explanation(of traced: Decision, in rules: Checked) -> String {
    guard let nearest = traced.accesses.last?.nearest(in: rules) else { return "" }
    let source = rules.ruleset.source
    return nearest.obstacles.prefix(mostObstacles).map { obstacle in
      let line = source.line(of: rules.ruleset[obstacle.expression].range.start)
      return "\n\(source.name):\(line): " + obstacle.sentence(in: rules.ruleset)
    }.joined()
  }

  /// Maximum sentences of an explanation. The message is sent in headers, which clients limit to 8 KiB.
  private static let mostObstacles = 4

  private static func part(
    _ tried: Tried, of decision: AccessDecision, in rules: Ruleset
  ) -> String {
    let line = rules.source.line(of: rules[tried.allow].keyword.start)
    let outcome = tried.errorMessage(in: rules) ?? "false"
    return "\(outcome) for '\(decision.access.method.word)' @ L\(line)"
  }
}
