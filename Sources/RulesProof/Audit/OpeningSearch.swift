import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Proves that requests of fixed content are granted whatever is stored.
struct OpeningSearch {
  private let rules: Checked
  private let profile: Profile
  private let validation: ValidationPolicy
  /// Creates the budget of one claim.
  private let question: () -> Budget

  /// Prepares the search.
  init(
    _ rules: Checked, profile: Profile, validation: ValidationPolicy,
    asking question: @escaping () -> Budget
  ) {
    (self.rules, self.profile) = (rules, profile)
    (self.validation, self.question) = (validation, question)
  }

  /// Returns the proved openings of each path: for each group of trials the first one that is
  /// proved.
  func proved(
    _ trials: [[[OpeningTrial]]], of tables: [PathTable]
  ) -> [[AccessMatrix.Opening]] {
    var found = trials.map { _ in [AccessMatrix.Opening]() }
    var asked: [PathTable?] = []
    for (table, groups) in zip(tables, trials) {
      asked.append(groups.isEmpty ? nil : PathTable(asking: groups.flatMap { $0 }, of: table))
    }
    guard let set = compiled(&asked) else { return found }
    let attack = Attack(set)
    for (place, groups) in trials.enumerated() {
      guard let table = asked[place] else { continue }
      let questions = PathQuestions(table, of: set, asking: question)
      let encodings = BaseEncodingCache(attacking: attack)
      var number = 0
      for group in groups {
        let places = number..<(number + group.count)
        number += group.count
        let proved = zip(group, places).first { trial, index in
          isGranted(trial, as: index, questions, table, on: encodings)
        }
        if let proved { found[place].append(proved.0.opening) }
      }
    }
    return found
  }

  /// Compiles the claims of all paths; nil if none compile. A name in the path may be taken.
  private func compiled(_ tables: inout [PathTable?]) -> ClaimSet? {
    let compiling = question()
    if compiling.isSpent { return nil }
    compiling.charge(
      Checked.steps(toCheck: rules.ruleset.source)
        + tables.reduce(0) { $0 + ($1?.stepsToCompile ?? 0) })
    compiling.settle()
    if compiling.openReason != nil { return nil }
    // A second attempt without the paths at fault.
    for _ in 0..<2 {
      var claims: [Claim] = []
      var owners: [Int] = []
      for place in tables.indices {
        guard let own = tables[place]?.claims else { continue }
        tables[place]?.first = claims.count
        claims += own
        owners += own.map { _ in place }
      }
      if claims.isEmpty { return nil }
      do throws(ClaimSet.Refusal) {
        return try ClaimSet(claims, about: rules, profile: profile)
      } catch {
        for problem in error.problems { tables[owners[problem.claim]] = nil }
      }
    }
    return nil
  }

  /// Proves that all requests with the content of a trial are granted, and that there is one.
  private func isGranted(
    _ trial: OpeningTrial, as index: Int, _ questions: PathQuestions, _ table: PathTable,
    on encodings: BaseEncodingCache
  ) -> Bool {
    let budget = question()
    defer { budget.settle() }
    guard !budget.isSpent, let kind = table.claim(of: trial.client) else { return false }
    let set = questions.set
    let recipe = set.claims[table.first + table.clients.count + index]
    func claim(_ obligation: Claim.Obligation) -> CompiledClaim {
      set.claims[kind].narrowed(to: recipe, method: trial.operation.method, obligation)
    }
    let always = claim(.alwaysIf(Claim.Condition("true")))
    guard set.refutation(by: trial.candidate, of: claim(.never), within: budget) != nil else {
      return false
    }
    let prover = Prover(set, sharing: encodings, validation: validation, within: budget)
    let scenarios = questions.scenarios(of: always)
    let kinds = set.attackedKinds(of: always, scenarios)
    return questions.scenarios(of: always, performing: trial.operation).allSatisfy { scenario in
      let goal = questions.goal(always, for: scenario, within: budget)
      let finding = prover.decide(goal, of: always, shrinking: false, kinds: kinds)
      if case .none = finding { return true }
      return false
    }
  }
}

extension PathTable {
  /// Creates the claims about requests of fixed content, one for each trial.
  fileprivate init(asking trials: [OpeningTrial], of table: PathTable) {
    self.init(
      of: table.audited, columns: table.columns.keeping { $0.isOpen }, operations: [],
      limits: trials.map { trial in
        Limit(
          name: trial.operation.label, method: trial.operation.method, condition: trial.recipe)
      })
  }
}
