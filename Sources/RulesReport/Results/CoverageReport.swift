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
  private(set) var files: [File] = []
  /// The share that must be covered, in percent; nil if any will do.
  package var required: Double?

  /// Nothing is covered yet.
  package init(required: Double? = nil) { self.required = required }

  /// The coverage of all files together.
  var summary: CoverageSummary {
    files.reduce(CoverageSummary()) { $0.and($1.summary) }
  }

  /// Whether less is covered than was asked for.
  var isTooLow: Bool {
    guard let required else { return false }
    return summary.total.percent < required
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
  func naming(_ name: (String) -> String) -> CoverageReport {
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
  var complaint: String? {
    guard let required, isTooLow else { return nil }
    return "coverage is \(Self.text(summary.total.percent)) %, less than the \(required.plain) % "
      + "that --min-coverage asks for"
  }
}

extension Double {
  /// The number without a fraction that is zero.
  var plain: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
