package import RulesEncoding
package import RulesEval
package import RulesLang

/// The result for a statement whose condition depends on stored data: can a client for whom the
/// condition is false make it true by its own requests?
package struct Escalation: Sendable {
  /// The severity.
  package enum Level: Sendable {
    /// A client gains the access that the condition should prevent.
    case alarm
    /// The escalation is impossible, undecided, possibly intended, or begins in a state that only the server
    /// may store.
    case note

    /// The word in reports.
    package var word: String { self == .alarm ? "alarm" : "note" }
  }

  /// The statement.
  package var allow: AllowID
  /// The documents of the statement.
  package var path: ClaimPath
  /// The severity.
  package var level: Level
  /// The sentence.
  package var message: String
  /// The severity of the diagnostic if the escalation may be intended; nil if it is not worth one.
  package var excused: Diagnostic.Severity?
  /// True if it is proved that no client can make the condition true.
  package var isStable: Bool
  /// True if the condition depends on token claims that users choose.
  var isChosen = false
  /// The reasons if undecided; otherwise empty.
  package var openReasons: [OpenReason] = []
  /// The requests, each decided by the evaluator. Before the first one the last request is denied,
  /// or its query does not find the document.
  package var sequence: Counterexample?

  /// The requests in order, each as an allowed test step; empty without a sequence.
  package var steps: [JSON] {
    guard let sequence, case .object(let members) = sequence.test.kind,
      case .array(let steps)? = members.first(where: { $0.key == "steps" })?.value.kind
    else { return [] }
    return steps
  }
}

extension [Escalation] {
  /// Groups the escalations: alarms with a common first request are one.
  package var groups: [EscalationGroup] {
    var found: [EscalationGroup] = []
    for one in self {
      if let place = found.firstIndex(where: { $0.first.beginsLike(one) }) {
        found[place].others.append(one)
      } else {
        found.append(EscalationGroup(first: one))
      }
    }
    return found
  }
}

extension Escalation {
  fileprivate func beginsLike(_ other: Escalation) -> Bool {
    guard level == .alarm, other.level == .alarm, let one = sequence?.steps.first,
      let two = other.sequence?.steps.first
    else { return false }
    return one.allow == two.allow && one.method == two.method
  }
}

/// Escalations that one first request enables.
package struct EscalationGroup: Sendable {
  /// The first escalation.
  package var first: Escalation
  /// The other escalations that the request enables.
  package var others: [Escalation] = []
}
