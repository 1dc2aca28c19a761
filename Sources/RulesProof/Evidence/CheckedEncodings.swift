import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

/// The encodings that checked claims about one rules file share: the conditions of the statements as the
/// checker's terms and, translated, as those of the search. Not thread-safe. Sharing does not change a query.
final class CheckedEncodings {
  /// The conditions of the statements.
  let statements = StatementEncodings()
  private var known: [ObjectIdentifier: (prefix: QueryPrefix, translation: Translation)] = [:]
  private var size = 0

  /// Returns the translation of a checker's query.
  func translation(of question: Question) -> Translation {
    guard let prefix = question.prefix else { return Translation(question) }
    if let shared = known[ObjectIdentifier(prefix)] {
      return shared.translation.continued(to: question)
    }
    let shared = Translation(question, upTo: prefix)
    size += prefix.nodes
    if size > SearchStrategy.keptNodes { (known, size) = ([:], 0) }
    known[ObjectIdentifier(prefix)] = (prefix, shared)
    return shared.continued(to: question)
  }
}
