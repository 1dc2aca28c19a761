import RulesEncoding
package import RulesEval
import RulesLang
package import RulesSolver

// Compares two rules files row by row, method by method and request class by request class. As with
// claims, each model of the search becomes a request that both evaluators decide, and only confirmed
// differences are reported. The literals of conditions that suffice for the difference, a *cube*, are
// read off the model, minimized, described in words and excluded by a blocking clause; the search goes
// on until it is unsatisfiable or has found enough cubes.
//
// Sound in both directions: a difference is reported only with a request that both evaluators decided
// differently; "equivalent" only if both directions of every class are unsatisfiable, no limit can
// matter, and no generated request shows a difference. Not complete: everything else is reported as
// undecided, with its reasons.

/// A comparison of two rules files; its contract is at the head of the file.
package struct RulesComparison {
  /// The engine of the older file.
  package var old: Engine { older.engine }
  /// The engine of the newer file.
  package var new: Engine { newer.engine }
  let older: ComparedRules
  let newer: ComparedRules
  /// The validation policy: how thoroughly an unsatisfiable result is tested before it counts as a
  /// proof.
  let validation: ValidationPolicy
  let attack: Attack
  /// The budget of the whole comparison.
  let budget: Budget
  /// Maximum steps for each request class, which are charged to the budget.
  let steps: Int
  /// True to describe a difference by the clients that were and are allowed, if that fits into a sentence;
  /// false to describe the requests themselves.
  package var saysWhoCan = true
  /// The results shared by comparisons of versions of one file; nil if there are none.
  var shared: SharedComparison?
  /// The edits of both versions against the base file; nil unless both were made by editing its tree.
  var edits: (old: SharedComparison.VersionEdits, new: SharedComparison.VersionEdits)?
  /// An engine proved equivalent to the older file; nil if there is none. Attacks evaluate it instead
  /// of the older file, which also tests that proof.
  var likeOlder: Engine?
  /// True if differing requests are shrunk before they are reported.
  var shrinks = true
  /// The effort policy, which may learn from earlier comparisons.
  var policy = EffortPolicy(isShared: false)

  /// Makes a comparison in which each request class may use `steps` of the budget. Comparisons of
  /// versions of one file may share an attack.
  package init(
    from old: Engine, to new: Engine, sharing attack: Attack? = nil,
    validation: ValidationPolicy = ValidationPolicy(),
    within budget: Budget = Budget(), steps: Int = .max
  ) {
    self.init(
      from: ComparedRules(engine: old), to: ComparedRules(engine: new), sharing: attack,
      validation: validation,
      within: budget, steps: steps)
  }

  /// Makes a comparison of rules, each of which may leave the other writes of a commit to other rules
  /// (`OtherWrites`).
  init(
    from older: ComparedRules, to newer: ComparedRules, sharing attack: Attack? = nil,
    validation: ValidationPolicy = ValidationPolicy(), within budget: Budget = Budget(),
    steps: Int = .max
  ) {
    self.older = older
    self.newer = newer
    self.attack = attack ?? Attack(older.engine, comparing: [newer.engine])
    self.validation = validation
    self.budget = budget
    self.steps = steps
  }

  /// Compares the files pattern by pattern; patterns that neither file has a statement for are left
  /// out.
  package func run() -> [PathDiff] {
    var structures = Structures()
    var found = DiffRow.all(from: old.rules, to: new.rules, within: budget).compactMap { row in
      compare(row, structures: &structures).map { (row: row, diff: $0) }
    }
    // Checks come last, so that no verdict depends on them.
    for place in found.indices {
      let methods = found[place].diff.methods.filter { $0.isProvedEquivalent }.map { $0.method }
      if methods.isEmpty { continue }
      let objections = objections(to: methods, in: found[place].row)
      for index in found[place].diff.methods.indices {
        let method = found[place].diff.methods[index].method
        guard methods.contains(method) else { continue }
        found[place].diff.methods[index].unchecked = objections[method]
      }
    }
    return found.map { $0.diff }
  }

  /// Looks for the first difference, without describing it. Except for a few cheap requests, generated
  /// requests are only tried after no search has found a difference in any class.
  func effect() -> EditEffect {
    var structures = Structures(sharing: shared)
    var openReasons: [DiffOpenReason] = []
    var untried: [(kind: PendingValidation, pair: SharedComparison.Pair?)] = []
    let changed = changedStatements(&structures)
    var kinds = ComparedKinds(changed)
    for row in rows(changed) {
      for (path, except) in row.paths {
        for whole in Scenario.all(
          with: Method.allCases, on: [path], open: row.open, rules: new.rules)
        {
          guard let scenario = kinds.next(whole, except: except) else { continue }
          if let spent = budget.openReason {
            return .unknown(openReasons + [DiffOpenReason(side: .old, openReason: spent)])
          }
          let pair = pair(scenario, except: except)
          if let pair, pair.isSameProgram { continue }
          if let pair, !validation.weighs, let isAlike = shared?.seemAlike(pair) {
            if isAlike { continue }
            return .unknown(openReasons)
          }
          if let pair, let (isKnown, kind) = shared?.areAlike(pair), isKnown {
            if let kind { untried.append((kind, pair)) }
            continue
          }
          var outcome = Outcome(isQuick: true)
          compare(scenario, except: except, in: row, structures: &structures, outcome: &outcome)
          if let pair, !validation.weighs {
            shared?.noteSeeming(pair, isAlike: outcome.found.isEmpty && outcome.openReasons.isEmpty)
          }
          if let effect = outcome.effect { return effect }
          for openReason in outcome.openReasons where !openReasons.contains(openReason) {
            openReasons.append(openReason)
          }
          if let pair, outcome.openReasons.isEmpty, validation.concludes {
            shared?.noteAlike(pair, untried: outcome.untried)
          }
          if let kind = outcome.untried { untried.append((kind, pair)) }
        }
      }
    }
    let pace = Self.pace(of: untried.count)
    // The kinds passed over stay untried for later comparisons.
    for (place, (kind, pair)) in untried.enumerated() where place.isMultiple(of: pace) {
      var outcome = Outcome(isQuick: true)
      attack(kind, among: untried.count / pace, within: budget, outcome: &outcome)
      if let effect = outcome.effect { return effect }
      if let pair, outcome.openReasons.isEmpty { shared?.noteAttacked(pair) }
      for openReason in outcome.openReasons where !openReasons.contains(openReason) {
        openReasons.append(openReason)
      }
    }
    return openReasons.isEmpty ? .nothing : .unknown(openReasons)
  }

  /// True if it is proved that each request that meets an error in the newer file also meets one in the
  /// older file, evaluation limits aside.
  func failsNoMore() -> Bool {
    // Statements beyond the limits are left out of comparisons, and so are their errors.
    for side in [DiffSide.old, .new] {
      var costs = LeastCost(engine(side).rules)
      if !costs.beyondLimit().isEmpty { return false }
    }
    var structures = Structures(sharing: shared)
    var untried: [PendingValidation] = []
    let changed = changedStatements(&structures)
    var kinds = ComparedKinds(changed)
    for row in rows(changed) {
      for (path, except) in row.paths {
        for whole in Scenario.all(
          with: Method.allCases, on: [path], open: row.open, rules: new.rules)
        {
          guard let scenario = kinds.next(whole, except: except) else { continue }
          if budget.isSpent { return false }
          let pair = pair(scenario, except: except)
          if let pair, pair.isSameProgram { continue }
          let diff = DiffGoal(
            from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
            withErrors: true, meeting: pair,
            others: (older.others, newer.others), budget: budget)
          if diff.isSameProgram || diff.old.fails == diff.new.fails { continue }
          if validation.searches {
            let difference = diff.row + [!diff.old.fails, diff.new.fails]
            if !isImpossible(difference, in: diff) { return false }
          }
          untried.append(
            PendingValidation(
              scenario: scenario, except: except, directions: [], cost: costOfRequest(on: diff)))
        }
      }
    }
    let pace = Self.pace(of: untried.count)
    return !validation.attacks
      || untried.enumerated().allSatisfy { place, kind in
        !place.isMultiple(of: pace)
          || !mayFailMore(kind, among: untried.count / pace)
      }
  }

  /// The stride over request classes to attack, by which at most `Strategy.attackedKinds` are attacked:
  /// preparing a version for a class costs more than further requests of another class.
  private static func pace(of kinds: Int) -> Int {
    (kinds + Strategy.attackedKinds - 1) / Strategy.attackedKinds
  }

  /// True if an attack finds a request that meets an error in the newer file alone, or if the time ran
  /// out.
  private func mayFailMore(_ kind: PendingValidation, among kinds: Int) -> Bool {
    let count = validation.requests(kinds: kinds)
    budget.charge(ValidationPolicy.cost(requests: count, steps: kind.cost) + 8 * kind.cost)
    let (old, new) = asked(kind)
    let fails = attack.failsMore(
      from: old, to: new, in: kind.scenario, except: kind.except, count: count, within: budget)
    return fails || budget.lateness != nil
  }

  private func changedStatements(_ structures: inout Structures) -> ChangedStatements {
    if let shared, let edits {
      return ChangedStatements(
        shared.statements(touchedBy: changes(edits)),
        from: old.rules,
        to: new.rules)
    }
    budget.charge(20 * (old.rules.ruleset.expressions.count + new.rules.ruleset.expressions.count))
    return ChangedStatements(from: old.rules, to: new.rules, structures: &structures)
  }

  /// Returns the edits that only one of two versions has.
  private func changes(
    _ edits: (old: SharedComparison.VersionEdits, new: SharedComparison.VersionEdits)
  ) -> Set<RulesEdit> {
    edits.old.own.all.symmetricDifference(edits.new.own.all)
  }

  private func rows(_ changed: ChangedStatements) -> [DiffRow] {
    if let shared, edits != nil { return shared.rows { changed.concern($0) } }
    return DiffRow.all(from: old.rules, to: new.rules, within: budget, concerning: changed)
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

  /// The engine of the given file.
  func engine(_ side: DiffSide) -> Engine { side == .old ? old : new }

  /// The expressions by which a condition could distinguish path lengths, of which only some are
  /// examined.
  func openLengths(_ goal: DiffGoal) -> [DiffOpenReason] {
    [DiffSide.old, .new].flatMap { side -> [DiffOpenReason] in
      let rules = engine(side).rules
      var uses = PathUses(rules)
      for statement in goal.half(side).statements {
        let allow = rules.ruleset[statement.allow]
        if let condition = allow.condition {
          uses.add(condition, globs: rules.matches[allow.match.index].globs, local: nil)
        }
      }
      return uses.places.map {
        DiffOpenReason(side: side, openReason: OpenReason(Compiler.openLength, at: $0))
      }
    }
  }

  // MARK: Witnesses

  /// Returns a difference that both evaluators confirm, with a smaller request if `shrinks`; nil if
  /// they do not confirm it.
  func confirmed(
    _ candidate: CandidateRequest, isLoosened: Bool, within budget: Budget
  ) -> DiffWitness? {
    let found = witness(candidate, isLoosened: isLoosened, within: budget)
    if found == nil || !shrinks { return found }
    budget.stage = .shrinking
    var shrinking = Shrinking(within: budget) {
      witness($0, isLoosened: isLoosened, within: budget) != nil
    }
    let smallest = shrinking.shrink(candidate)
    var shown = witness(smallest, isLoosened: isLoosened, within: budget)
    shown?.circumstances = Circumstances(of: smallest) {
      witness($0, isLoosened: isLoosened, within: Budget()) != nil
    }
    return shown
  }

  /// True if one file allows the request and the other denies it, in the given direction.
  func isWitness(_ candidate: CandidateRequest, isLoosened: Bool, within budget: Budget) -> Bool {
    witness(candidate, isLoosened: isLoosened, within: budget) != nil
  }

  /// Runs both evaluators on a request.
  /// - Returns: Nil unless the request is possible, one file allows it with its whole commit, and the
  ///   other denies it.
  private func witness(
    _ candidate: CandidateRequest, isLoosened: Bool, within budget: Budget
  ) -> DiffWitness? {
    guard candidate.impossibility == nil else { return nil }
    let (request, documents) = (candidate.request, candidate.documents)
    let (allowing, refusing) = isLoosened ? (newer, older) : (older, newer)
    let prepared = try? PreparedRequest(
      request, on: documents, in: old.rules.database, profile: old.profile)
    guard let prepared,
      let granted = allowing.decide(prepared, at: candidate.path, within: budget),
      granted.isAllowed,
      let refused = refusing.decide(prepared, at: candidate.path, within: budget),
      !refused.isAllowed,
      candidate.isMeant(granted), candidate.isMeant(refused),
      allowing.grantsOthers(prepared, at: candidate.path, within: budget)
    else { return nil }
    let access =
      granted.accesses.first { $0.access.document == candidate.path } ?? granted.accesses.first
    return DiffWitness(
      method: candidate.method, request: request, documents: documents, document: candidate.path,
      fields: candidate.changedFields, allowing: access?.tried.last?.allow,
      refusing: refused.accesses.last?.tried.map { $0.allow } ?? [],
      verb: candidate.method.word + candidate.access.suffix)
  }
}

extension Scenario.Access {
  /// The kind of query in words; empty for a document access or a plain query.
  fileprivate var suffix: String {
    switch self {
    case .document, .query: ""
    case .namedQuery: " by name"
    case .group: " by collection group"
    }
  }
}

extension PathDiff {
  /// Adds a difference, merging it with an equal one of another method.
  fileprivate mutating func add(_ difference: AccessChange) {
    let known = differences.firstIndex { $0.saysTheSame(as: difference) }
    guard let known else { return differences.append(difference) }
    for witness in difference.witnesses
    where !differences[known].witnesses.contains(where: { $0.verb == witness.verb }) {
      differences[known].witnesses.append(witness)
    }
  }
}
