import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// One kind of request: a search in both directions, and requests that are tried where it has found
// nothing. Where one difference is enough, a search of the other direction is cheaper than to try
// requests, and so are searches of other kinds; so what is to be tried is left to the end.

extension RulesComparison {
  /// What was found out about one method.
  struct Outcome {
    /// Whether one difference is enough, without words.
    var isQuick = false
    /// Whether a statement is for the requests at all.
    var hasStatements = false
    /// The differences.
    var found: [AccessChange] = []
    /// Why there may be more.
    var doubts: [DiffDoubt] = []
    /// Whether there may be more.
    var isPartial = false
    /// Whether something that is not known of could have become allowed.
    var mayBeLoosened = false
    /// What is left to be tried of one kind of request, where one difference is enough.
    var untried: UntriedKind?

    /// Notes that one direction could not be decided.
    mutating func doubt(_ reasons: [DiffDoubt], isLoosened: Bool) {
      doubts += reasons
      if isLoosened, !reasons.isEmpty { mayBeLoosened = true }
    }

    /// Adds what a search came to in one direction.
    mutating func add(_ searched: Searched, isLoosened: Bool) {
      found += searched.found
      doubt(searched.doubts, isLoosened: isLoosened)
      isPartial = isPartial || searched.isPartial
    }

    /// Notes what came of an attack: there may be more than it has hit, and a search that has missed
    /// a difference of one direction proves nothing about the other.
    mutating func noteAttack(isHit: Bool, isMissed: Bool) {
      guard isHit else { return }
      isPartial = true
      if isMissed { mayBeLoosened = true }
    }

    /// What the verdict on a method is.
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

    /// The difference that was found, as the effect of a change.
    var effect: EditEffect? {
      guard let first = found.first, let witness = first.witnesses.first else { return nil }
      return .something(witness, isLoosened: first.isLoosened)
    }
  }

  /// A direction of a comparison.
  struct Direction {
    /// Whether it is about what became allowed.
    var isLoosened: Bool
    /// Whether something is left open: of that nobody has said that it is alike.
    var isOpen: Bool
  }

  /// A kind of request in which no search has found a difference.
  struct UntriedKind {
    /// The kind.
    var scenario: Scenario
    /// The paths that are not meant.
    var except: [[Text?]]
    /// The directions that are to be tried.
    var directions: [Direction]
    /// What it costs to try one request on both files.
    var cost: Int
    /// How many requests the question is worth.
    var worth: Int
    /// So many requests of the kind were tried before the search.
    var tried = 0
  }

  /// Compares what both files say to one kind of request.
  func compare(
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
    let pair = pair(scenario, except: except)
    let goal = DiffGoal(
      from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
      inWords: !outcome.isQuick, meeting: pair, others: (older.others, newer.others),
      budget: question)
    // A statement for paths with rows of their own is one for those of this row, as the file says it.
    if !outcome.isQuick, !outcome.hasStatements {
      outcome.hasStatements = old.rules.mayBeAsked(scenario) || new.rules.mayBeAsked(scenario)
    }
    if goal.isSameProgram { return }
    if scenario.isOpen { outcome.doubt(openLengths(goal), isLoosened: true) }
    let tried = outcome.isQuick ? tryFirst(goal, within: question, outcome: &outcome) : 0
    if outcome.isQuick, !outcome.found.isEmpty { return }
    var directions: [Direction] = []
    var untried: [Direction] = []
    for isLoosened in [true, false] {
      let known = outcome.found.count
      var direction = Direction(isLoosened: isLoosened, isOpen: false)
      let denied = outcome.isQuick ? nil : weigh(&direction, of: goal, outcome: &outcome)
      let stopped = outcome.found.count
      let doubts = outcome.doubts.count
      if scrutiny.searches {
        let searched = search(goal, isLoosened: isLoosened, in: row, isQuick: outcome.isQuick) {
          DiffGoal(
            from: old.rules, to: new.rules, in: scenario, except: except, structures: &structures,
            inWords: !outcome.isQuick, meeting: pair, others: (older.others, newer.others),
            budget: question)
        }
        outcome.add(searched, isLoosened: isLoosened)
      }
      if let denied, outcome.found.count == stopped { outcome.found.append(denied) }
      if outcome.isQuick, !outcome.found.isEmpty { return }
      if outcome.doubts.count > doubts { direction.isOpen = true }
      directions.append(direction)
      if !outcome.isQuick, outcome.found.count == known { untried.append(direction) }
    }
    if !outcome.isQuick { tryAll(untried, of: goal, within: question, outcome: &outcome) }
    guard outcome.isQuick, scrutiny.weighs else { return }
    for place in directions.indices {
      weigh(&directions[place], of: goal, outcome: &outcome)
      if !outcome.found.isEmpty { return }
    }
    directions.removeAll { !isWorthTrying($0, within: question) }
    if directions.isEmpty { return }
    outcome.untried = UntriedKind(
      scenario: scenario, except: except, directions: directions, cost: costOfRequest(on: goal),
      worth: Scrutiny.worth(of: goal.goal), tried: tried)
  }

  /// Tries requests on the directions in which no search has found a difference, each request on all of them
  /// at once. Where one shows a difference, the other direction is tried by itself.
  private func tryAll(
    _ untried: [Direction], of goal: DiffGoal, within question: Budget, outcome: inout Outcome
  ) {
    let directions = untried.filter { isWorthTrying($0, within: question) }
    if directions.isEmpty { return }
    var kind = UntriedKind(
      scenario: goal.scenario, except: goal.except, directions: directions,
      cost: costOfRequest(on: goal), worth: Scrutiny.worth(of: goal.goal))
    let known = outcome.found.count
    attack(kind, within: question, outcome: &outcome)
    guard directions.count > 1, outcome.found.count > known, let shown = outcome.found.last
    else { return }
    kind.directions.removeAll { $0.isLoosened == shown.isLoosened }
    attack(kind, within: question, outcome: &outcome)
  }

  /// Tries some requests before the search where that is cheap beside it and one difference is enough,
  /// however it looks; the number of those that were tried.
  private func tryFirst(_ goal: DiffGoal, within question: Budget, outcome: inout Outcome) -> Int {
    guard !shrinks, scrutiny.concludes, Scrutiny.worth(of: goal.goal) >= Scrutiny.leastRequests
    else { return 0 }
    // A request that shows the difference is no failure of a search that was not made.
    let directions = [true, false].map { Direction(isLoosened: $0, isOpen: true) }
    let kind = UntriedKind(
      scenario: goal.scenario, except: goal.except, directions: directions,
      cost: costOfRequest(on: goal), worth: 0)
    attack(kind, count: Scrutiny.fewestRequests, within: question, outcome: &outcome)
    return Scrutiny.fewestRequests
  }

  private func isWorthTrying(_ direction: Direction, within question: Budget) -> Bool {
    scrutiny.attacks && (!direction.isOpen || !question.isOver)
  }

  /// What requests of a kind, and the other writes of their commits, meet of both files, if these are
  /// versions of one.
  func pair(_ scenario: Scenario, except: [[Text?]]) -> SharedComparison.Pair? {
    guard let shared, let edits, scrutiny.searches else { return nil }
    return SharedComparison.Pair(
      old: shared.met(edits.old, by: scenario, except: except),
      new: shared.met(edits.new, by: scenario, except: except))
  }

  // MARK: Trying requests

  /// What it costs to try a request on what both files say to its kind.
  func costOfRequest(on goal: DiffGoal) -> Int {
    [DiffSide.old, .new].reduce(0) { cost, side in
      let half = goal.half(side)
      return cost + half.compiler.stepsToDecide(by: half.statements)
    }
  }

  /// Who is asked about requests of a kind: the file itself, of which the answers are known, where requests
  /// meet no change of a version.
  func asked(_ kind: UntriedKind) -> (old: Engine, new: Engine) {
    let old = likeOlder ?? old
    guard let pair = pair(kind.scenario, except: kind.except), areVersions
    else { return (old, new) }
    return (
      pair.old.isItself ? attack.engine : old, pair.new.isItself ? attack.engine : new
    )
  }

  /// Whether both files are versions of the one that the attack was prepared for, with changes made in the
  /// tree.
  var areVersions: Bool { edits != nil && attack.engine.rules === shared?.rules }

  /// Looks for a difference among the requests of an attack, where the search found none.
  ///
  /// - Parameters:
  ///   - kind: What is left to be tried.
  ///   - kinds: How many such kinds there are.
  ///   - question: What it may cost.
  ///   - outcome: Gets what comes of it.
  func attack(
    _ kind: UntriedKind, among kinds: Int = 1, within question: Budget, outcome: inout Outcome
  ) {
    let count = scrutiny.requests(worth: kind.worth, kinds: kinds)
    if count > kind.tried { attack(kind, count: count, within: question, outcome: &outcome) }
  }

  private func attack(
    _ kind: UntriedKind, count: Int, within question: Budget, outcome: inout Outcome
  ) {
    // Each version is compiled for the machine, as far as it is for the kind.
    question.charge(Scrutiny.cost(requests: count, steps: kind.cost) + 8 * kind.cost)
    let directions = kind.directions
    let (older, newer) = asked(kind)
    var hasStrays = false
    let difference = attack.difference(
      from: older, to: newer, areVersions: areVersions,
      isMeant: { isLoosened in
        directions.contains { $0.isLoosened == isLoosened }
      }, in: kind.scenario, except: kind.except, count: count, within: question
    ) { draft -> (Direction, DiffWitness)? in
      for direction in directions {
        let found = confirmed(draft, isLoosened: direction.isLoosened, within: question)
        if let found { return (direction, found) }
        hasStrays =
          hasStrays || isStray(draft, isLoosened: direction.isLoosened, within: question)
      }
      return nil
    }
    if hasStrays {
      let reason =
        "what was found before to decide nothing is seen to decide; this is a defect of rules-check: "
        + "please report it with the file"
      outcome.doubt([DiffDoubt(side: .new, doubt: Doubt(reason))], isLoosened: true)
    }
    guard let (draft, (direction, found)) = difference else {
      // An attack that was broken off has shown nothing.
      guard let late = question.lateness else { return }
      for each in directions {
        outcome.doubt(
          [DiffDoubt(side: .new, doubt: Doubt(late.reason))], isLoosened: each.isLoosened)
      }
      return
    }
    var witness = found
    if !direction.isOpen {
      witness.missed = FailedReplay(
        missed: draft, expect: direction.isLoosened ? .allow : .deny)
    }
    outcome.found.append(AccessChange(isLoosened: direction.isLoosened, like: witness))
    outcome.noteAttack(isHit: true, isMissed: !direction.isOpen)
  }
  /// Whether a request that both files decide alike is decided otherwise by what was proved to decide as the
  /// older one does.
  private func isStray(_ draft: Draft, isLoosened: Bool, within question: Budget) -> Bool {
    guard let likeOlder else { return false }
    let other = RulesComparison(
      from: ComparedRules(engine: likeOlder), to: newer, sharing: attack, within: question)
    return other.isWitness(draft, isLoosened: isLoosened, within: question)
  }
}
