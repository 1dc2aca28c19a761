import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesSolver

/// A suite that reaches every outcome of every statement and detects every mutant, as far as possible, with
/// as few tests as a greedy choice needs.
///
/// Outcomes and mutants are *goals*. Guessed requests come first, because they are easier to read; for a goal
/// that none of them reaches the prover finds a request, or proves that there is none.
struct FullSuite {
  /// Counts of goals of one kind.
  struct Count {
    /// Goals that a test reaches.
    var reached = 0
    /// Goals that are proved to be impossible.
    var impossible = 0
    /// Goals that are neither reached nor proved impossible.
    var open = 0
  }

  /// Steps charged for writing a test and reading it back.
  private static let stepsToWrite = 5000

  private let rules: Checked
  private let engine: Engine
  private let now: Timestamp
  /// The documents that the suite stores before each test.
  private let base: Documents
  private let limits: QuestionLimits
  private let whole: Budget
  private let search: OutcomeSearch
  /// Decides the effects of changes of the rules.
  private let judge: EditJudge
  private var candidates: [SuiteCandidate] = []
  /// For each reached goal, the first candidate that was found to reach it.
  private var firsts: [Int] = []
  /// Counts of outcomes of statements.
  private(set) var outcomes = Count()
  /// Counts of mutants of the rules.
  private(set) var changes = Count()
  /// The tests by statement; those without a deciding statement come last.
  private(set) var entries: [FirstSuite.Entry] = []

  /// Counts of outcomes of conditions and their parts.
  private(set) var parts = Count()
  /// Goals that no test can reach, or for which none was found.
  private var lacks: [SuiteGap] = []
  /// Sentences about other goals that are proved to be impossible.
  private var idle: [String] = []

  /// Finds the tests; with an existing suite only those that it lacks. Progress is shown if wanted.
  init(
    _ rules: Checked, profile: Profile, now: Timestamp, limits: QuestionLimits,
    extending suite: Suite? = nil, showsProgress: Bool = false
  ) {
    self.rules = rules
    self.now = now
    base = suite?.documents ?? Documents()
    self.limits = limits
    whole = limits.whole()
    engine = Engine(rules, profile: profile)
    search = OutcomeSearch(engine)
    judge = EditJudge(engine, within: whole)
    for test in suite?.tests ?? [] { take(test) }
    let progress = Progress(isWanted: showsProgress)
    defer { progress.clear() }
    let name = Printable.text(rules.ruleset.source.name)
    func show(_ what: String, _ place: Int, of count: Int) {
      progress.show("\(name): \(what) \(place + 1) of \(count)")
    }
    guess()
    var goals: [SuiteGoal] = []
    var notes: [AllowID: [String]] = [:]
    let allows = rules.ruleset.allows.indices
    for index in allows where isFirestore(AllowID(index)) {
      show("statement", index, of: allows.count)
      reachOutcomes(of: AllowID(index), &goals, &notes)
    }
    let edits = rules.ruleset.mutants()
    for (place, edit) in edits.enumerated() {
      show("change", place, of: edits.count)
      reach(edit, &goals)
    }
    reachParts(&goals) { show("part of a condition", $0, of: $1) }
    write(choose(goals), notes)
  }

  /// The number of tests.
  var testCount: Int { entries.reduce(0) { $0 + $1.tests.count } }

  private func isFirestore(_ allow: AllowID) -> Bool {
    let service = rules.ruleset.services[rules.ruleset[rules.ruleset[allow].match].service]
    return service.name.text == Ruleset.firestoreService
      && rules.matches[rules.ruleset[allow].match.index].isReachable
  }

  // MARK: Candidates

  /// Adds guessed requests for statements, one for each way in which they are decided.
  private mutating func guess() {
    let samples = SampleRequests(rules, now: now)
    var seen: Set<String> = []
    for index in rules.ruleset.allows.indices where isFirestore(AllowID(index)) {
      for method in rules.methods[index].methods {
        for sample in samples.samples(for: AllowID(index), method) where !whole.isSpent {
          guard let decision = try? engine.decide(sample.request, on: sample.documents) else {
            continue
          }
          whole.charge(for: decision, by: engine)
          let way = decision.tried.map { "\($0.allow.index)\($0.outcome)" }
          guard seen.insert(method.word + way.joined()).inserted else { continue }
          add(sample.request, sample.documents)
        }
      }
    }
  }

  /// Adds the first form of a request that can be a test and reaches something new. False if there is none.
  @discardableResult
  private mutating func add(
    _ request: Request, _ documents: Documents,
    showing isShown: (SuiteCandidate) -> Bool = { _ in true }
  ) -> Bool {
    guard let decision = try? engine.decide(request, on: documents) else { return false }
    // The request is written, read, and decided once more.
    whole.charge(for: decision, by: engine)
    whole.charge(for: decision, by: engine)
    whole.charge(Self.stepsToWrite)
    let drafts = SuiteWriter.drafts(
      request, on: documents, expecting: decision.isAllowed ? .allow : .deny)
    for (place, each) in drafts.enumerated() {
      if place > 0 { whole.charge(Self.stepsToWrite) }
      guard let candidate = candidate(each), isShown(candidate) else { continue }
      candidates.append(candidate)
      return true
    }
    return false
  }

  /// Returns a test as read back from a suite; nil if it fails on the documents of the suite.
  private func candidate(_ json: JSON) -> SuiteCandidate? {
    let suite = JSON(.object([JSON.Member("tests", value: JSON(.array([json])))]))
    let (read, diagnostics) = SuiteReader.read(
      suite, in: SourceText(name: "the suite", ""), database: engine.rules.database)
    guard let test = read?.tests.first, !diagnostics.hasErrors else { return nil }
    return candidate(test, json: json)
  }

  private func candidate(_ test: Test, json: JSON?) -> SuiteCandidate? {
    let result = engine.run(
      test, documents: base, now: now, tracing: true, isRemarking: false)
    guard result.isPassed else { return nil }
    return SuiteCandidate(json: json, test: test, result: result, judge: judge)
  }

  /// Adds a test of the existing suite, if it passes: one that fails shows nothing.
  private mutating func take(_ test: Test) {
    guard let own = candidate(test, json: nil) else { return }
    for one in own.decisions { whole.charge(for: one, by: engine) }
    candidates.append(own)
  }

  // MARK: Goals

  private mutating func reachOutcomes(
    of allow: AllowID, _ goals: inout [SuiteGoal], _ notes: inout [AllowID: [String]]
  ) {
    for outcome in StatementOutcome.allCases {
      let shown = SuiteGoal.Outcome(allow: allow, outcome: outcome)
      let effect = { [limits, whole, search] () -> EditEffect in
        let question = limits.question(of: whole)
        defer { question.settle() }
        return search.request(for: allow, with: outcome, within: question)
      }
      switch reach(by: effect, shown: { $0.outcomes.contains(shown) }) {
      case .reached:
        outcomes.reached += 1
        goals.append(.outcome(shown))
      case .impossible:
        outcomes.impossible += 1
        if outcome == .granted {
          notes[allow, default: []].append("proved: this statement never grants")
        }
        idle.append(
          "line \(line(of: rules.ruleset[allow].keyword)): proved: there is no request \(outcome.asked)"
        )
      case .open:
        outcomes.open += 1
        notes[allow, default: []].append("no request was found \(outcome.asked)")
      }
    }
  }

  /// Searches for tests that show each part of a condition true and false, or evaluated at all.
  private mutating func reachParts(
    _ goals: inout [SuiteGoal], showing show: (_ place: Int, _ count: Int) -> Void
  ) {
    let all = SuiteGoal.Part.all(of: rules)
    for (place, part) in all.enumerated() {
      show(place, all.count)
      let effect = { [limits, whole, search] () -> EditEffect in
        let question = limits.question(of: whole)
        defer { question.settle() }
        return search.request(for: part.expression, being: part.outcome, within: question)
      }
      switch reach(by: effect, shown: { $0.parts.contains(part) }) {
      case .reached:
        parts.reached += 1
        goals.append(.part(part))
      case .impossible:
        parts.impossible += 1
        lack(part, isProved: true)
      case .open:
        parts.open += 1
        lack(part, isProved: false)
      }
    }
  }

  private mutating func lack(_ part: SuiteGoal.Part, isProved: Bool) {
    lacks.append(
      SuiteGap(part: part, range: rules.ruleset[part.expression].range, isProved: isProved))
  }

  /// The goals about parts of conditions that no test reaches, a line each.
  var remarks: [String] { idle + SuiteGap.sentences(lacks, in: rules.ruleset.source) }

  private func line(of range: SourceRange) -> Int { rules.ruleset.source.line(of: range.start) }

  private mutating func reach(_ edit: Mutation, _ goals: inout [SuiteGoal]) {
    if whole.isSpent {
      changes.open += 1
      return
    }
    guard let changed = judge.applying(edit, within: whole) else { return }
    let effect = { [judge, limits, whole] () -> EditEffect in
      let question = limits.question(of: whole)
      defer { question.settle() }
      return judge.effect(of: changed, within: question)
    }
    let isShown = { [whole, now, base] (candidate: SuiteCandidate) in
      candidate.notices(changed, on: base, now: now, within: whole)
    }
    switch reach(by: effect, shown: isShown) {
    case .reached:
      changes.reached += 1
      goals.append(.change(edit))
    case .impossible:
      changes.impossible += 1
      idle.append("line \(line(of: edit.range)): \(edit.summary): proved to change no decision")
    case .open: changes.open += 1
    }
  }

  private enum Reach {
    case reached, impossible, open
  }

  private mutating func reach(
    by effect: () -> EditEffect, shown isShown: (SuiteCandidate) -> Bool
  ) -> Reach {
    if whole.isSpent { return .open }
    if let known = candidates.firstIndex(where: isShown) {
      firsts.append(known)
      return .reached
    }
    switch effect() {
    case .nothing: return .impossible
    case .something(let witness, _):
      // The suite's own time reads better, where the time does not matter.
      var request = witness.request
      request.time = now
      for request in [request, witness.request]
      where add(request, witness.documents, showing: isShown) {
        firsts.append(candidates.count - 1)
        return .reached
      }
      return .open
    case .unknown, .invalid: return .open
    }
  }

  // MARK: Choosing

  /// Chooses tests that reach all goals: repeatedly the one that reaches the most remaining goals; finally
  /// drops those that the others make redundant.
  private func choose(_ goals: [SuiteGoal]) -> [SuiteCandidate] {
    let showing = goals.indices.map { places(showing: goals[$0], first: firsts[$0]) }
    var shown: [[Int]] = Array(repeating: [], count: candidates.count)
    for goal in showing.indices { for place in showing[goal] { shown[place].append(goal) } }
    /// By candidate, the number of its goals that no chosen candidate reaches yet; by goal, the number of
    /// chosen candidates that reach it.
    var gains = shown.map { $0.count }
    var cover = Array(repeating: 0, count: goals.count)
    var chosen: [Int] = []
    // Tests that the suite already has cost nothing.
    for place in candidates.indices where candidates[place].json == nil {
      for goal in shown[place] {
        if cover[goal] == 0 { for other in showing[goal] { gains[other] -= 1 } }
        cover[goal] += 1
      }
    }
    while let best = gains.indices.max(by: {
      gains[$0] < gains[$1] || gains[$0] == gains[$1] && $0 > $1
    }), gains[best] > 0 {
      chosen.append(best)
      for goal in shown[best] {
        if cover[goal] == 0 { for place in showing[goal] { gains[place] -= 1 } }
        cover[goal] += 1
      }
    }
    for index in chosen.reversed() where shown[index].allSatisfy({ cover[$0] > 1 }) {
      for goal in shown[index] { cover[goal] -= 1 }
      chosen.removeAll { $0 == index }
    }
    return chosen.sorted().map { candidates[$0] }
  }

  /// Returns the candidates that reach a goal; once the budget is spent, only the one that is known to.
  private func places(showing goal: SuiteGoal, first: Int) -> [Int] {
    switch goal {
    case .outcome(let outcome):
      return candidates.indices.filter { candidates[$0].outcomes.contains(outcome) }
    case .part(let part):
      return candidates.indices.filter { candidates[$0].parts.contains(part) }
    case .change(let edit):
      if whole.isSpent { return [first] }
      guard let changed = judge.applying(edit, within: whole) else { return [first] }
      return candidates.indices.filter {
        $0 == first
          || !whole.isSpent && candidates[$0].notices(changed, on: base, now: now, within: whole)
      }
    }
  }

  // MARK: Writing

  private mutating func write(_ chosen: [SuiteCandidate], _ notes: [AllowID: [String]]) {
    var names = UniqueNames()
    func named(_ candidate: SuiteCandidate) -> JSON {
      (candidate.json ?? JSON(.null)).renamed { names.unique($0) }
    }
    var byStatement: [AllowID: [SuiteCandidate]] = [:]
    for candidate in chosen {
      if let statement = candidate.statement {
        byStatement[statement, default: []].append(candidate)
      }
    }
    for index in rules.ruleset.allows.indices where isFirestore(AllowID(index)) {
      let allow = AllowID(index)
      let own = byStatement[allow, default: []].map { named($0) }
      entries.append(
        FirstSuite.Entry(
          allow: allow, title: rules.title(of: allow), tests: own, notes: notes[allow] ?? []))
    }
    let rest = chosen.filter { $0.statement == nil }.map { named($0) }
    if !rest.isEmpty {
      entries.append(
        FirstSuite.Entry(
          allow: AllowID(0), title: "requests that no statement applies to", tests: rest, notes: [])
      )
    }
  }
}

extension StatementOutcome {
  fileprivate var asked: String {
    switch self {
    case .granted: "that it grants"
    case .refused: "for which it is false"
    case .failed: "for which it ends in an error"
    }
  }
}
