import RulesEncoding
public import RulesEval
import RulesLang
public import RulesSolver

// Compares two rules files: for each pattern and each method that either has a statement for, and
// for each kind of request with it, which requests one allows and the other denies.
//
// As with claims, a model of the search becomes a request, both evaluators decide it, and only what
// they confirm is shown. From the state of the search the parts of the conditions are read off that
// are enough for the difference; what is not needed is left out; the rest, a *cube*, is put into
// words and ruled out, and the search goes on until nothing is left.

/// Compares two rules files.
public struct RulesComparison {
  /// Decides by the older file.
  public var old: Engine { older.engine }
  /// Decides by the newer file.
  public var new: Engine { newer.engine }
  private let older: ComparedRules
  private let newer: ComparedRules
  /// How much is asked before the absence of models is a proof.
  let scrutiny: Scrutiny
  private let attack: Attack
  /// What the comparison may cost.
  private let budget: Budget
  /// What each kind of request may cost of it.
  private let steps: Int
  /// Whether a difference is said by who could and who can, where that fits into a sentence; else by the
  /// requests themselves.
  public var saysWhoCan = true

  /// Makes a comparison. Of the budget each kind of request may cost so many steps. Comparisons with
  /// versions of one file may share the requests of an attack.
  public init(
    from old: Engine, to new: Engine, sharing attack: Attack? = nil,
    scrutiny: Scrutiny = Scrutiny(),
    within budget: Budget = Budget(), steps: Int = .max
  ) {
    self.init(
      from: ComparedRules(engine: old), to: ComparedRules(engine: new), sharing: attack,
      scrutiny: scrutiny,
      within: budget, steps: steps)
  }

  /// Makes a comparison of what is said to one document at a time.
  init(
    from older: ComparedRules, to newer: ComparedRules, sharing attack: Attack? = nil,
    scrutiny: Scrutiny = Scrutiny(), within budget: Budget = Budget(), steps: Int = .max
  ) {
    self.older = older
    self.newer = newer
    self.attack = attack ?? Attack(older.engine, comparing: [newer.engine])
    self.scrutiny = scrutiny
    self.budget = budget
    self.steps = steps
  }

  /// What the change does, pattern by pattern; those for which neither file has a statement are left
  /// out.
  public func run() -> [PathDiff] {
    var structures = Structures()
    return DiffRow.all(from: old.rules, to: new.rules, within: budget).compactMap {
      compare($0, structures: &structures)
    }
  }

  /// Whether the files differ at all: the first difference that is found, without words.
  func effect() -> EditEffect {
    var structures = Structures()
    var doubts: [DiffDoubt] = []
    let changed = changedStatements(&structures)
    for row in rows(changed) {
      for (path, except) in row.paths {
        for scenario in Scenario.all(
          with: Method.allCases, on: [path], open: row.open, rules: new.rules)
        where changed.concern(scenario) {
          if let spent = budget.doubt {
            return .unknown(doubts + [DiffDoubt(side: .old, doubt: spent)])
          }
          var outcome = Outcome(isQuick: true)
          compare(scenario, except: except, in: row, structures: &structures, outcome: &outcome)
          if let found = outcome.found.first, let witness = found.witnesses.first {
            return .something(witness, isLoosened: found.isLoosened)
          }
          for doubt in outcome.doubts where !doubts.contains(doubt) { doubts.append(doubt) }
        }
      }
    }
    return doubts.isEmpty ? .nothing : .unknown(doubts)
  }

  /// Whether every request that meets a condition that ends in an error in the newer file does so in
  /// the older one, too; false if that is not proved.
  func failsNoMore() -> Bool {
    var structures = Structures()
    let changed = changedStatements(&structures)
    for row in rows(changed) {
      for (path, except) in row.paths {
        for scenario in Scenario.all(
          with: Method.allCases, on: [path], open: row.open, rules: new.rules)
        where changed.concern(scenario) {
          if budget.isSpent { return false }
          let diff = DiffGoal(
            from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
            withErrors: true,
            budget: budget)
          if diff.isSameProgram || diff.old.fails == diff.new.fails { continue }
          if scrutiny.searches {
            let (_, result) = diff.goal.search(
              for: diff.row + [diff.new.fails, !diff.old.fails],
              within: SearchBudget(conflicts: 2000))
            if result != .unsatisfiable { return false }
          }
          chargeAttack(on: diff, to: budget)
          if scrutiny.attacks,
            attack.failsMore(from: old, to: new, in: scenario, except: except, within: budget)
          {
            return false
          }
          if budget.lateness != nil { return false }
        }
      }
    }
    return true
  }

  private func changedStatements(_ structures: inout Structures) -> ChangedStatements {
    budget.charge(20 * (old.rules.ruleset.expressions.count + new.rules.ruleset.expressions.count))
    return ChangedStatements(from: old.rules, to: new.rules, structures: &structures)
  }

  private func rows(_ changed: ChangedStatements) -> [DiffRow] {
    DiffRow.all(from: old.rules, to: new.rules, within: budget) { changed.concern($0) }
  }

  private func compare(_ row: DiffRow, structures: inout Structures) -> PathDiff? {
    var diff = PathDiff(path: row.text, methods: [], differences: [])
    for method in [Method.get, .list, .create, .update, .delete] {
      var outcome = Outcome()
      for (path, except) in row.paths {
        for scenario in Scenario.all(with: [method], on: [path], open: row.open, rules: new.rules) {
          compare(scenario, except: except, in: row, structures: &structures, outcome: &outcome)
        }
      }
      guard outcome.hasStatements else { continue }
      for difference in outcome.found { diff.add(difference) }
      diff.methods.append(outcome.summary(method))
    }
    return diff.methods.isEmpty ? nil : diff
  }

  // MARK: One kind of request

  /// What was found out about one method.
  fileprivate struct Outcome {
    /// Whether one difference is enough, without words.
    var isQuick = false
    var hasStatements = false
    var found: [AccessChange] = []
    var doubts: [DiffDoubt] = []
    var isPartial = false
    /// Whether something that is not known of could have become allowed.
    var mayBeLoosened = false

    /// Notes that one direction could not be decided.
    mutating func doubt(_ reasons: [DiffDoubt], isLoosened: Bool) {
      doubts += reasons
      if isLoosened, !reasons.isEmpty { mayBeLoosened = true }
    }

    /// Notes what came of an attack: there may be more than it has hit, and a search that has missed
    /// a difference of one direction proves nothing about the other.
    mutating func noteAttack(isHit: Bool, isMissed: Bool) {
      guard isHit else { return }
      isPartial = true
      if isMissed { mayBeLoosened = true }
    }

    func summary(_ method: Method) -> MethodDiff {
      let isLoosened = found.contains { $0.isLoosened }
      let isTightened = found.contains { !$0.isLoosened }
      let verdict: DiffVerdict =
        switch (isLoosened, isTightened) {
        case (true, true): .changed
        case (true, false): .loosened
        case (false, true): .tightened
        case (false, false): doubts.isEmpty ? .equivalent : .undecided
        }
      var seen: Set<DiffDoubt> = []
      return MethodDiff(
        method: method, verdict: verdict, doubts: doubts.filter { seen.insert($0).inserted },
        isPartial: isPartial || !doubts.isEmpty, mayBeLoosened: mayBeLoosened)
    }
  }

  private func compare(
    _ scenario: Scenario, except: [[Text?]], in row: DiffRow, structures: inout Structures,
    outcome: inout Outcome
  ) {
    let question = steps == .max ? budget : budget.question(steps: steps)
    defer { question.settle() }
    if question.isOver, let spent = question.doubt {
      guard old.rules.mayBeAsked(scenario) || new.rules.mayBeAsked(scenario) else { return }
      outcome.hasStatements = true
      return outcome.doubt([DiffDoubt(side: .new, doubt: spent)], isLoosened: true)
    }
    let goal = DiffGoal(
      from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
      others: (older.others, newer.others), budget: question)
    if !goal.old.statements.isEmpty || !goal.new.statements.isEmpty {
      outcome.hasStatements = true
    }
    if goal.isSameProgram { return }
    if scenario.isOpen { outcome.doubt(openLengths(goal), isLoosened: true) }
    for isLoosened in [true, false] {
      // What the refusing file would allow it may still refuse for want of budget.
      let side = isLoosened ? DiffSide.old : .new
      let half = goal.half(side)
      let compiler = half.outline.compiler
      let costs = compiler.costs(of: half.statements) + compiler.unmodelledPlaces
      outcome.doubt(costs.map { DiffDoubt(side: side, doubt: $0) }, isLoosened: isLoosened)
      let (known, doubts) = (outcome.found.count, outcome.doubts.count)
      if !costs.isEmpty { addOverspent(of: goal, isLoosened: isLoosened, to: &outcome) }
      if outcome.isQuick, !outcome.found.isEmpty { return }
      if scrutiny.searches {
        let searched = search(goal, isLoosened: isLoosened, in: row, isQuick: outcome.isQuick) {
          DiffGoal(
            from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
            budget: question)
        }
        outcome.found += searched.found
        outcome.doubt(searched.doubts, isLoosened: isLoosened)
        outcome.isPartial = outcome.isPartial || searched.isPartial
      }
      // Of what stayed open nobody has said that it is alike.
      let isOpen = outcome.doubts.count > doubts || !costs.isEmpty
      let isWanted = scrutiny.attacks && (!isOpen || !question.isOver)
      if isWanted, outcome.found.count == known {
        chargeAttack(on: goal, to: question)
        outcome.found += attacked(goal, isLoosened: isLoosened, except: except, isMissed: !isOpen)
        outcome.noteAttack(isHit: outcome.found.count > known, isMissed: !isOpen)
        if outcome.found.count == known, let late = question.lateness {
          // An attack that was broken off has shown nothing.
          outcome.doubt([DiffDoubt(side: .new, doubt: Doubt(late.reason))], isLoosened: isLoosened)
        }
      }
      if outcome.isQuick, !outcome.found.isEmpty { return }
    }
  }

  private func chargeAttack(on goal: DiffGoal, to budget: Budget) {
    for side in [DiffSide.old, .new] {
      let half = goal.half(side)
      let requests = half.outline.compiler.stepsToDecide(by: half.statements)
      budget.charge(Scrutiny.cost(requests: Scrutiny.greatestRequests, steps: requests))
      // Each version is compiled for the machine.
      budget.charge(4 * engine(side).rules.ruleset.expressions.count)
    }
  }

  /// A difference among the requests of an attack, where the search found none.
  private func attacked(
    _ goal: DiffGoal, isLoosened: Bool, except: [[Text?]], isMissed: Bool
  ) -> [AccessChange] {
    let difference = attack.difference(
      from: old, to: new, isLoosened: isLoosened, in: goal.scenario, except: except,
      within: goal.goal.budget
    ) { confirmed($0, isLoosened: isLoosened, within: goal.goal.budget) }
    guard let (draft, found) = difference else { return [] }
    var witness = found
    if isMissed {
      witness.missed = FailedReplay(missed: draft, expect: isLoosened ? .allow : .deny)
    }
    return [AccessChange(isLoosened: isLoosened, like: witness)]
  }

  private func engine(_ side: DiffSide) -> Engine { side == .old ? old : new }

  /// The places that could tell the lengths of paths apart that were not all looked at.
  private func openLengths(_ goal: DiffGoal) -> [DiffDoubt] {
    [DiffSide.old, .new].flatMap { side -> [DiffDoubt] in
      let rules = engine(side).rules
      var uses = PathUses(rules)
      for statement in goal.half(side).statements {
        let allow = rules.ruleset[statement.allow]
        if let condition = allow.condition {
          uses.add(condition, globs: rules.matches[allow.match.index].globs, local: nil)
        }
      }
      return uses.places.map {
        DiffDoubt(side: side, doubt: Doubt(Compiler.openLength, at: $0))
      }
    }
  }

  /// Adds a request that one file denies only because it is stopped by a limit.
  private func addOverspent(of diff: DiffGoal, isLoosened: Bool, to outcome: inout Outcome) {
    let (allowing, refusing) = isLoosened ? (diff.new, diff.old) : (diff.old, diff.new)
    let world = diff.assumed(isLoosened: isLoosened) + [allowing.allows]
    for draft in diff.goal.dearRequests(in: world, grants: refusing.grants) {
      guard let witness = confirmed(draft, isLoosened: isLoosened, within: diff.goal.budget) else {
        continue
      }
      let file = isLoosened ? "older" : "newer"
      return outcome.found.append(
        AccessChange(
          isLoosened: isLoosened, who: "anyone", what: "",
          conditions: ["if that takes the \(file) file more than its limits allow"],
          witnesses: [witness]))
    }
  }

  // MARK: Witnesses

  /// A request that both evaluators confirm, made small; nil if they do not.
  func confirmed(
    _ draft: Draft, isLoosened: Bool, within budget: Budget
  ) -> DiffWitness? {
    guard witness(draft, isLoosened: isLoosened, within: budget) != nil else { return nil }
    budget.stage = .shrinking
    var shrinking = Shrinking(within: budget) {
      witness($0, isLoosened: isLoosened, within: budget) != nil
    }
    return witness(shrinking.shrink(draft), isLoosened: isLoosened, within: budget)
  }

  /// A request that the evaluators decide differently; nil if they do not.
  private func witness(
    _ draft: Draft, isLoosened: Bool, within budget: Budget
  ) -> DiffWitness? {
    guard draft.impossibility == nil else { return nil }
    let (request, documents) = (draft.request, draft.documents)
    let (allowing, refusing) = isLoosened ? (newer, older) : (older, newer)
    let prepared = try? PreparedRequest(request, on: documents, profile: old.profile)
    guard let prepared,
      let granted = allowing.decide(prepared, at: draft.path, within: budget), granted.isAllowed,
      let refused = refusing.decide(prepared, at: draft.path, within: budget), !refused.isAllowed,
      draft.isMeant(granted), draft.isMeant(refused),
      allowing.grantsOthers(prepared, at: draft.path, within: budget)
    else { return nil }
    let access =
      granted.accesses.first { $0.access.document == draft.path } ?? granted.accesses.first
    return DiffWitness(
      method: draft.method, request: request, documents: documents, document: draft.path,
      allowing: access?.tried.last?.allow,
      refusing: refused.accesses.last?.tried.map { $0.allow } ?? [],
      verb: draft.method.word + draft.access.suffix)
  }
}

extension Scenario.Access {
  /// How a query reaches a document, if not as a plain query of its collection does.
  fileprivate var suffix: String {
    switch self {
    case .document, .query: ""
    case .namedQuery: " by name"
    case .group: " by collection group"
    }
  }
}

extension PathDiff {
  /// Adds a difference, to those that say the same of another method.
  fileprivate mutating func add(_ difference: AccessChange) {
    let known = differences.firstIndex { $0.saysTheSame(as: difference) }
    guard let known else { return differences.append(difference) }
    for witness in difference.witnesses
    where !differences[known].witnesses.contains(where: { $0.verb == witness.verb }) {
      differences[known].witnesses.append(witness)
    }
  }
}
