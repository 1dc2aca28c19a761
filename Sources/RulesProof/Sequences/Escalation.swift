public import RulesEval
public import RulesLang

/// What an audit says of a statement whose condition depends on what is stored: whether a client for
/// whom it is false can make it true by requests of its own.
public struct Escalation: Sendable {
  /// How much it matters.
  public enum Level: Sendable {
    /// A client gets what the condition was to keep from it.
    case alarm
    /// Good to know: nobody can, or it is not known, or it may be meant so.
    case note

    /// The word of reports.
    public var word: String { self == .alarm ? "alarm" : "note" }
  }

  /// The statement.
  public var allow: AllowID
  /// The documents that it is about.
  public var path: ClaimPath
  /// How much it matters.
  public var level: Level
  /// The sentence.
  public var message: String
  /// Whether it is proved that no client can.
  public var isStable: Bool
  /// The requests that show it, each decided by the evaluator; the last one is denied before.
  public var sequence: Counterexample?

  /// The requests, in order, each as a test that is allowed; none if there is no such sequence.
  public var steps: [JSON] {
    guard let sequence, case .object(let members) = sequence.test(name: message).kind,
      case .array(let steps)? = members.first(where: { $0.key == "steps" })?.value.kind
    else { return [] }
    return steps
  }
}

extension [Escalation] {
  /// The same in their order, where alarms that begin with the same request are one.
  public var groups: [EscalationGroup] {
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
public struct EscalationGroup: Sendable {
  /// The first one.
  public var first: Escalation
  /// What else the same request opens.
  public var others: [Escalation] = []
}
