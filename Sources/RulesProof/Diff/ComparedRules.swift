import RulesEval
import RulesLang
import RulesSolver

// A commit passes only if each of its writes is granted, and conditions see the state after it. If a
// version without some statements denied writes to the other documents of a commit as well, states
// after a commit on which another document's statement depends would become impossible, and nothing
// would follow about whether that statement can grant. So searches that leave statements out do so for
// the document in question only, and leave the other writes of the commit to other rules. `mutate` and
// `diff` compare whole commits.

/// The decision on the other writes of a commit while the access to one document is compared.
enum OtherWrites {
  /// The compared rules decide them.
  case own
  /// Another engine decides them.
  case decided(by: Engine)
  /// Unconstrained: commits that are denied count as well.
  case open
}

/// Rules under comparison, with the decision on the other writes of a commit.
struct ComparedRules {
  /// Decides the access to the document in question.
  let engine: Engine
  /// Decides the other writes of the commit.
  var others = OtherWrites.own

  /// True if the rules decide whole commits.
  var decideAll: Bool {
    if case .own = others { return true }
    return false
  }

  /// Decides the access to the document at the path, or the whole request if `decideAll`, and charges
  /// the budget.
  /// - Returns: Nil if the evaluator cannot decide it.
  func decide(
    _ prepared: PreparedRequest, at path: DocumentPath, within budget: Budget
  ) -> Decision? {
    engine.decide(decideAll ? prepared : prepared.only(path), within: budget)
  }

  /// True if the other writes are granted, or if `decide` includes them or they are unconstrained.
  func grantsOthers(
    _ prepared: PreparedRequest, at path: DocumentPath, within budget: Budget
  ) -> Bool {
    switch others {
    case .own, .open: true
    case .decided(let other):
      other.decide(prepared.without(path), within: budget)?.isAllowed ?? false
    }
  }
}
