import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// One request class: a search in both directions, then an attack where the search found nothing. If
// one difference is enough, searching the other direction and other classes is cheaper than an
// attack, so attacks come last.

extension RulesComparison {
  /// The results for one method, or for one request class where any difference is enough.
  struct Outcome {
    /// True if one difference without a description is enough.
    var isQuick = false
    /// True if a statement of either file may apply to the requests.
    var hasStatements = false
    /// The differences found.
    var found: [AccessChange] = []
    /// The reasons for which there may be more.
    var openReasons: [DiffOpenReason] = []
    /// True if there may be more differences.
    var isPartial = false
    /// True if requests beside those found may have become allowed.
    var mayBeLoosened = false
    /// The attack left to run for one request class if one difference is enough.
    var untried: PendingValidation?

    /// Notes that one direction is undecided.
    mutating func openReason(_ reasons: [DiffOpenReason], isLoosened: Bool) {
      openReasons += reasons
      if isLoosened, !reasons.isEmpty { mayBeLoosened = true }
    }

    /// Adds the result of a search in one direction.
    mutating func add(_ searched: Searched, isLoosened: Bool) {
      found += searched.found
      openReason(searched.openReasons, isLoosened: isLoosened)
      isPartial = isPartial || searched.isPartial
    }

    /// Notes the result of an attack. A hit may not be the only difference, and a search that
    /// missed it proves nothing about the other direction either.
    mutating func noteAttack(isHit: Bool, isMissed: Bool) {
      guard isHit else { return }
      isPartial = true
      if isMissed { mayBeLoosened = true }
    }

    /// The verdict on a method.
    func summary(_ method: Method) -> MethodDiff {
      let isLoosened = found.contains { $0.isLoosened }
      let isTightened = found.contains { !$0.isLoosened }
      let verdict: DiffVerdict =
        switch (isLoosened, isTightened) {
        case (true, true): .changed
        case (true, false): .loosened
        case (false, true): .tightened
        case (false, false): openReasons.isEmpty ? .equivalent : .undecided
        }
      var seen: Set<DiffOpenReason> = []
      return MethodDiff(
        method: method, verdict: verdict,
        openReasons: openReasons.filter { seen.insert($0).inserted },
        isPartial: isPartial || !openReasons.isEmpty, mayBeLoosened: mayBeLoosened)
    }

    /// The first difference found, as the effect of a change.
    var effect: EditEffect? {
      guard let first = found.first, let witness = first.witnesses.first else { return nil }
      return .something(witness, isLoosened: first.isLoosened)
    }
  }

  /// A direction of a comparison: newly allowed or newly denied requests.
  struct Direction {
    /// True for newly allowed requests.
    var isLoosened: Bool
    /// True if the search left this direction undecided, so that a hit of the attack contradicts no
    /// proof.
    var isOpen: Bool
  }

  /// A request class whose attack is pending.
  struct PendingValidation {
    /// The request class.
    var scenario: Scenario
    /// The paths that are left out.
    var except: [[Text?]]
    /// The directions to attack.
    var directions: [Direction]
    /// The steps that one request costs on both files.
    var cost: Int
  }

  /// Compares the decisions of both files on one request class.
  func compare(
    _ scenario: Scenario, except: [[Text?]], in row: DiffRow, structures: inout Structures,
    outcome: inout Outcome
  ) {
    let question = steps == .max ? budget : budget.question(steps: steps)
    defer { question.settle() }
    if question.isOver, let spent = question.openReason {
      guard old.rules.mayBeAsked(scenario) || new.rules.mayBeAsked(scenario) else { return }
      outcome.hasStatements = true
      return outcome.openReason([DiffOpenReason(side: .new, openReason: spent)], isLoosened: true)
    }
    let pair = pair(scenario, except: except)
    let goal = DiffGoal(
      from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
      inWords: !outcome.isQuick, meeting: pair, others: (older.others, newer.others),
      budget: question)
    // A statement that only applies to excepted, more specific paths counts for this row, too: its
    // block has the row's documents in the file as written.
    if !outcome.isQuick, !outcome.hasStatements {
      outcome.hasStatements = old.rules.mayBeAsked(scenario) || new.rules.mayBeAsked(scenario)
    }
    if goal.isSameProgram { return }
    if scenario.isOpen { outcome.openReason(openLengths(goal), isLoosened: true) }
    var directions: [Direction] = []
    var untried: [Direction] = []
    for isLoosened in [true, false] {
      let known = outcome.found.count
      var direction = Direction(isLoosened: isLoosened, isOpen: false)
      let shown = outcome.isQuick ? nil : weigh(&direction, of: goal, outcome: &outcome)
      let stopped = outcome.found.count
      let openReasons = outcome.openReasons.count
      if validation.searches {
        let searched = search(goal, isLoosened: isLoosened, in: row, isQuick: outcome.isQuick) {
          DiffGoal(
            from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
            inWords: !outcome.isQuick, meeting: pair, others: (older.others, newer.others),
            budget: question)
        }
        outcome.add(searched, isLoosened: isLoosened)
      }
      if let shown, outcome.found.count == stopped { outcome.found.append(shown) }
      if outcome.isQuick, !outcome.found.isEmpty { return }
      if outcome.openReasons.count > openReasons { direction.isOpen = true }
      directions.append(direction)
      if !outcome.isQuick, outcome.found.count == known { untried.append(direction) }
    }
    if !outcome.isQuick { tryAll(untried, of: goal, within: question, outcome: &outcome) }
    guard outcome.isQuick, validation.weighs else { return }
    for place in directions.indices {
      weigh(&directions[place], of: goal, outcome: &outcome)
      if !outcome.found.isEmpty { return }
    }
    directions.removeAll { !isWorthTrying($0, within: question) }
    if directions.isEmpty { return }
    outcome.untried = PendingValidation(
      scenario: scenario, except: except, directions: directions, cost: costOfRequest(on: goal))
  }

  /// Attacks the directions in which the search found no difference, each request in all of them at
  /// once. After a hit, the other direction is attacked by itself.
  private func tryAll(
    _ untried: [Direction], of goal: DiffGoal, within question: Budget, outcome: inout Outcome
  ) {
    let directions = untried.filter { isWorthTrying($0, within: question) }
    if directions.isEmpty { return }
    var kind = PendingValidation(
      scenario: goal.scenario, except: goal.except, directions: directions,
      cost: costOfRequest(on: goal))
    let known = outcome.found.count
    attack(kind, within: question, outcome: &outcome)
    guard directions.count > 1, outcome.found.count > known, let shown = outcome.found.last
    else { return }
    kind.directions.removeAll { $0.isLoosened == shown.isLoosened }
    attack(kind, within: question, outcome: &outcome)
  }

  private func isWorthTrying(_ direction: Direction, within question: Budget) -> Bool {
    validation.attacks && (!direction.isOpen || !question.isOver)
  }

  /// The edits that requests of the class, and the other writes of their commits, can reach in both
  /// files; nil unless both are versions of one file, models are searched for, and no statement gets
  /// more methods: its names may not be among those of the shared encoding.
  func pair(_ scenario: Scenario, except: [[Text?]]) -> SharedComparison.Pair? {
    guard let shared, let edits, validation.searches, !edits.old.own.widens, !edits.new.own.widens
    else { return nil }
    return SharedComparison.Pair(
      old: shared.met(edits.old, by: scenario, except: except),
      new: shared.met(edits.new, by: scenario, except: except))
  }

  // MARK: Trying requests

  /// The steps that one request of the class costs on both files.
  func costOfRequest(on goal: DiffGoal) -> Int {
    [DiffSide.old, .new].reduce(0) { cost, side in
      let half = goal.half(side)
      return cost + half.compiler.stepsToDecide(by: half.statements)
    }
  }

  /// The engines that decide this request class: the attack's own, whose decisions are known, where
  /// requests reach no edit.
  func asked(_ kind: PendingValidation) -> (old: Engine, new: Engine) {
    let old = likeOlder ?? old
    guard let pair = pair(kind.scenario, except: kind.except), attack.engine.rules === shared?.rules
    else { return (old, new) }
    return (
      pair.old.isItself ? attack.engine : old, pair.new.isItself ? attack.engine : new
    )
  }

  /// Attacks a request class in which the search found no difference.
  ///
  /// - Parameters:
  ///   - kind: The class and the directions to attack.
  ///   - kinds: The number of classes that share the effort.
  ///   - question: The budget.
  ///   - outcome: Receives differences and open reasons.
  func attack(
    _ kind: PendingValidation, among kinds: Int = 1, within question: Budget, outcome: inout Outcome
  ) {
    let count = validation.requests(kinds: kinds)
    // Each version is compiled for the machine as far as it concerns the class.
    question.charge(ValidationPolicy.cost(requests: count, steps: kind.cost) + 8 * kind.cost)
    let directions = kind.directions
    let (older, newer) = asked(kind)
    var hasStrays = false
    let difference = attack.difference(
      from: older, to: newer,
      isMeant: { isLoosened in
        directions.contains { $0.isLoosened == isLoosened }
      }, in: kind.scenario, except: kind.except, count: count, within: question
    ) { candidate -> (Direction, DiffWitness)? in
      for direction in directions {
        let found = confirmed(candidate, isLoosened: direction.isLoosened, within: question)
        if let found { return (direction, found) }
        hasStrays =
          hasStrays || isStray(candidate, isLoosened: direction.isLoosened, within: question)
      }
      return nil
    }
    if hasStrays {
      let reason =
        "a generated request refutes an earlier answer that a part is redundant; this is a "
        + "defect of rules-check: please report it with the file"
      outcome.openReason(
        [DiffOpenReason(side: .new, openReason: OpenReason(reason))], isLoosened: true)
    }
    guard let (candidate, (direction, found)) = difference else {
      // An attack that the time limit cut short proves nothing.
      guard let late = question.lateness else { return }
      for each in directions {
        outcome.openReason(
          [DiffOpenReason(side: .new, openReason: OpenReason(late.reason))],
          isLoosened: each.isLoosened)
      }
      return
    }
    var witness = found
    if !direction.isOpen {
      witness.missed = FailedReplay(
        missed: candidate, expect: direction.isLoosened ? .allow : .deny)
    }
    outcome.found.append(AccessChange(isLoosened: direction.isLoosened, like: witness))
    outcome.noteAttack(isHit: true, isMissed: !direction.isOpen)
  }
  /// True if the request distinguishes the newer file from `likeOlder`. Called for requests that do not
  /// distinguish it from the older file, so these refute the proof that both are equivalent.
  private func isStray(_ candidate: CandidateRequest, isLoosened: Bool, within question: Budget)
    -> Bool
  {
    guard let likeOlder else { return false }
    let other = RulesComparison(
      from: ComparedRules(engine: likeOlder), to: newer, sharing: attack, within: question)
    return other.isWitness(candidate, isLoosened: isLoosened, within: question)
  }
}
