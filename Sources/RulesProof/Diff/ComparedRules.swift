import RulesEval
import RulesLang
import RulesSolver

// A commit passes only if each of its writes is granted, and conditions see what it leaves behind. So
// statements that grant less for one document make states after a commit impossible on which those
// for another one depend: rules in which something is silenced for a trial say nothing about whether
// a statement that looks at such a state can grant. What is silenced is silenced for the document that
// is asked about, and what becomes of the other writes of its commit is said by itself.

/// What is said to the other writes of a commit when the access to one document is compared.
enum OtherWrites {
  /// What the compared rules say themselves.
  case own
  /// What other rules say.
  case decided(by: Engine)
  /// Anything: commits that are denied are meant, too.
  case open
}

/// Rules that are compared, with what is said to the other writes of a commit.
struct ComparedRules {
  /// Decides the access to the document that is asked about.
  let engine: Engine
  /// What is said to the other writes.
  var others = OtherWrites.own

  /// Whether the rules decide whole commits.
  var decideAll: Bool {
    if case .own = others { return true }
    return false
  }

  /// The decision on the document that is asked about, or on the whole request if these rules decide
  /// all of it; nil if there is none.
  func decide(
    _ prepared: PreparedRequest, at path: DocumentPath, within budget: Budget
  ) -> Decision? {
    engine.decide(decideAll ? prepared : prepared.only(path), within: budget)
  }

  /// Whether the other writes are granted, as far as `decide` has not asked for them.
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
