import RulesEval
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// The engine behind a page: takes requests as JSON and answers with the reports of the commands, in
/// the same words and the same JSON.
///
/// An answer is an object: `{"report": {…}}`, `{"text": "…"}` or both; what does not compile or cannot be
/// read gives `{"problems": {…}}`, a report like that of `check`; a request that says nothing
/// `{"error": "…"}`. Each request stands by itself: the page may end the engine at any time and ask a
/// new one.
public struct PageService {
  /// The nanoseconds since some moment, for the times in reports.
  private let clock: () -> UInt64

  /// A service that reads a clock, in nanoseconds.
  public init(clock: @escaping () -> UInt64) { self.clock = clock }

  /// The answer to a request, as JSON.
  public func answer(_ request: [UInt8]) -> String {
    do throws(PageProblem) {
      return try answer(PageRequest(request)).compact
    } catch {
      return JSONText.object([("error", .string(error.sentence))]).compact
    }
  }

  private func answer(_ request: PageRequest) throws(PageProblem) -> JSONText {
    switch request.task {
    case .check: check(request)
    case .fix: fix(request)
    case .format: try format(request)
    case .outline: Outline(of: request.rules).json
    case .test: test(request)
    case .picture: picture(request)
    case .prove: prove(request)
    case .audit: audit(request)
    case .diff: diff(request)
    case .explain: try explain(request)
    case .eval: eval(request)
    }
  }

  // MARK: One file

  private func check(_ request: PageRequest) -> JSONText {
    let outcome = Checker.checkFirestore(request.rules, profile: .emulator)
    guard let checked = outcome.checked else { return problems(outcome) }
    var file = CheckReport.File(
      path: request.rules.name, source: request.rules, compiles: true, diagnostics: [])
    if request.isDeep {
      let found = search(Engine(checked))
      file.diagnostics = Linter().run(checked, proved: found.diagnostics(in: checked))
      file.deep = CheckReport.DeepCounts(questions: found.questions, open: found.openCount)
    } else {
      file.diagnostics = Linter().run(checked)
    }
    return .object([("report", CheckReport(files: [file]).json)])
  }

  private func search(_ engine: Engine) -> RedundancyReport {
    var search = RedundancySearch(engine, within: whole, steps: Budget.questionSteps)
    return search.run()
  }

  /// The rules without what is proved to decide nothing, one look deep.
  private func fix(_ request: PageRequest) -> JSONText {
    let outcome = Checker.checkFirestore(request.rules, profile: .emulator)
    guard let checked = outcome.checked else { return problems(outcome) }
    let engine = Engine(checked)
    let found = search(engine)
    var repair = RedundancyRepair(engine, within: whole)
    let parts = repair.remove(found.findings)
    var file = CheckReport.File(
      path: request.rules.name, source: repair.rules.ruleset.source, compiles: true,
      diagnostics: Linter().run(repair.rules))
    file.removed = parts.map { part in
      CheckReport.Removed(
        part, in: request.rules, saying: found.diagnostic(of: part.finding, in: checked))
    }
    let text = String(decoding: file.source.bytes, as: UTF8.self)
    return .object([("report", CheckReport(files: [file]).json), ("text", .string(text))])
  }

  private func format(_ request: PageRequest) throws(PageProblem) -> JSONText {
    switch RulesFormatter.format(request.rules) {
    case .formatted(let text):
      return .object([("text", .string(String(decoding: text, as: UTF8.self)))])
    case .notUTF8: throw PageProblem(sentence: "the rules are not UTF-8")
    case .defect: throw PageProblem(sentence: "the rules cannot be laid out without harm")
    }
  }

  private func explain(_ request: PageRequest) throws(PageProblem) -> JSONText {
    guard
      let page = CodePage.named(request.code)?.markdown ?? Lints.named(request.code)?.page
    else { throw PageProblem(sentence: "there is no finding of that name") }
    return .object([("text", .string(page))])
  }

  private func audit(_ request: PageRequest) -> JSONText {
    let outcome = Checker.checkFirestore(request.rules, profile: .emulator)
    guard let checked = outcome.checked else { return problems(outcome) }
    let whole = whole
    let auditor = Auditor(checked) { whole.question(steps: Budget.questionSteps) }
    let hash = String(Base16.text(of: SHA256.hash(request.rules.bytes))).lowercased()
    let report = AuditReport(
      rulesPath: request.rules.name, rules: checked.ruleset, hash: hash,
      date: String(request.now.description.prefix { $0 != "T" }), profile: .emulator,
      matrix: auditor.matrix())
    return .object([("report", report.json)])
  }

  private func diff(_ request: PageRequest) -> JSONText {
    var engines: [Engine] = []
    for source in [request.old, request.rules] {
      let outcome = Checker.checkFirestore(source, profile: .emulator)
      guard let checked = outcome.checked else { return problems(outcome) }
      engines.append(Engine(checked))
    }
    let start = clock()
    let comparison = RulesComparison(
      from: engines[0], to: engines[1], within: whole, steps: Budget.questionSteps)
    let paths = comparison.run()
    let pair = DiffReport.Pair(
      old: engines[0].rules.ruleset, new: engines[1].rules.ruleset, paths: paths,
      nanoseconds: clock() - start)
    return .object([("report", DiffReport(pairs: [pair], failOn: .loosened).json)])
  }

  private func eval(_ request: PageRequest) -> JSONText {
    let evaluator = ExpressionEvaluator(environment: nil, profile: .emulator)
    return .object([
      ("report", .array(request.lines.map { evaluator.evaluate(String($0)).json }))
    ])
  }

  // MARK: Suites

  private func test(_ request: PageRequest) -> JSONText {
    switch suite(request) {
    case .refused(let answer): return answer
    case .loaded(let suite, let checked):
      let (engine, start) = (Engine(checked), clock())
      var tally = TestReport.Tally()
      let results = suite.tests.map { test in
        let began = clock()
        let result = engine.run(
          test, documents: suite.documents, now: request.now, tracing: true)
        tally.add(result, nanoseconds: clock() - began)
        return result
      }
      var part = TestReport.Suite(
        source: request.suite, rulesPath: request.rules.name, rules: checked, tally: tally,
        results: results)
      part.warnings = suite.warnings
      let report = TestReport(suites: [part], nanoseconds: clock() - start)
      return .object([("report", TestJSON(report).json)])
    }
  }

  private func picture(_ request: PageRequest) -> JSONText {
    switch suite(request) {
    case .refused(let answer): return answer
    case .loaded(let suite, let checked):
      guard let test = suite.tests.first else { return .object([("text", .string(""))]) }
      let result = Engine(checked).run(
        test, documents: suite.documents, now: request.now, tracing: true)
      guard let decision = result.decision else {
        return .object([("text", .string(result.failures.joined(separator: "\n")))])
      }
      let text = SimulationText(.plain, isQuiet: false, explainsAll: true)
      return .object([
        (
          "text",
          .string(text.render(SimulationReport(test: test, decision: decision, rules: checked)))
        )
      ])
    }
  }

  private func prove(_ request: PageRequest) -> JSONText {
    switch suite(request) {
    case .refused(let answer): return answer
    case .loaded(let suite, let checked):
      let set: ClaimSet
      do throws(ClaimSet.Refusal) {
        set = try ClaimSet(suite.claims, about: checked)
      } catch {
        return problems(error.diagnostics, in: request.suite)
      }
      let grounds = Grounds()
      let results = set.claims.indices.map { index in
        let start = clock()
        var prover = Prover(
          set, sharing: grounds, within: Budget(steps: Budget.questionSteps))
        prover.accepted = suite.documents
        let verdict = prover.explain(prover.decide(index), of: index)
        return ClaimResult(
          claim: set.claims[index].claim, verdict: verdict, nanoseconds: clock() - start,
          rules: set.engine.rules.ruleset, profile: .emulator)
      }
      let file = ProofReport.File(
        source: request.suite, rulesPath: request.rules.name, rules: checked.ruleset.source,
        results: results)
      return .object([("report", ProofReport(files: [file]).json)])
    }
  }

  private enum LoadedSuite {
    case loaded(Suite, Checked)
    case refused(JSONText)
  }

  private func suite(_ request: PageRequest) -> LoadedSuite {
    let outcome = Checker.checkFirestore(request.rules, profile: .emulator)
    guard let checked = outcome.checked else { return .refused(problems(outcome)) }
    let (suite, diagnostics) = SuiteReader.read(request.suite)
    guard let suite else { return .refused(problems(diagnostics, in: request.suite)) }
    return .loaded(suite, checked)
  }

  // MARK: What cannot be used

  private func problems(_ outcome: Checker.Outcome) -> JSONText {
    problems(outcome.diagnostics, in: outcome.ruleset.source)
  }

  private func problems(_ diagnostics: [Diagnostic], in source: SourceText) -> JSONText {
    let file = CheckReport.File(
      path: source.name, source: source, compiles: false, diagnostics: diagnostics)
    return .object([("problems", CheckReport(files: [file]).json)])
  }

  /// What all questions of one report may cost together; a page ends a worker that takes too long.
  private var whole: Budget {
    .whole(steps: Budget.questionSteps * Budget.questionsInAll)
  }
}
