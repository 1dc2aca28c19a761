import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesService
import RulesSolver
import RulesStyle

/// The engine behind a page: answers requests in JSON with the reports of the commands, in the same words and
/// the same JSON.
///
/// An answer is an object: `{"report": {…}}`, `{"text": "…"}` or both; text that does not compile or is
/// malformed gives `{"problems": {…}}`, a report like that of `check`; a malformed request `{"error": "…"}`.
/// Requests are independent: the page may end the engine at any time and start a new one. Analyses of rules
/// are cached by content, so that a request with unchanged rules parses and checks nothing again.
package struct PageService {
  /// Returns nanoseconds since some fixed moment, for the times in reports.
  private let clock: () -> UInt64
  /// Reports the progress of a long answer, and its total; 0 if the total is unknown.
  private let progress: (Int, Int) -> Void
  private var database: DatabaseName?
  private var known = AnalysisCache(AnalysisSettings(profile: .emulator))

  /// Creates a service with a clock, in nanoseconds, and a progress callback.
  package init(
    clock: @escaping () -> UInt64, progress: @escaping (_ done: Int, _ total: Int) -> Void
  ) {
    self.clock = clock
    self.progress = progress
  }

  /// Answers a request, as JSON.
  package mutating func answer(_ request: [UInt8]) -> String {
    do throws(PageProblem) {
      return try answer(PageRequest(request)).compact
    } catch {
      return JSONText.object([("error", .string(error.sentence))]).compact
    }
  }

  /// Selects the database for which rules are analysed from now on.
  private mutating func choose(_ database: DatabaseName?) {
    guard database != self.database else { return }
    self.database = database
    var settings = known.settings
    settings.databases = { _ in [database ?? .standard] }
    known.settings = settings
  }

  private mutating func answer(_ request: PageRequest) throws(PageProblem) -> JSONText {
    choose(request.database)
    return try report(request)
  }

  private mutating func report(_ request: PageRequest) throws(PageProblem) -> JSONText {
    switch request.task {
    case .check: check(request)
    case .fix: fix(request)
    case .format: try format(request)
    case .outline: Outline(of: known.rules(request.rules).rules).json
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

  private mutating func check(_ request: PageRequest) -> JSONText {
    let analysis = known.rules(request.rules)
    guard let checked = analysis.checked else { return problems(analysis) }
    var file = CheckReport.File(
      path: request.rules.name, source: request.rules, compiles: true,
      diagnostics: analysis.diagnostics)
    if request.isDeep {
      let found = analysis.proved { [whole] in
        DeepCheck(analysis.settings.linter, profile: .emulator)
          .run(checked, isFixing: false, within: whole)
      }
      file.diagnostics = found.diagnostics
      file.deep = found.counts
      let removals = DeepCheck(analysis.settings.linter, profile: .emulator)
        .edits(takingOutOneOf: found.diagnostics, from: checked, within: whole)
      return .object([
        ("report", CheckReport(files: [file]).json),
        ("removals", .array(removals.map { json($0, in: request.rules) })),
      ])
    }
    return .object([("report", CheckReport(files: [file]).json)])
  }

  /// Returns a removal as `{"code", "offset", "edits": [{"offset", "endOffset", "text"}]}`, in characters:
  /// code and place of the finding, and the edits that remove it.
  private func json(_ removal: DeepFindings.Removal, in source: SourceText) -> JSONText {
    func offset(_ place: UInt32) -> JSONText { .int(source.characterOffset(of: place)) }
    return .object([
      ("code", .string(removal.said.code.name)),
      ("offset", offset((removal.said.range ?? .none).start)),
      (
        "edits",
        .array(
          removal.edits.map { edit in
            .object([
              ("offset", offset(edit.range.start)), ("endOffset", offset(edit.range.end)),
              ("text", .string(edit.text)),
            ])
          })
      ),
    ])
  }

  /// Answers with the rules after removing the parts that are proved to affect no decision.
  private mutating func fix(_ request: PageRequest) -> JSONText {
    let analysis = known.rules(request.rules)
    guard let checked = analysis.checked else { return problems(analysis) }
    let fixed = DeepCheck(analysis.settings.linter, profile: .emulator)
      .run(checked, isFixing: true, within: whole)
    var file = CheckReport.File(
      path: request.rules.name, source: fixed.rules.ruleset.source, compiles: true,
      diagnostics: fixed.diagnostics)
    file.removed = fixed.removed
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

  private mutating func audit(_ request: PageRequest) -> JSONText {
    let analysis = known.rules(request.rules)
    guard let checked = analysis.checked else { return problems(analysis) }
    let (whole, tell) = (whole, progress)
    var asked = 0
    let field = request.field.isEmpty ? nil : request.field
    let auditor = Auditor(checked, at: request.presentTime, about: field.map { Text($0) }) {
      asked += 1
      tell(asked, 0)
      return whole.question(steps: Budget.questionSteps)
    }
    let hash = String(Base16.text(of: SHA256.hash(request.rules.bytes))).lowercased()
    // Warnings are about the whole file, not about a field.
    let review = field == nil ? Linter().review(checked) : nil
    var report = AuditReport(
      rulesPath: request.rules.name, rules: checked.ruleset, hash: hash,
      date: String(request.now.description.prefix { $0 != "T" }), profile: .emulator,
      database: checked.database, matrix: auditor.matrix(), field: field,
      warnings: (review?.told ?? []).filter { $0.severity >= .warning })
    report.silenced = (review?.silenced ?? []).filter { $0.severity >= .warning }
    let legend = Exposure.allCases.map { exposure in
      JSONText.array([
        .string(exposure.rawValue), .string(exposure.style), .string(exposure.words),
      ])
    }
    return .object([
      ("report", report.json), ("writers", .array(report.writers.map { .string($0) })),
      ("legend", .array(legend)),
    ])
  }

  private mutating func diff(_ request: PageRequest) -> JSONText {
    var engines: [Engine] = []
    for source in [request.old, request.rules] {
      let analysis = known.rules(source)
      guard let checked = analysis.checked else { return problems(analysis) }
      engines.append(Engine(checked))
    }
    let start = clock()
    let comparison = RulesComparison(
      from: engines[0], to: engines[1], within: whole, steps: Budget.questionSteps)
    let paths = comparison.run()
    let pair = DiffReport.Pair(
      old: engines[0].rules.ruleset, new: engines[1].rules.ruleset,
      database: engines[1].rules.database, paths: paths,
      nanoseconds: clock() - start)
    return .object([("report", DiffReport(pairs: [pair], failOn: .loosened).json)])
  }

  private func eval(_ request: PageRequest) -> JSONText {
    let evaluator = ExpressionEvaluator(
      environment: nil, profile: .emulator, database: request.database ?? .standard)
    return .object([
      ("report", .array(request.lines.map { evaluator.evaluate(String($0)).json }))
    ])
  }

  // MARK: Suites

  private mutating func test(_ request: PageRequest) -> JSONText {
    switch suites(request, .tests) {
    case .refused(let answer): return answer
    case .loaded(let suites):
      let start = clock()
      let parts = suites.map { suite in
        suite.testReport(at: request.now, traced: .all, clock: clock) {
          progress($0, suite.tests.count)
        }
      }
      let report = TestReport(suites: parts, nanoseconds: clock() - start)
      return .object([("report", TestJSON(report).json)])
    }
  }

  private mutating func picture(_ request: PageRequest) -> JSONText {
    switch suites(request, .tests) {
    case .refused(let answer): return answer
    case .loaded(let suites):
      guard let suite = suites.first, let test = suite.tests.first else {
        return .object([("text", .string(""))])
      }
      let result = suite.result(of: test, at: request.now, traced: .all)
      guard let decision = result.decision else {
        return .object([("text", .string(result.failures.joined(separator: "\n")))])
      }
      let palette = request.columns.map { Palette.ansi.fitting(columns: $0) } ?? .plain
      let text = SimulationText(palette, isQuiet: false, explainsAll: true)
      let report = SimulationReport(test: test, decision: decision, rules: suite.engine.rules)
      return .object([("text", .string(text.render(report)))])
    }
  }

  private mutating func prove(_ request: PageRequest) -> JSONText {
    switch suites(request, .claims) {
    case .refused(let answer): return answer
    case .loaded(let suites):
      let files = suites.map { suite in
        suite.proofFile(
          suite.claimResults(
            within: { Budget(steps: Budget.questionSteps) }, clock: clock,
            progress: { progress($0, suite.claims?.claims.count ?? 0) }))
      }
      return .object([("report", ProofReport(files: files).json)])
    }
  }

  private enum Loaded {
    case loaded([LoadedSuite])
    case refused(JSONText)
  }

  /// Loads a part of the suite in a request, for each database that the part is about.
  private mutating func suites(_ request: PageRequest, _ part: LoadedSuite.Part) -> Loaded {
    let analysis = known.rules(request.rules)
    guard let checked = analysis.checked else { return .refused(problems(analysis)) }
    do throws(LoadedSuite.Refusal) {
      return .loaded(
        try LoadedSuite.all(
          in: request.suite, part, database: request.database, rulesPath: request.rules.name,
          about: checked, profile: .emulator))
    } catch {
      return .refused(problems(error.diagnostics, in: request.suite))
    }
  }

  // MARK: What cannot be used

  private func problems(_ analysis: RulesAnalysis) -> JSONText {
    problems(analysis.diagnostics, in: analysis.source)
  }

  private func problems(_ diagnostics: [Diagnostic], in source: SourceText) -> JSONText {
    let file = CheckReport.File(
      path: source.name, source: source, compiles: false, diagnostics: diagnostics)
    return .object([("problems", CheckReport(files: [file]).json)])
  }

  /// The budget of all questions of one report together; a page ends a worker that takes too long.
  private var whole: Budget {
    // The page's integers have 32 bits, and work is added to this number.
    let (steps, isTooLarge) = Budget.questionSteps.multipliedReportingOverflow(
      by: Budget.questionsInAll)
    return .whole(steps: isTooLarge ? .max / 2 : steps)
  }
}
