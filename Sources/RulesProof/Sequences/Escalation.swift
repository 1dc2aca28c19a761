package import RulesEncoding
package import RulesEval
package import RulesLang

/// What an audit says of a statement whose condition depends on what is stored: whether a client for
/// whom it is false can make it true by requests of its own.
package struct Escalation: Sendable {
  /// How much it matters.
  package enum Level: Sendable {
    /// A client gets what the condition was to keep from it.
    case alarm
    /// Good to know: nobody can, or it is not known, or it may be meant so.
    case note

    /// The word of reports.
    package var word: String { self == .alarm ? "alarm" : "note" }
  }

  /// The statement.
  package var allow: AllowID
  /// The documents that it is about.
  package var path: ClaimPath
  /// How much it matters.
  package var level: Level
  /// The sentence.
  package var message: String
  /// The severity of the finding where clients can make the condition true in a way that can be meant so;
  /// nil where that is not worth a finding.
  package var excused: Diagnostic.Severity?
  /// Whether it is proved that no client can.
  package var isStable: Bool
  /// True if it depends on what a client chooses of its token.
  var isChosen = false
  /// The reasons for an open answer; empty if the answer is known.
  package var doubts: [Doubt] = []
  /// The requests that show it, each decided by the evaluator; the last one is denied before, or a query
  /// that does not find the document.
  package var sequence: Counterexample?

  /// The requests, in order, each as a test that is allowed; none if there is no such sequence.
  package var steps: [JSON] {
    guard let sequence, case .object(let members) = sequence.test(name: message).kind,
      case .array(let steps)? = members.first(where: { $0.key == "steps" })?.value.kind
    else { return [] }
    return steps
  }
}

extension [Escalation] {
  /// The same in their order, where alarms that begin with the same request are one.
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

/// Escalations that are one hole.
package struct EscalationGroup: Sendable {
  /// The first one.
  package var first: Escalation
  /// What else the same request opens.
  package var others: [Escalation] = []
}
