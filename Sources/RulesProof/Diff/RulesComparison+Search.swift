import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// The search for differences in one direction of a request class: models are generalized to cubes,
// which are excluded by blocking clauses until the query is unsatisfiable or there are
// `Strategy.columns`.

extension RulesComparison {
  /// The result of a search in one direction.
  struct Searched {
    var found: [AccessChange] = []
    var openReasons: [DiffOpenReason] = []
    var isPartial = false
  }

  /// Searches, and searches again with a new encoding if that may resolve the open reasons of the first
  /// attempt.
  func search(
    _ diff: DiffGoal, isLoosened: Bool, in row: DiffRow, isQuick: Bool,
    again: () -> DiffGoal
  ) -> Searched {
    let first = search(diff, isLoosened: isLoosened, in: row, isQuick: isQuick, thorough: false)
    guard first.openReasons.contains(where: { $0.openReason.mayEndBetter }), policy.retries
    else { return first }
    let second = search(again(), isLoosened: isLoosened, in: row, isQuick: isQuick, thorough: true)
    let isBetter = second.openReasons.isEmpty || first.found.isEmpty && !second.found.isEmpty
    return isBetter ? second : first
  }

  private func search(
    _ diff: DiffGoal, isLoosened: Bool, in row: DiffRow, isQuick: Bool, thorough: Bool
  ) -> Searched {
    var searched = Searched()
    if diff.old.allows == diff.new.allows { return searched }
    let goal = diff.goal
    let roots = diff.roots(isLoosened: isLoosened)
    if isQuick, let early = early(diff, isLoosened: isLoosened, roots: roots) { return early }
    let world = diff.assumed(isLoosened: isLoosened)
    var cubes: [FoundCube] = []
    var ruledOut: [Ref] = []
    var loop = CounterexampleSearch<DiffOpenReason>(
      goal, thorough: thorough, probes: policy.probes)
    var isOpen = true
    while isOpen {
      let step = loop.next(roots + ruledOut) { candidate in
        confirmed(candidate, isLoosened: isLoosened, within: goal.budget)
      } decides: { candidate in
        [old, new].allSatisfy {
          (try? $0.decide(candidate.request, on: candidate.documents)) != nil
        }
      } reasons: { search, candidate in
        openReasons(of: diff, isLoosened: isLoosened, about: search, candidate: candidate)
      }
      switch step {
      case .refuted: isOpen = false
      case .open(let reasons, let exhaustion):
        searched.openReasons = openReasons(reasons, exhaustion: exhaustion, of: goal)
        policy.note(isOpen: true)
        isOpen = false
      case .confirmed(let witness, let search):
        if search == nil { policy.note(isOpen: false) }
        if isQuick {
          searched.found = [AccessChange(isLoosened: isLoosened, witness)]
          return searched
        }
        guard let search else {
          // The model is only close to the request found, so there is no cube to describe, and the
          // request may belong to a difference already found.
          if cubes.isEmpty {
            searched.found.append(AccessChange(isLoosened: isLoosened, like: witness))
          }
          (searched.openReasons, searched.isPartial, isOpen) = (loop.openReasons, true, false)
          continue
        }
        let reasons = justified(diff, isLoosened: isLoosened, in: search)
        let cube = generalized(reasons, of: goal, roots: roots, row: world)
        cubes.append(
          FoundCube(
            cube: cube, witness: witness,
            granting: reasons.filter { $0.side == (isLoosened ? .new : .old) }))
        ruledOut.append(!goal.compiler.problem.graph.and(cube.map { $0.ref }))
        if cubes.count < Strategy.columns { continue }
        (searched.openReasons, searched.isPartial, isOpen) = (loop.openReasons, true, false)
      }
    }
    searched.found += inWords(
      irredundant(cubes, of: goal, row: world), of: diff, isLoosened: isLoosened, in: row)
    return searched
  }

  /// Searches before all axioms about requests have been added, for one difference without a
  /// description: an unsatisfiable query stays so, and a confirmed request is a difference.
  /// - Returns: Nil if neither is reached.
  private func early(_ diff: DiffGoal, isLoosened: Bool, roots: [Ref]) -> Searched? {
    let goal = diff.goal
    if goal.compiler.isClosed || roots.contains(.no) { return nil }
    if let common = diff.common {
      let assumptions = diff.assumptions(isLoosened: isLoosened)
      let usual = goal.usual
      // Most unsatisfiable queries are so without the axioms that hold of every request.
      var isPossible = false
      for isWhole in common.isWhole ? [true] : [false, true] {
        func searched(for roots: [Ref]) -> (search: SearchResult, result: Search.Result)? {
          common.search(
            for: roots, of: goal.compiler.problem, isWhole: isWhole,
            conflicts: SearchStrategy.fewConflicts)
        }
        guard let (search, result) = searched(for: assumptions), result != .givenUp else { break }
        let outcome = outcome(of: search, result, isLoosened: isLoosened, for: goal)
        if let outcome { return outcome }
        isPossible = true
        if !usual.isEmpty, let (search, result) = searched(for: assumptions + usual),
          result == .satisfiable,
          let outcome = self.outcome(of: search, result, isLoosened: isLoosened, for: goal)
        {
          return outcome
        }
        if isWhole, !shrinks, let stopped = stopped(search, isLoosened: isLoosened, for: diff) {
          return stopped
        }
      }
      // Another search with fewer axioms would show no more.
      if isPossible, shrinks { return nil }
    }
    let (search, result) = goal.searchKnown(
      for: roots, within: .brief, thorough: false)
    return outcome(of: search, result, isLoosened: isLoosened, for: goal)
  }

  /// Returns the open reasons of a model whose request a limit stops in the file that should allow it; nil
  /// if none stops it.
  private func stopped(
    _ search: SearchResult, isLoosened: Bool, for diff: DiffGoal
  ) -> Searched? {
    let (side, rules) = isLoosened ? (DiffSide.new, newer) : (.old, older)
    let half = diff.half(side)
    guard let candidate = Model(of: search, for: diff.goal.compiler).candidate(),
      isStopped(candidate, by: rules, within: diff.goal.budget)
    else { return nil }
    let costs = half.compiler.costs(of: half.statements)
    return costs.isEmpty
      ? nil : Searched(openReasons: costs.map { DiffOpenReason(side: side, openReason: $0) })
  }

  /// True if a limit stops a condition while the rules decide the request.
  func isStopped(_ candidate: CandidateRequest, by rules: ComparedRules, within budget: Budget)
    -> Bool
  {
    let prepared = try? PreparedRequest(
      candidate.request, on: candidate.documents, in: rules.engine.rules.database,
      profile: rules.engine.profile)
    guard let prepared else { return false }
    return rules.decide(prepared, at: candidate.path, within: budget)?.isStoppedByLimit ?? false
  }

  /// True if it is proved that no request of the class satisfies the roots.
  func isImpossible(_ roots: [Ref], in diff: DiffGoal) -> Bool {
    let known = diff.common?.search(
      for: roots, of: diff.goal.compiler.problem, isWhole: true,
      conflicts: SearchStrategy.fewConflicts)
    if known?.result == .unsatisfiable { return true }
    return diff.goal.search(for: roots, within: .brief).result
      == .unsatisfiable
  }

  /// Returns the result of a preliminary search; nil if it is inconclusive.
  private func outcome(
    of search: SearchResult, _ result: Search.Result, isLoosened: Bool, for goal: Goal
  ) -> Searched? {
    switch result {
    case .unsatisfiable: return Searched()
    case .givenUp: return nil
    case .satisfiable:
      // Requests that are shown come from the complete search.
      guard !shrinks, let candidate = Model(of: search, for: goal.compiler).candidate(),
        let witness = confirmed(candidate, isLoosened: isLoosened, within: goal.budget)
      else { return nil }
      return Searched(found: [AccessChange(isLoosened: isLoosened, witness)])
    }
  }

  /// A cube with the request that it was found by.
  private struct FoundCube {
    var cube: [CubeLiteral]
    var witness: DiffWitness
    /// The literals that make the allowing file grant the request.
    var granting: [CubeLiteral]
  }

  /// Describes the cubes, without repeating equal descriptions.
  private func inWords(
    _ cubes: [FoundCube], of diff: DiffGoal, isLoosened: Bool, in row: DiffRow
  ) -> [AccessChange] {
    if cubes.isEmpty { return [] }
    let world = diff.assumed(isLoosened: isLoosened)
    let words = DiffWording(of: diff, at: row.text, in: world)
    let other = diff.goal.search(
      for: diff.roots(isLoosened: !isLoosened), within: .brief)
    let isOnly = other.1 == .unsatisfiable
    let allows = diff.half(isLoosened ? .new : .old).allows
    var found: [AccessChange] = []
    for each in cubes {
      let granting = generalized(each.granting, of: diff.goal, roots: [allows], row: world)
      // The cube may be wider than one statement's grant. Then only its own literals describe all of it.
      let isDescribed =
        !isLoosened
        || isImpossible(
          each.cube.map { $0.ref } + world
            + [!diff.goal.compiler.problem.graph.and(granting.map { $0.ref })], in: diff)
      var change =
        (saysWhoCan && isDescribed
          ? words.change(granting, isLoosened: isLoosened, isOnly: isOnly, witness: each.witness)
          : nil) ?? words.difference(each.cube, isLoosened: isLoosened, witness: each.witness)
      change.isOfRest = row.isOfRest
      if !found.contains(where: { $0.saysTheSame(as: change) }) { found.append(change) }
    }
    return found
  }

  /// Completes the reasons for an undecided query (`Goal.openReasons`). Limits of the search are attributed
  /// to the newer file.
  private func openReasons(
    _ known: [DiffOpenReason], exhaustion: SearchExhaustion?, of goal: Goal
  ) -> [DiffOpenReason] {
    let open = exhaustion == .refinements ? known.filter { $0.openReason.replay == nil } : known
    let more = goal.openReasons(open.map { $0.openReason }, exhaustion: exhaustion).dropFirst(
      open.count)
    return open + more.map { DiffOpenReason(side: .new, openReason: $0) }
  }

  /// Returns the literals of both files that suffice for the difference in a model.
  private func justified(
    _ diff: DiffGoal, isLoosened: Bool, in search: SearchResult
  ) -> [CubeLiteral] {
    var cube: [CubeLiteral] = []
    let (allowing, refusing): (DiffSide, DiffSide) = isLoosened ? (.new, .old) : (.old, .new)
    let (allower, refuser) = (diff.half(allowing), diff.half(refusing))
    allower.outline.justify(allower.root, holds: true, in: search, side: allowing, into: &cube)
    let shared = Set(allower.grants)
    let common = refuser.grants.filter { $0 != .no && shared.contains($0) }
    guard common.count > 1,
      case .any(let parts) = refuser.outline.nodes[refuser.root].form
    else {
      refuser.outline.justify(refuser.root, holds: false, in: search, side: refusing, into: &cube)
      return cube
    }
    for part in parts where !common.contains(refuser.outline.nodes[part].ref) {
      refuser.outline.justify(part, holds: false, in: search, side: refusing, into: &cube)
    }
    let isGranted = diff.goal.compiler.problem.graph.or(common)
    cube.append(
      CubeLiteral(
        side: refusing, node: refuser.outline.common(isGranted), holds: false, ref: !isGranted))
    return cube
  }

  /// Drops literals from a cube, last ones first, while the rest still implies the difference.
  private func generalized(
    _ cube: [CubeLiteral], of goal: Goal, roots: [Ref], row: [Ref]
  ) -> [CubeLiteral] {
    let isNoDifference = !goal.compiler.problem.graph.and(roots)
    func isEnough(_ cube: [CubeLiteral]) -> Bool {
      let (_, result) = goal.search(
        for: cube.map { $0.ref } + row + [isNoDifference], within: .brief)
      return result == .unsatisfiable
    }
    var kept = cube
    for literal in cube.reversed() {
      let fewer = kept.filter { $0.ref != literal.ref }
      if isEnough(fewer) { kept = fewer }
    }
    return kept
  }

  /// The cubes without those that the others cover together.
  private func irredundant(
    _ cubes: [FoundCube], of goal: Goal, row: [Ref]
  ) -> [FoundCube] {
    guard cubes.count > 1 else { return cubes }
    var kept = Array(cubes.indices)
    for index in cubes.indices {
      let others = kept.filter { $0 != index }.map { other in
        !goal.compiler.problem.graph.and(cubes[other].cube.map { $0.ref })
      }
      let (_, result) = goal.search(
        for: cubes[index].cube.map { $0.ref } + row + others, within: .brief)
      if result == .unsatisfiable { kept.removeAll { $0 == index } }
    }
    return kept.map { cubes[$0] }
  }

  /// The open reasons of a model that was not confirmed: the uninterpreted expressions that it depends on;
  /// if there are none, the limits; if there are none of these either, a defect.
  private func openReasons(
    of diff: DiffGoal, isLoosened: Bool, about search: SearchResult, candidate: CandidateRequest?
  ) -> [DiffOpenReason] {
    if let reason = candidate?.impossibility {
      return [DiffOpenReason(side: .new, openReason: OpenReason(impossible: reason))]
    }
    let found = [DiffSide.old, .new].flatMap { side in
      diff.half(side).compiler.places(in: search).map {
        DiffOpenReason(side: side, openReason: OpenReason($0.reason, at: $0.range))
      }
    }
    if !found.isEmpty { return found }
    // The other writes may be decided by separate rules, whose places mean nothing in these files.
    let elsewhere = [DiffSide.old, .new].flatMap { side in
      (diff.half(side).others?.places(in: search) ?? []).map {
        DiffOpenReason(
          side: side,
          openReason: OpenReason("\($0.reason), which another write of the commit needs"))
      }
    }
    if !elsewhere.isEmpty { return elsewhere }
    // The search does not model the cost of an evaluation.
    let costs = [DiffSide.old, .new].flatMap { side in
      diff.half(side).compiler.costs(of: diff.half(side).statements).map {
        DiffOpenReason(side: side, openReason: $0)
      }
    }
    if !costs.isEmpty { return costs }
    let expected = isLoosened ? Test.Expectation.allow : .deny
    return [
      DiffOpenReason(
        side: .new, openReason: diff.goal.defect(in: search, candidate: candidate, expect: expected)
      )
    ]
  }
}

extension AccessChange {
  /// True if the descriptions of two differences differ only in their methods.
  func saysTheSame(as other: AccessChange) -> Bool {
    isLoosened == other.isLoosened && who == other.who && what == other.what
      && conditions == other.conditions && before == other.before && remaining == other.remaining
  }

  /// Makes a difference without a description.
  init(isLoosened: Bool, _ witness: DiffWitness) {
    self.init(
      isLoosened: isLoosened, who: "", what: "", conditions: [], witnesses: [witness])
  }

  /// Makes a difference of which only one request is known.
  init(isLoosened: Bool, like witness: DiffWitness) {
    self.init(isLoosened: isLoosened, witness)
    who = witness.request.principal == nil ? "a client that is not signed in" : "a signed-in user"
    conditions = ["if the request is like the one below"]
  }
}

extension Decision {
  /// True if a limit may have stopped a condition: it ended in an error because of its cost, or after
  /// the last lookup that is permitted.
  var isStoppedByLimit: Bool {
    tried.contains { tried in
      guard case .failed(let error) = tried.result else { return false }
      if case .budget = error.reason { return true }
      return lookups >= Compiler.greatestLookups
    }
  }
}
