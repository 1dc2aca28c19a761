import RulesEval
package import RulesLang
package import RulesProof

/// What requests cost: what the tests have spent, and what any request can spend, beside the documented
/// limits.
package struct CostReport: Sendable {
  /// What one test has spent.
  package struct Spent: Sendable {
    /// The test, with who asks.
    package var name: String
    /// The suite.
    package var suite: String
    /// The line of the test.
    package var line: Int
    /// The expressions for the document that took most.
    package var expressions: Int
    /// The lookups that count.
    package var lookups: Int
    /// How many lookups such a request may make.
    package var lookupLimit: Int
    /// The documents that are billed because the rules looked them up.
    package var reads: Int

    /// How much of the limits this is; 1 is all.
    package var share: Double {
      max(
        Double(expressions) / Double(Limits.expressions), Double(lookups) / Double(lookupLimit))
    }
  }

  /// One rules file.
  package struct File: Sendable {
    /// The file as it was opened.
    package var path: String
    /// The rules.
    package var rules: Checked
    /// What its tests have spent, in order.
    package var tests: [Spent] = []
    /// What any request can spend.
    package var bounds: CostBounds
  }

  /// The rules files, in the order in which suites named them.
  package private(set) var files: [File] = []
  /// The share of a limit in percent beyond which the run fails; nil if none does.
  package var greatest: Double?

  /// What the tests of suites have cost.
  package init(of suites: [TestReport.Suite], greatest: Double? = nil) {
    self.greatest = greatest
    for suite in suites {
      let place = files.firstIndex {
        $0.path == suite.rulesPath
          && $0.rules.ruleset.source.bytes == suite.rules.ruleset.source.bytes
      }
      if let place {
        files[place].tests += Self.spent(by: suite)
      } else {
        files.append(
          File(
            path: suite.rulesPath, rules: suite.rules, tests: Self.spent(by: suite),
            bounds: CostBounds(of: suite.rules)))
      }
    }
  }

  private static func spent(by suite: TestReport.Suite) -> [Spent] {
    suite.results.flatMap { result in
      result.requests.compactMap { request in
        guard let decision = request.decision else { return nil }
        return Spent(
          name: request.test.title, suite: suite.source.name,
          line: suite.source.line(of: request.test.range.start),
          expressions: decision.accesses.map { $0.expressions }.max() ?? 0,
          lookups: decision.lookups, lookupLimit: decision.lookupLimit,
          reads: decision.billedReads)
      }
    }
  }

  /// The report with each file called what a function says.
  func naming(_ name: (String) -> String) -> CostReport {
    var report = self
    for place in report.files.indices {
      let rules = files[place].rules
      report.files[place].path = name(files[place].path)
      report.files[place].rules = rules.renamed(name(rules.ruleset.source.name))
      for test in files[place].tests.indices {
        report.files[place].tests[test].suite = name(files[place].tests[test].suite)
      }
    }
    return report
  }

  /// What costs more than is allowed, a sentence each; none without a threshold.
  var complaints: [String] { excesses.map { "\($0.file):\($0.line): \($0.message)" } }

  /// Something that costs more than is allowed.
  struct Excess {
    /// The suite of a test, or the rules.
    var file: String
    /// The line there, from 1.
    var line: Int
    /// What costs how much.
    var message: String
  }

  /// What costs more than is allowed, each at its place; none without a threshold.
  var excesses: [Excess] {
    guard let greatest else { return [] }
    return files.flatMap { file in
      let tests = file.tests.filter { $0.share * 100 > greatest }.map { test in
        Excess(
          file: test.suite, line: test.line,
          message: "\(test.name) takes \(Self.percent(test.share)) of a limit")
      }
      let blocks = file.bounds.blocks.filter { $0.amount.share * 100 > greatest }.map { block in
        Excess(
          file: file.path, line: file.line(of: block),
          message: "\(block.method.word) \(block.path) can take "
            + "\(Self.percent(block.amount.share)) of a limit")
      }
      return tests + blocks
    }
  }

  /// Whether something costs more than is allowed.
  var isTooHigh: Bool { !excesses.isEmpty }

  /// A share in percent with one decimal, never rounded down to what is allowed.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded(.up))
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension CostReport.File {
  /// The line of a statement.
  func line(of statement: CostBounds.Statement) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[statement.allow].keyword.start)
  }

  /// The line on which a block begins.
  func line(of block: CostBounds.Block) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[block.match].keyword.start)
  }
}

extension Decision {
  /// How many lookups the request may make as documented: 10 for one document and for a query, 20 for
  /// several documents.
  fileprivate var lookupLimit: Int {
    accesses.count > 1 && accesses.allSatisfy { $0.access.document != nil } ? 20 : 10
  }
}
