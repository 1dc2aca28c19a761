package import RulesEval
package import RulesLang

/// What the tests of a run have covered, rules file by rules file.
package struct CoverageReport: Sendable {
  /// A test that coverage refers to.
  package struct TestName: Sendable {
    /// The name with its groups.
    package var name: String
    /// Who asks.
    package var principal: String?
  }

  /// One rules file.
  package struct File: Sendable {
    /// The file as it was opened.
    package var path: String
    /// The rules.
    package var rules: Checked
    /// What became of them.
    package var coverage: RuleCoverage
    /// The tests, by the numbers that the coverage uses.
    package var tests: [TestName] = []
    /// What counts, in source order.
    package var places: [CoveragePlace] = []
    /// How much of it was seen.
    package var summary = CoverageSummary()
    /// The databases that the project deploys it to, named if there are several; nil if it does not.
    package var databases: [String]?
    /// The databases among these for which no test was run on it, though the rules tell them apart.
    var untestedDatabases: [String] = []
    /// True if suites have claims about it, and no test.
    var hasClaims = false
    /// True if requests of a command are what is measured, and no suites.
    var isOfRequests = false

    /// True if the project deploys the file and no test was run on it.
    package var isUntested: Bool { databases != nil && tests.isEmpty }

    /// A sentence that no test was run on the file, or not for all of its databases; nil if tests were.
    var untestedWords: String? {
      if isUntested, isOfRequests { return "no request was decided by it" }
      if isUntested { return hasClaims ? "it has claims, but no test" : "no suite tests it" }
      return untestedDatabases.isEmpty
        ? nil
        : isOfRequests
          ? "no request was decided by it for the \(untestedDatabases.databaseWords)"
          : "no suite tests it for the \(untestedDatabases.databaseWords)"
    }

    /// Adds traced results, after those that were added before.
    package mutating func add(_ results: [TestResult]) {
      // A test with steps covers what each of its steps covers.
      for result in results.flatMap({ $0.requests }) {
        if let decision = result.decision { coverage.add(decision, test: tests.count) }
        tests.append(
          TestName(name: result.test.displayName, principal: result.test.principalName))
      }
    }
  }

  /// The rules files, in the order in which suites named them.
  package private(set) var files: [File] = []
  /// The share that must be covered, in percent; nil if any will do.
  package var required: Double?

  /// Nothing is covered yet.
  package init(required: Double? = nil) { self.required = required }

  /// The coverage of rules by requests that have no names.
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

  /// The coverage of the files that the project deploys; nil if it deploys none of them.
  private var deployedSummary: CoverageSummary? {
    let deployed = files.filter { $0.databases != nil }
    return deployed.isEmpty
      ? nil : deployed.reduce(CoverageSummary()) { $0.and($1.summary) }
  }

  /// True if less is covered than was asked for, or a file that is deployed is not tested at all.
  package var isTooLow: Bool { required != nil && !complaints.isEmpty }

  /// The files that the project deploys and that no test was run on, for one of its databases at least.
  package var untested: [File] { files.filter { $0.isUntested || !$0.untestedDatabases.isEmpty } }

  /// Notes that the project deploys rules; of a file that no suite has named nothing is covered.
  ///
  /// - Parameters:
  ///   - path: The rules file.
  ///   - rules: The rules in it.
  ///   - databases: The databases that it is deployed to, if there are several.
  ///   - untested: Those of them for which no test was run on it.
  ///   - hasClaims: True if suites have claims about it, and no test.
  ///   - isOfRequests: True if a command's requests are what is measured, and no suites.
  ///   - isNamedBy: Whether a path that a suite has for rules with this text leads to the file.
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

  /// Adds the traced results of a suite; suites of one rules file are counted together.
  package mutating func add(_ results: [TestResult], path: String, of rules: Checked) {
    var file = file(path, of: rules)
    file.add(results)
    keep(file)
  }

  /// What is known of a rules file so far.
  package func file(_ path: String, of rules: Checked) -> File {
    place(path, of: rules).map { files[$0] }
      ?? File(path: path, rules: rules, coverage: RuleCoverage(rules.ruleset))
  }

  /// Keeps what is known of a rules file now.
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

  /// The report with each file called what a function says.
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

  /// A share in percent with one decimal, never rounded up: 100.0 is everything.
  static func text(_ percent: Double) -> String {
    let tenths = Int((percent * 10).rounded(.down))
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// What is said of a run that covers too little; nil if it covers enough.
  package var complaint: String? {
    complaints.isEmpty ? nil : complaints.joined(separator: "; ")
  }

  /// Sentences about all that keeps the coverage below the minimum.
  package var complaints: [String] {
    guard let required else { return [] }
    let untested = untested.map { Self.complaint(of: $0) }
    return untested + (sumComplaint(required).map { [$0] } ?? [])
  }

  /// The sentence about a total that is too low; nil if it is high enough.
  package var sumComplaint: String? { required.flatMap { sumComplaint($0) } }

  private func sumComplaint(_ required: Double) -> String? {
    let demand = "less than the \(required.plain) % that --min-coverage asks for"
    let percent = summary.total.percent
    if percent < required { return "coverage is \(Self.text(percent)) %, \(demand)" }
    // Tests of what is not deployed do not make up for what is missing.
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
  /// The number without a fraction that is zero.
  package var plain: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
