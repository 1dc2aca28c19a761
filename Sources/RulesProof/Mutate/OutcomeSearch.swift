public import RulesEval
public import RulesLang

// A statement is tried once those before it have not granted. So a request with which it comes to
// some outcome is one that tells two versions of the rules apart which have only these statements.

/// What a statement can come to where it is tried.
public enum StatementOutcome: Hashable, Sendable, CaseIterable {
  /// It grants.
  case granted
  /// Its condition is false.
  case refused
  /// Its condition ends in an error.
  case failed
}

/// Finds requests with which a statement comes to an outcome.
public struct OutcomeSearch {
  private let engine: Engine
  private let order: [AllowID]
  private let attack: Attack

  /// Takes the rules.
  public init(_ engine: Engine) {
    self.engine = engine
    attack = Attack(engine)
    let rules = engine.rules
    order = rules.blocksInOrder.flatMap { rules.ruleset[$0].allows }
  }

  /// A request with an outcome. `nothing` means that there is none, which is proved.
  public func request(
    _ allow: AllowID, _ outcome: StatementOutcome, within budget: Budget = Budget()
  ) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    budget.charge(2 * Checked.steps(toCheck: engine.rules.ruleset.source))
    let rules = engine.rules
    guard let place = order.firstIndex(of: allow) else { return .nothing }
    let earlier = Array(order[..<place])
    let condition = rules.ruleset[allow].condition.map { rules.ruleset[$0.root].range }
    guard let condition else {
      guard outcome == .granted else { return .nothing }
      return effect(rules.keeping(earlier), rules.keeping(earlier + [allow]), budget)
    }
    let text = rules.ruleset.source.string(condition)
    func asking(_ words: String) -> Patch {
      var patch = rules.keeping(earlier + [allow])
      patch.replace(condition, words)
      return patch
    }
    return switch outcome {
    case .granted: effect(rules.keeping(earlier), asking(text), budget)
    case .refused: effect(rules.keeping(earlier), asking("!(\(text))"), budget)
    // Neither true nor false: an error.
    case .failed: effect(asking("true"), asking("(\(text)) || !(\(text))"), budget)
    }
  }

  private func effect(
    _ first: Patch, _ second: Patch, _ budget: Budget
  ) -> EditEffect {
    guard let old = changed(first), let new = changed(second) else { return .invalid }
    return RulesComparison(old, new, sharing: attack, within: budget).effect()
  }

  private func changed(_ patch: Patch) -> Engine? {
    let source = patch.applied(to: engine.rules.ruleset.source)
    return Checker.check(source, profile: engine.profile).checked.map {
      Engine($0, profile: engine.profile)
    }
  }
}
