package import RulesEval
package import RulesLang

/// A suite that is ready to run: its rules are checked and deployed to its database, its claims compiled.
///
/// Everything that runs suites (the program, the editor's server, the page, the library) begins with this
/// type, so that all of them give the same results.
package struct LoadedSuite: Sendable {
  /// The parts of a suite that are wanted.
  package enum Part: Sendable { case tests, claims, both }

  /// The error of a text that cannot be run.
  package struct Refusal: Error, Sendable {
    /// The errors in the text.
    package var diagnostics: [Diagnostic]
  }

  /// The text of the suite.
  package let source: SourceText
  /// The path with which the rules file was opened.
  package let rulesPath: String
  /// The engine of the rules.
  package let engine: Engine
  /// The tests to run; empty if they are read while they are run.
  package let tests: [Test]
  /// The number of tests and claims in memory that a filter excludes.
  package private(set) var leftOut: Int
  /// The stream of a large suite's tests; nil if they are in memory.
  package let stream: SuiteStream?
  /// The claims of the suite, compiled; nil if it has none.
  package private(set) var claims: ClaimSet?
  /// The suite as it was read; nil if it is of Google's format.
  package let suite: Suite?

  /// Loads tests alone: of a suite, or in Google's format if there is no suite.
  ///
  /// - Parameters:
  ///   - source: The text of the tests.
  ///   - stream: The stream of the tests; nil if they are in memory.
  ///   - rulesPath: The path of the rules in reports.
  ///   - engine: The engine of the rules, as deployed to the suite's database.
  ///   - isWanted: The filter of names; nil for all.
  package init(
    _ all: [Test], in source: SourceText, of suite: Suite? = nil,
    streaming stream: SuiteStream? = nil, rulesPath: String, engine: Engine,
    wanting isWanted: ((String) -> Bool)? = nil
  ) {
    self.source = source
    self.rulesPath = rulesPath
    self.engine = engine
    self.stream = stream
    self.suite = suite
    let named = stream == nil ? all : []
    tests = isWanted.map { isWanted in named.filter { isWanted($0.displayName) } } ?? named
    leftOut = named.count - tests.count
  }

  /// Loads a suite about rules, which are deployed to its database. Throws the problems of its claims if
  /// these are wanted.
  package init(
    _ suite: Suite, _ part: Part = .both, streaming stream: SuiteStream? = nil, rulesPath: String,
    about rules: Checked, profile: Profile, wanting isWanted: ((String) -> Bool)? = nil
  ) throws(ClaimSet.Refusal) {
    let engine = Engine(rules.deployed(to: suite.database), profile: profile)
    self.init(
      part == .claims ? [] : suite.tests, in: suite.source, of: suite, streaming: stream,
      rulesPath: rulesPath, engine: engine, wanting: isWanted)
    guard part != .tests else { return }
    let wanted = suite.claims.filter { isWanted?($0.name) ?? true }
    leftOut += suite.claims.count - wanted.count
    if wanted.isEmpty { return }
    claims = try ClaimSet(wanted, about: engine.rules, profile: profile)
  }

  /// Loads the suite in a text once for each of its databases: with its tests for `database`, else for the
  /// one that it names, else for each to which the rules are deployed, if they depend on it; then for each
  /// other one that only claims name, with these claims alone. Throws the errors of the text and of its
  /// claims.
  ///
  /// - Parameter deployed: The databases of the rules; that of `rules` if there is none.
  package static func all(
    in source: SourceText, _ part: Part = .both, database: DatabaseName? = nil,
    deployed: [DatabaseName] = [], rulesPath: String, about rules: Checked, profile: Profile
  ) throws(Refusal) -> [LoadedSuite] {
    let databases = deployed.isEmpty ? [rules.database] : deployed
    let choice = DatabaseChoice(named: database) { _ in .to(databases) }
    var loaded: [LoadedSuite] = []
    for text in SuiteText.all(source, streaming: false, in: choice) {
      let suite: Suite
      switch text.content {
      case .suite(let read?, _): suite = read
      case .suite(nil, let diagnostics): throw Refusal(diagnostics: diagnostics)
      // Google's format is read as a suite to get the error that it is not one.
      case .rulesTest, .stream:
        throw Refusal(diagnostics: SuiteReader.read(source).diagnostics)
      }
      if text.isRepetition, !rules.dependsOnDatabase { continue }
      // If only claims of a suite are about a database, the suite has no test for it.
      if part == .tests, suite.tests.isEmpty, !loaded.isEmpty { continue }
      do throws(ClaimSet.Refusal) {
        loaded.append(
          try LoadedSuite(suite, part, rulesPath: rulesPath, about: rules, profile: profile))
      } catch {
        throw Refusal(diagnostics: error.diagnostics)
      }
    }
    return loaded
  }

  /// True if it has neither a test nor a claim, excluded ones included; for Google's format, none to run.
  package var isEmpty: Bool {
    stream == nil && (suite.map { $0.tests.isEmpty && $0.claims.isEmpty } ?? tests.isEmpty)
  }

  /// The documents stored before each test.
  package var documents: Documents { suite?.documents ?? Documents() }

  /// The names of fields in all documents that the suite stores or writes.
  package var fieldNames: Set<Text> { stream?.fieldNames ?? suite?.fieldNames ?? [] }
}
