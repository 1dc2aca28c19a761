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
    _ allow: AllowID, _ outcome: StatementOutcome, isTimeUp: @escaping () -> Bool
  ) -> EditEffect {
    let rules = engine.rules
    guard let place = order.firstIndex(of: allow) else { return .nothing }
    let earlier = Array(order[..<place])
    let condition = rules.ruleset[allow].condition.map { rules.ruleset[$0.root].range }
    guard let condition else {
      guard outcome == .granted else { return .nothing }
      return effect(rules.keeping(earlier), rules.keeping(earlier + [allow]), isTimeUp)
    }
    let text = rules.ruleset.source.string(condition)
    func asking(_ words: String) -> Patch {
      var patch = rules.keeping(earlier + [allow])
      patch.replace(condition, words)
      return patch
    }
    return switch outcome {
    case .granted: effect(rules.keeping(earlier), asking(text), isTimeUp)
    case .refused: effect(rules.keeping(earlier), asking("!(\(text))"), isTimeUp)
    // Neither true nor false: an error.
    case .failed: effect(asking("true"), asking("(\(text)) || !(\(text))"), isTimeUp)
    }
  }

  private func effect(
    _ first: Patch, _ second: Patch, _ isTimeUp: @escaping () -> Bool
  ) -> EditEffect {
    guard let old = changed(first), let new = changed(second) else { return .invalid }
    return RulesComparison(old, new, sharing: attack, isTimeUp: isTimeUp).effect()
  }

  private func changed(_ patch: Patch) -> Engine? {
    let source = patch.applied(to: engine.rules.ruleset.source)
    return Checker.check(source, profile: engine.profile).checked.map {
      Engine($0, profile: engine.profile)
    }
  }
}
