import RulesEval
package import RulesLang
package import RulesProof

/// The cost of requests: what the tests have used, and upper bounds for any request, with the documented
/// limits.
package struct CostReport: Sendable {
  /// The cost of one test.
  package struct Spent: Sendable {
    /// The test's name, with the client.
    package var name: String
    /// The suite.
    package var suite: String
    /// The line of the test.
    package var line: Int
    /// The expressions for the document with most of them.
    package var expressions: Int
    /// The lookups that count.
    package var lookups: Int
    /// The limit of lookups for such a request.
    package var lookupLimit: Int
    /// The documents that are billed because the rules looked them up.
    package var reads: Int

    /// The share of the limits that was used; 1 is all.
    package var share: Double {
      max(
        Double(expressions) / Double(Limits.expressions), Double(lookups) / Double(lookupLimit))
    }
  }

  /// One rules file.
  package struct File: Sendable {
    /// The path with which it was opened.
    package var path: String
    /// The rules.
    package var rules: Checked
    /// The costs of its tests, in order.
    package var tests: [Spent] = []
    /// The upper bounds for any request.
    package var bounds: CostBounds
  }

  /// The rules files, in the order in which suites named them.
  package private(set) var files: [File] = []
  /// The maximum share of a limit, in percent; nil if there is none.
  package var greatest: Double?

  /// Creates the report of the tests of suites.
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

  /// Returns the report with file names mapped by a function.
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

  /// Sentences about costs above the maximum; none without a maximum.
  var complaints: [String] { excesses.map { "\($0.file):\($0.line): \($0.message)" } }

  /// A cost above the maximum.
  struct Excess {
    /// The suite of a test, or the rules.
    var file: String
    /// The line in that file, from 1.
    var line: Int
    /// The name of the test, or the method and path of the request.
    var subject: String
    /// The message about the subject, without it.
    var complaint: String

    /// The message.
    var message: String { "\(subject) \(complaint)" }
  }

  /// The costs above the maximum; none without a maximum.
  var excesses: [Excess] {
    guard let greatest else { return [] }
    return files.flatMap { file in
      let tests = file.tests.filter { $0.share * 100 > greatest }.map { test in
        Excess(
          file: test.suite, line: test.line, subject: test.name,
          complaint: "takes \(Self.percent(test.share)) of a limit")
      }
      let blocks = file.bounds.blocks.filter { $0.amount.share * 100 > greatest }.map { block in
        Excess(
          file: file.path, line: file.line(of: block),
          subject: "\(block.method.word) \(block.path)",
          complaint: "can take \(Self.percent(block.amount.share)) of a limit")
      }
      return tests + blocks
    }
  }

  /// True if a cost is above the maximum.
  var isTooHigh: Bool { !excesses.isEmpty }

  /// Returns a share in percent with one decimal, rounded up so that it never appears to be within the
  /// maximum.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded(.up))
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension CostReport.File {
  /// Returns the line of a statement.
  func line(of statement: CostBounds.Statement) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[statement.allow].keyword.start)
  }

  /// Returns the line on which a block begins.
  func line(of block: CostBounds.Block) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[block.match].keyword.start)
  }
}

extension Decision {
  /// The documented limit of lookups for the request: 10 for one document and for a query, 20 for several
  /// documents.
  fileprivate var lookupLimit: Int {
    accesses.count > 1 && accesses.allSatisfy { $0.access.document != nil } ? 20 : 10
  }
}
