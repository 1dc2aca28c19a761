import RulesEval
public import RulesLang

// Most changes to rules change a decision, and most of those that do are told by a request that
// another change was told by already. So every request that is found is kept and tried first; the
// prover is asked only about changes that none of them tells.

extension Budget {
  /// Counts that a text like that of some rules is read and checked.
  public func chargeChecking(_ rules: Checked) {
    charge(Checked.steps(toCheck: rules.ruleset.source))
  }
}

extension Checked {
  /// About as many steps as it takes to read and check a text.
  static func steps(toCheck source: SourceText) -> Int { 8 * source.bytes.count }
}

/// What changes to one rules file do to its decisions.
final class RulesTrial {
  /// The rules.
  let rules: Checked
  private let profile: Profile
  private let scrutiny: Scrutiny
  /// The requests that conclusions are tried on.
  private let attack: Attack
  /// Differences that only the attack showed.
  private(set) var missed: [FailedReplay] = []
  /// What all questions together may cost.
  let budget: Budget
  /// What each of them may cost of it.
  private let steps: Int
  /// The requests that tell versions of the rules apart; what was of use last comes first.
  private var witnesses: [DiffWitness] = []
  /// The versions that were compared with last.
  private var engines: [(patch: Patch, engine: Engine?)] = []

  /// So many versions are kept.
  private static let greatestCache = 8

  /// Starts without any request.
  init(_ engine: Engine, scrutiny: Scrutiny, within budget: Budget, steps: Int) {
    self.scrutiny = scrutiny
    attack = Attack(engine)
    rules = engine.rules
    profile = engine.profile
    self.budget = budget
    self.steps = steps
    engines = [(Patch(), engine)]
  }

  /// What a second version does otherwise than a first one.
  func effect(from first: Patch = Patch(), to second: Patch) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    guard let old = engine(first), let new = engine(second) else { return .invalid }
    if let known = known(old, new) {
      return .something(known.witness, isLoosened: known.isLoosened)
    }
    let question = budget.question(steps: steps)
    defer { question.settle() }
    let effect = comparison(old, new, within: question).effect()
    if case .something(let witness, _) = effect {
      witnesses.insert(witness, at: 0)
      if let one = witness.missed { missed.append(one) }
    }
    return effect
  }

  /// Whether two versions decide all requests alike; false if that is not known.
  func areAlike(_ first: Patch, _ second: Patch) -> Bool {
    if case .nothing = effect(from: first, to: second) { return true }
    return false
  }

  /// Whether the second version meets errors only where the first one does; false if that is not
  /// known.
  func failsNoMore(_ first: Patch, _ second: Patch) -> Bool {
    if budget.isSpent { return false }
    guard let old = engine(first), let new = engine(second) else { return false }
    let question = budget.question(steps: steps)
    defer { question.settle() }
    return comparison(old, new, within: question).failsNoMore()
  }

  private func comparison(
    _ old: Engine, _ new: Engine, within question: Budget
  ) -> RulesComparison {
    RulesComparison(old, new, sharing: attack, scrutiny: scrutiny, within: question)
  }

  /// The rules with replacements made; nil if they do not compile then.
  func engine(_ patch: Patch) -> Engine? {
    if let known = engines.first(where: { $0.patch == patch }) { return known.engine }
    let source = patch.applied(to: rules.ruleset.source)
    budget.charge(Checked.steps(toCheck: source))
    let engine = Checker.check(source, profile: profile).checked.map {
      Engine($0, profile: profile)
    }
    if engines.count >= Self.greatestCache { engines.remove(at: 1) }
    engines.append((patch, engine))
    return engine
  }

  private func known(
    _ old: Engine, _ new: Engine
  ) -> (witness: DiffWitness, isLoosened: Bool)? {
    for (place, witness) in witnesses.enumerated() {
      if budget.isSpent { return nil }
      guard
        let before = old.decide(witness.request, on: witness.documents, within: budget),
        let after = new.decide(witness.request, on: witness.documents, within: budget),
        before.isAllowed != after.isAllowed
      else { continue }
      witnesses.remove(at: place)
      witnesses.insert(witness, at: 0)
      return (witness, after.isAllowed)
    }
    return nil
  }
}
