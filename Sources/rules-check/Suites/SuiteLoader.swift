import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// Loads suites, and reports those that cannot be run.
struct SuiteLoader {
  /// The rules files that were loaded.
  private(set) var rules: RulesFiles
  /// The exit status so far: `unusable` once something could not be run.
  private(set) var status = ExitStatus.success
  /// The errors of suites that could not be run, for reports.
  private(set) var refusals: [Annotation] = []
  private let options: SuiteOptions
  private let complaints: Complaints

  /// Creates a loader; `rules` are those of an earlier run.
  init(_ options: SuiteOptions, on terminal: Terminal, after rules: RulesFiles? = nil) {
    self.options = options
    complaints = Complaints(terminal)
    self.rules = rules?.again() ?? RulesFiles(profile: options.profile)
  }

  /// Returns the texts of a file: one for each of its databases.
  static func texts(
    of path: String, streaming: Bool, _ options: SuiteOptions
  ) throws(FileProblem) -> [SuiteText] {
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    return SuiteText.all(
      source, streaming: streaming,
      in: options.databases.choice(of: path, rules: options.rulesPath))
  }

  /// Loads the suite in a text; nil if it cannot be run, or if nothing of it is to be run: the same suite was
  /// loaded for another database of rules that do not depend on the database, or only claims are wanted and
  /// it has none.
  mutating func load(_ text: SuiteText) -> LoadedSuite? {
    do throws(FileProblem) {
      switch text.content {
      case .rulesTest where options.part == .claims:
        refuse(SuiteReader.read(text.source).diagnostics, in: text.source)
      case .rulesTest: return try loadRulesTest(text.source)
      case .stream(let stream): return try load(stream.suite, of: text, streaming: stream)
      case .suite(let suite?, _): return try load(suite, of: text)
      case .suite(nil, let diagnostics): refuse(diagnostics, in: text.source)
      }
    } catch {
      refuse(error.message, about: error.path)
    }
    return nil
  }

  private mutating func load(
    _ suite: Suite, of text: SuiteText, streaming stream: SuiteStream? = nil
  ) throws(FileProblem) -> LoadedSuite? {
    let source = text.source
    if options.part == .claims, !suite.claims.contains(where: { options.wants($0.name) }) {
      return nil
    }
    guard let path = rulesPath(of: suite, in: source) else { return nil }
    let found: Checked?
    do throws(FileProblem) {
      found = try checked(path, for: suite.database)
    } catch {
      guard options.rulesPath == nil else { throw error }
      let unreadable = Diagnostic(
        .unreadable, severity: .error, message: "the rules cannot be read: \(error.message)",
        at: suite.rulesRange)
      refuse([unreadable], in: source)
      return nil
    }
    guard let checked = found else {
      refuse("not run: \(path) does not compile", about: source.name, code: .suite)
      return nil
    }
    if text.isRepetition, !checked.dependsOnDatabase { return nil }
    return load(suite, streaming: stream, about: checked, at: path)
  }

  /// Binds a suite to rules; nil if one of its claims is wrong. Errors without a text are those of claims on
  /// the command line.
  mutating func load(
    _ suite: Suite, streaming stream: SuiteStream? = nil, about rules: Checked, at path: String
  ) -> LoadedSuite? {
    do throws(ClaimSet.Refusal) {
      return try LoadedSuite(
        suite, options.part, streaming: stream, rulesPath: path, about: rules,
        profile: options.profile, wanting: isWanted)
    } catch {
      if suite.source.bytes.isEmpty {
        for problem in error.problems {
          refuse(UsageProblem(problem.message, help: problem.help))
        }
      } else {
        refuse(error.diagnostics, in: suite.source)
      }
      return nil
    }
  }

  private var isWanted: ((String) -> Bool)? {
    guard options.filter != nil else { return nil }
    return { [options] in options.wants($0) }
  }

  // MARK: Parts

  /// Returns the path of a suite's rules file; nil if it names none.
  mutating func rulesPath(of suite: Suite, in source: SourceText) -> String? {
    if let given = options.rulesPath { return given }
    guard let named = suite.rulesPath else {
      refuse(
        [Self.missing("the suite names no rules", help: "add \"rules\": \"FILE\", or give ")],
        in: source)
      return nil
    }
    let path = FileSystem.plain(
      FilePath.join(FilePath.folder(of: source.name), with: String(named)))
    guard !FileSystem.isStream(path) else {
      let message = "the rules must be a file, but \(path) is a stream"
      refuse(
        [Diagnostic(.suite, severity: .error, message: message, at: suite.rulesRange)], in: source)
      return nil
    }
    return path
  }

  /// Returns the rules in a file as deployed to a database; nil if they do not compile.
  mutating func checked(
    _ path: String, for database: DatabaseName
  ) throws(FileProblem) -> Checked? {
    checked(in: try rules.load(path, for: database))
  }

  private mutating func checked(in outcome: Checker.Outcome) -> Checked? {
    if outcome.checked == nil { refuse(outcome.diagnostics, in: outcome.ruleset.source) }
    return outcome.checked
  }

  /// Reports the errors of a text that cannot be used.
  mutating func refuse(_ diagnostics: [Diagnostic], in source: SourceText) {
    complaints.print(diagnostics, in: source)
    // Several suites can be about the same rules.
    let isTold = refusals.contains { $0.file == source.name }
    if !isTold {
      refusals += diagnostics.filter { $0.severity == .error }.map { Annotation($0, in: source) }
    }
    status = .unusable
  }

  /// Reports a problem that keeps the run from being complete.
  mutating func refuse(_ problem: UsageProblem) {
    if let source = problem.source { return refuse(problem.diagnostics, in: source) }
    complaints.print(problem)
    refusals += [Annotation](problem)
    status = .unusable
  }

  /// Reports an error without a line, possibly of a file.
  mutating func refuse(_ message: String, about file: String = "", code: Code = .unreadable) {
    complaints.print(file.isEmpty || message.hasPrefix(file) ? message : "\(file): \(message)")
    refusals.append(Annotation(about: file, message: message, code: code))
    status = .unusable
  }

  private static func missing(_ message: String, help: String) -> Diagnostic {
    Diagnostic(
      .suite, severity: .error, message: message, at: SourceRange(start: UInt32(0), end: 1),
      help: help + "--rules FILE")
  }

  // MARK: Google's format

  private mutating func loadRulesTest(_ source: SourceText) throws(FileProblem) -> LoadedSuite? {
    let (file, diagnostics) = RulesTestFile.read(source)
    guard let file else {
      refuse(diagnostics, in: source)
      return nil
    }
    let path: String
    let found: Checked?
    if let given = options.rulesPath {
      path = given
      found = try checked(given, for: options.databases.named ?? .standard)
    } else if let text = file.rules {
      path = String(file.rulesName ?? "source.files[0]")
      found = checked(
        in: Checker.checkFirestore(
          SourceText(name: path, bytes: text.bytes), profile: .testapi))
    } else {
      refuse([Self.missing("the file has no \"source\"", help: "give ")], in: source)
      return nil
    }
    return found.map {
      LoadedSuite(
        file.tests, in: source, rulesPath: path, engine: Engine($0, profile: .testapi),
        wanting: isWanted)
    }
  }
}
