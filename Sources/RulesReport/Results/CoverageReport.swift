package import RulesEval
package import RulesLang

/// The coverage of a run's tests, by rules file.
package struct CoverageReport: Sendable {
  /// One rules file.
  package struct File: Sendable {
    /// The path with which it was opened.
    package var path: String
    /// The rules.
    package var rules: Checked
    /// The outcome counts of its statements and expressions.
    package var coverage: RuleCoverage
    /// The titles of the tests, by the numbers in `coverage`.
    package var tests: [String] = []
    /// The places that count, in source order.
    package var places: [CoveragePlace] = []
    /// The coverage figures.
    package var summary = CoverageSummary()
    /// The databases that the project deploys it to, named if there are several; nil if it is not deployed.
    package var databases: [String]?
    /// The databases among these without a test of the file, though its decisions may depend on the database.
    var untestedDatabases: [String] = []
    /// True if suites have claims about it, and no test.
    var hasClaims = false
    /// True if coverage of a command's requests is measured, not of suites.
    var isOfRequests = false

    /// True if the project deploys the file and it has no test.
    package var isUntested: Bool { databases != nil && tests.isEmpty }

    /// A sentence that the file has no test, or none for some databases; nil if it has.
    var untestedWords: String? {
      if isUntested, isOfRequests { return "no request was decided by it" }
      if isUntested { return hasClaims ? "it has claims, but no test" : "no suite tests it" }
      return untestedDatabases.isEmpty
        ? nil
        : isOfRequests
          ? "no request was decided by it for the \(untestedDatabases.databaseWords)"
          : "no suite tests it for the \(untestedDatabases.databaseWords)"
    }

    /// Adds traced results, whose test numbers continue those of earlier ones.
    package mutating func add(_ results: [TestResult]) {
      // A test with steps covers what each of its steps covers.
      for result in results.flatMap({ $0.requests }) {
        if let decision = result.decision { coverage.add(decision, test: tests.count) }
        tests.append(result.test.title)
      }
    }
  }

  /// The rules files, in the order in which suites named them.
  package private(set) var files: [File] = []
  /// The minimum coverage in percent; nil if there is none.
  package var required: Double?

  /// Creates an empty report.
  package init(required: Double? = nil) { self.required = required }

  /// Creates the report of rules covered by requests that have no names.
  package init(of rules: Checked, _ coverage: RuleCoverage) {
    var file = file(rules.ruleset.source.name, of: rules)
    file.coverage = coverage
    file.isOfRequests = true
    keep(file)
  }

  /// The coverage of all files together.
  var summary: CoverageSummary {
    files.reduce(CoverageSummary()) { $0.and($1.summary) }
  }

  /// The coverage of the deployed files together; nil if the project deploys none of them.
  private var deployedSummary: CoverageSummary? {
    let deployed = files.filter { $0.databases != nil }
    return deployed.isEmpty
      ? nil : deployed.reduce(CoverageSummary()) { $0.and($1.summary) }
  }

  /// True if coverage is below the minimum, or if there is a minimum and a deployed file has no test.
  package var isTooLow: Bool { required != nil && !complaints.isEmpty }

  /// The deployed files without a test, for one of their databases at least.
  package var untested: [File] { files.filter { $0.isUntested || !$0.untestedDatabases.isEmpty } }

  /// Records that the project deploys rules; a file that no suite names has no coverage.
  ///
  /// - Parameters:
  ///   - path: The rules file.
  ///   - rules: The rules in it.
  ///   - databases: The databases that it is deployed to, if there are several.
  ///   - untested: Those of them without a test of the file.
  ///   - hasClaims: True if suites have claims about it, and no test.
  ///   - isOfRequests: True if coverage of a command's requests is measured, not of suites.
  ///   - isNamedBy: True for a suite's path of rules with this text if it leads to the file.
  package mutating func deploy(
    _ path: String, _ rules: Checked, to databases: [String], untested: [String] = [],
    hasClaims: Bool = false, isOfRequests: Bool = false, isNamedBy: (String) -> Bool
  ) {
    let bytes = rules.ruleset.source.bytes
    let known = files.firstIndex {
      $0.rules.ruleset.source.bytes == bytes && isNamedBy($0.path)
    }
    var file = known.map { files[$0] } ?? self.file(path, of: rules)
    file.databases = databases
    file.untestedDatabases = untested
    file.hasClaims = hasClaims
    file.isOfRequests = isOfRequests
    keep(file)
  }

  /// Adds the traced results of a suite; suites with the same rules file are counted together.
  package mutating func add(_ results: [TestResult], path: String, of rules: Checked) {
    var file = file(path, of: rules)
    file.add(results)
    keep(file)
  }

  /// Returns the coverage of a rules file so far.
  package func file(_ path: String, of rules: Checked) -> File {
    place(path, of: rules).map { files[$0] }
      ?? File(path: path, rules: rules, coverage: RuleCoverage(rules.ruleset))
  }

  /// Stores the coverage of a rules file.
  package mutating func keep(_ file: File) {
    var file = file
    file.places = file.coverage.places(in: file.rules)
    file.summary = CoverageSummary(file.places)
    if let place = place(file.path, of: file.rules) {
      files[place] = file
    } else {
      files.append(file)
    }
  }

  /// Returns the report with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> CoverageReport {
    var report = self
    for place in report.files.indices {
      let rules = files[place].rules
      report.files[place].path = name(files[place].path)
      report.files[place].rules = rules.renamed(name(rules.ruleset.source.name))
    }
    return report
  }

  private func place(_ path: String, of rules: Checked) -> Int? {
    files.firstIndex {
      $0.path == path && $0.rules.ruleset.source.bytes == rules.ruleset.source.bytes
    }
  }

  /// Returns a share in percent with one decimal, never rounded up: 100.0 means everything.
  static func text(_ percent: Double) -> String {
    let tenths = Int((percent * 10).rounded(.down))
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The sentence about a run that covers too little; nil if it covers enough.
  package var complaint: String? {
    complaints.isEmpty ? nil : complaints.joined(separator: "; ")
  }

  /// Sentences about everything that keeps the coverage below the minimum.
  package var complaints: [String] {
    guard let required else { return [] }
    let untested = untested.map { Self.complaint(of: $0) }
    return untested + (sumComplaint(required).map { [$0] } ?? [])
  }

  /// The sentence about a total below the minimum; nil if it is high enough.
  package var sumComplaint: String? { required.flatMap { sumComplaint($0) } }

  private func sumComplaint(_ required: Double) -> String? {
    let demand = "less than the \(required.plain) % that --min-coverage requires"
    let percent = summary.total.percent
    if percent < required { return "coverage is \(Self.text(percent)) %, \(demand)" }
    // Coverage of rules that are not deployed does not make up for missing coverage.
    guard let deployed = deployedSummary?.total.percent, deployed < required else { return nil }
    return "coverage of the rules that are deployed is \(Self.text(deployed)) %, \(demand)"
  }

  /// Returns the sentence about a deployed file that no suite tests.
  package static func complaint(of file: File) -> String {
    let databases = file.isUntested ? file.databases ?? [] : file.untestedDatabases
    if file.isOfRequests { return "no request was decided by \(file.path): its coverage is 0 %" }
    return ProjectNotice.untested(file.path, databases, hasClaims: file.hasClaims)
      + ": its coverage is 0 %"
  }
}

extension Double {
  /// The number, without a decimal point if it is whole.
  package var plain: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
