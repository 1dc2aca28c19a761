import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesService

// Long work: tests and proofs while the user does not type, and commands.

extension LanguageServer {
  private func workshop(for path: String) -> LanguageWorkshop {
    LanguageWorkshop(settings: workspace.settings(for: path), seconds: options.seconds)
  }

  // MARK: In the background

  /// Queues the proofs about rules, for when the user is not typing.
  mutating func plan(_ document: OpenDocument, _ analysis: RulesAnalysis) {
    queue.dropAll(about: document.path)
    guard let checked = analysis.checked else { return }
    if analysis.runs == nil { planTests(of: document.path) }
    if options.isDeep, analysis.deep?.isPartial ?? true {
      queue.add(
        workshop(for: document.path).proofs(checked, from: document.focus, shelf: shelf))
    }
  }

  /// Queues a run of all suites of the rules that a suite is about.
  mutating func planTests(of document: OpenDocument) {
    let analysis = workspace.suite(document.text.source)
    guard analysis.run == nil, let suite = analysis.suite,
      let path = workspace.rulesPath(of: suite, at: document.path)
    else { return }
    planTests(of: path)
  }

  /// Queues a run of the suites of rules. These are searched when the user is not typing.
  mutating func planTests(of rules: String) {
    if options.runsTests { untested.insert(rules) }
  }

  /// Searches the suites to run.
  ///
  /// - Requires: The user is not typing.
  mutating func rest() {
    for path in untested.sorted() {
      guard let text = workspace.text(at: path),
        let checked = workspace.analysis(of: text.source).checked
      else { continue }
      addTests(of: checked, at: path)
    }
    untested = []
  }

  private mutating func addTests(of rules: Checked, at path: String) {
    let suites = self.suites(of: path)
    guard !suites.isEmpty else { return }
    queue.add(workshop(for: path).tests(suites, of: rules, for: nil))
  }

  /// Returns the texts of the suites of rules that can be run.
  private mutating func suites(of rules: String) -> [SourceText] {
    workspace.suites(of: rules).compactMap { _, analysis in
      analysis.suite == nil ? nil : analysis.source
    }
  }

  // MARK: Commands

  /// Starts a command of the client, which is answered when it has ended.
  mutating func execute(_ parameters: JSON, _ id: JSON) throws(CallError) {
    let name = parameters.member("command")?.plainText ?? ""
    guard let command = LanguageCommand(rawValue: name) else {
      throw .parameters("there is no command `\(name)`")
    }
    let arguments = parameters.member("arguments")?.list ?? []
    guard let uri = arguments.first?.plainText, let document = workspace.documents[uri] else {
      throw .parameters("the first argument is the URI of an open text")
    }
    switch command {
    case .runTests: try runTests(document, at: nil, id)
    case .runTest, .decide:
      let range = try LanguageCoder.range(arguments.count > 1 ? arguments[1] : nil)
      try runTests(document, at: document.text.range(of: range), id)
    case .prove: try prove(document, Array(arguments.dropFirst()), id)
    }
  }

  private mutating func runTests(
    _ document: OpenDocument, at place: SourceRange?, _ id: JSON
  ) throws(CallError) {
    var path = document.path
    var suites: [SourceText] = []
    switch document.kind {
    case .rules:
      suites = self.suites(of: path)
      if suites.isEmpty { throw .failed("no suite is about these rules") }
    case .suite:
      guard let suite = workspace.suite(document.text.source).suite else {
        throw .failed("the suite cannot be read")
      }
      guard let rules = workspace.rulesPath(of: suite, at: path) else {
        throw .failed("the suite names no rules")
      }
      path = rules
      suites = [document.text.source]
    case .other: throw .failed("this is neither rules nor a suite")
    }
    guard let text = workspace.text(at: path) else { throw .failed("\(path) cannot be read") }
    guard let checked = workspace.analysis(of: text.source).checked else {
      throw .failed("the rules do not compile")
    }
    queue.add(workshop(for: path).tests(suites, of: checked, at: place, for: id))
  }

  private mutating func prove(
    _ document: OpenDocument, _ arguments: [JSON], _ id: JSON
  ) throws(CallError) {
    guard document.kind == .rules,
      let checked = workspace.analysis(of: document.text.source).checked
    else { throw .failed("the rules do not compile") }
    guard let path = arguments.first?.plainText, let documents = ClaimPath(Text(path)) else {
      throw .parameters("the second argument is a path of documents: \"/users/{uid}\"")
    }
    let words = arguments.count > 1 ? arguments[1].list.compactMap(\.plainText) : []
    var methods: MethodSet = []
    for word in words {
      guard let named = Operation.methods(of: Text(word)) else {
        throw .parameters("there is no method \"\(word)\"")
      }
      methods.formUnion(named)
    }
    let condition = arguments.count > 2 ? arguments[2].plainText : nil
    var claim = Claim(
      name: "", path: documents, methods: methods.isEmpty ? MethodSet.read.union(.write) : methods,
      obligation: .onlyIf(Claim.Condition(Text(condition ?? "request.auth != null"))))
    claim.name = claim.statement
    queue.add(workshop(for: document.path).claim(claim, about: checked, for: id))
  }

  // MARK: Results

  /// Handles the result of the work that was running, or a part of it while the work goes on.
  mutating func finish(_ result: LanguageResult) {
    if case .proofs(let source, let findings, let count) = result, findings.isPartial {
      if phase == .running { note(findings, about: source, count) }
      return
    }
    if phase == .running, case .proofs(let path)? = queue.running?.purpose {
      endProgress(of: path)
    }
    queue.finish()
    guard phase == .running else {
      if let id = result.request { send(RemoteCall.answer(id, .cancelled)) }
      return
    }
    switch result {
    case .nothing(nil, _): break
    case .nothing(let id?, let reason):
      send(RemoteCall.answer(id, reason.map { .failed($0) } ?? .cancelled))
    case .claim(let sentence, let id):
      let text = sentence.text
      show(text, isGood: sentence.word == "proved")
      send(
        RemoteCall.answer(
          id, .object([("verdict", .string(sentence.word)), ("message", .string(text))])))
    case .tests(let runs, let id):
      note(runs)
      guard let id else { return }
      let text = runs.summary
      show(text, isGood: runs.isGood)
      send(
        RemoteCall.answer(
          id, .object([("passed", .bool(runs.isGood)), ("message", .string(text))])))
    case .proofs(let source, let findings, let count): note(findings, about: source, count)
    }
  }

  private mutating func show(_ text: String, isGood: Bool) {
    notify(
      "window/showMessage",
      .object([("type", .int(isGood ? 3 : 2)), ("message", .string(text))]))
  }

  private mutating func note(
    _ findings: DeepFindings, about source: SourceText, _ count: ProofCount
  ) {
    guard let document = workspace.document(at: source.name),
      document.text.source.bytes == source.bytes
    else { return }
    let analysis = workspace.analysis(of: document.text.source)
    analysis.note(findings)
    publish(analysis.allDiagnostics, of: document)
    if client.refreshesHints { ask("workspace/inlayHint/refresh", .null) }
    if findings.isPartial { tellProgress(of: document.path, count) }
    if count.stopped != nil { log(count.words) }
  }

  private mutating func note(_ runs: SuiteRuns) {
    let rules = workspace.analysis(of: runs.rules)
    var all = RulesRuns()
    if runs.isPartial, let known = rules.runs { all = known }
    for (source, run) in runs.suites {
      let suite = workspace.suite(source)
      let merged = runs.isPartial ? suite.run.map { $0.replacing(run) } ?? run : run
      suite.note(merged)
      all.suites.removeAll { $0.name == source.name }
      all.suites.append((source.name, merged))
      if let last = run.tests.last { all.last = (last.name, run.lastValues) }
      if let document = workspace.document(at: source.name),
        document.text.source.bytes == source.bytes
      {
        publish(suiteAnswers(document).diagnostics, of: document)
      }
    }
    rules.note(all)
    if options.wantsCoverage, let document = workspace.document(at: runs.rules.name),
      document.text.source.bytes == runs.rules.bytes
    {
      notify("rules-check/coverage", rulesAnswers(document).coverage(all))
    }
    if client.refreshesLenses { ask("workspace/codeLens/refresh", .null) }
  }
}

extension LanguageResult {
  /// The request that waits for the result.
  fileprivate var request: JSON? {
    switch self {
    case .tests(_, let request), .nothing(let request, _): request
    case .claim(_, let request): request
    case .proofs: nil
    }
  }
}

extension ClaimSentence {
  /// The verdict in a sentence.
  fileprivate var text: String {
    let reasons = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
    return "\(word.uppercased()) \(claim)\(reasons)"
  }
}

extension SuiteRuns {
  private var tests: [SuiteRun.TestOutcome] { suites.flatMap { $0.run.tests } }
  private var claims: [ClaimResult] { suites.flatMap { $0.run.claims } }

  /// True if everything has the expected result, and there was something to run.
  fileprivate var isGood: Bool {
    tests.allSatisfy { $0.failures.isEmpty } && claims.allSatisfy { $0.isPassed }
      && suites.allSatisfy { $0.run.refusals.isEmpty } && !(tests.isEmpty && claims.isEmpty)
  }

  /// The result in a sentence, with the first problem.
  fileprivate var summary: String {
    let failed = tests.filter { !$0.failures.isEmpty }
    let unexpected = claims.filter { !$0.isPassed }
    var parts: [String] = []
    if !tests.isEmpty { parts.append("\(tests.count - failed.count) of \(tests.count) tests pass") }
    if !claims.isEmpty {
      parts.append("\(claims.count - unexpected.count) of \(claims.count) claims are as expected")
    }
    if let refusal = suites.flatMap({ $0.run.refusals }).first { parts.append(refusal.message) }
    if let first = failed.first {
      parts.append("\(first.name): \(first.failures.joined(separator: ", "))")
    } else if let first = unexpected.first {
      parts.append("\(first.claim.name) is \(first.word)")
    }
    return parts.isEmpty ? "there is nothing to run" : parts.joined(separator: "; ")
  }
}
