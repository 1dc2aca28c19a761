import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// All data of a mutation testing report.
package struct MutationReport: Sendable {
  /// The thresholds of a score, in percent.
  package struct Thresholds: Sendable {
    /// The minimum of a good score.
    package var high: Double
    /// The minimum of a score that is not bad.
    package var low: Double
    /// The minimum of a score with which the run succeeds.
    package var breaking: Double

    /// Creates thresholds in percent.
    package init(high: Double, low: Double, breaking: Double) {
      self.high = high
      self.low = low
      self.breaking = breaking
    }
  }

  /// The outcome of one mutant.
  package enum Fate: Sendable {
    /// A mutant that a test detects.
    case killed(String)
    /// A mutant that changes the decision on a request without any test detecting it.
    case survived(DiffWitness, isLoosened: Bool)
    /// A mutant that is proved to change no decision.
    case equivalent
    /// A mutant that no test detects, while it is not known whether any could, for these reasons.
    case unknown([DiffOpenReason])
    /// A mutant that does not compile.
    case invalid
  }

  /// A mutant: one change of the rules, with its outcome.
  package struct Mutant: Sendable {
    /// The change.
    package var edit: Mutation
    /// The outcome.
    package var fate: Fate
    /// The tests whose decisions the change may affect, by their index in the file's `tests`.
    package var coveredBy: [Int] = []
    /// The first test that detects the change, by its index in the file's `tests`.
    package var killedBy: Int?

    /// Creates a mutant.
    package init(edit: Mutation, fate: Fate) {
      self.edit = edit
      self.fate = fate
    }

    /// True if the prover missed the effect of the change and random testing found it.
    package var isMissed: Bool {
      if case .survived(let witness, _) = fate { return witness.missed != nil }
      return false
    }
  }

  /// A test that was run on the mutants of a rules file.
  package struct TestCase: Sendable {
    /// The name with its groups.
    package var name: String
    /// The suite, by its index in the file's `suites`.
    package var suite: Int
    /// The place in the suite.
    package var range: SourceRange

    /// Creates a test of a suite.
    package init(name: String, suite: Int, range: SourceRange) {
      self.name = name
      self.suite = suite
      self.range = range
    }
  }

  /// The mutants of one rules file.
  package struct File: Sendable {
    /// The path with which the file was opened.
    package var path: String
    /// The text.
    package var source: SourceText
    /// The database that it is deployed to.
    package var database: DatabaseName
    /// The mutants, by place.
    package var mutants: [Mutant]
    /// The time that trying the mutants took.
    package var nanoseconds: UInt64
    /// The tests that fail on the unchanged rules, so that they cannot detect anything.
    package var failing: [String] = []
    /// The suites, if tests are listed; their names are the paths with which they were opened.
    package var suites: [SourceText] = []
    /// The tests of all suites, in order, if they are listed.
    package var tests: [TestCase] = []

    /// True if no mutant counts, because none can be detected.
    package var isIdle: Bool {
      mutants.allSatisfy { mutant in
        switch mutant.fate {
        case .killed, .survived, .unknown: false
        case .equivalent, .invalid: true
        }
      }
    }

    /// Creates the results of a file.
    package init(
      path: String, source: SourceText, database: DatabaseName = .standard, mutants: [Mutant],
      nanoseconds: UInt64
    ) {
      self.path = path
      self.database = database
      self.source = source
      self.mutants = mutants
      self.nanoseconds = nanoseconds
    }
  }

  /// The rules files with their mutants.
  package var files: [File]
  /// The thresholds of the score.
  package var thresholds: Thresholds
  /// Errors of files that could not be tested, in order.
  package var refusals: [Annotation]

  /// Creates the report of some files, with the errors of others.
  package init(files: [File], thresholds: Thresholds, refusals: [Annotation] = []) {
    self.files = files
    self.thresholds = thresholds
    self.refusals = refusals
  }

  /// Counts of mutants by outcome.
  struct Counts {
    var killed = 0
    var survived = 0
    var equivalent = 0
    var unknown = 0

    /// The share of killed mutants among those known to change a decision; 0 if there are none.
    var score: Double {
      let all = killed + survived + unknown
      return all == 0 ? 0 : Double(killed) * 100 / Double(all)
    }

    init(_ files: [File]) {
      for mutant in files.flatMap({ $0.mutants }) {
        switch mutant.fate {
        case .killed: killed += 1
        case .survived: survived += 1
        case .equivalent: equivalent += 1
        case .unknown: unknown += 1
        case .invalid: break
        }
      }
    }
  }

  /// The counts over all files.
  var counts: Counts { Counts(files) }

  /// The score in percent with one decimal.
  package var scoreText: String { Self.percent(counts.score) + " %" }

  /// The number of tests that fail on the unchanged rules.
  var failingCount: Int { files.reduce(0) { $0 + $1.failing.count } }

  /// The outcome: mutants with an unknown effect do not count as success, nor do tests that fail on the
  /// unchanged rules.
  package var conclusion: Conclusion {
    if failingCount > 0 { return .failure }
    if counts.score < thresholds.breaking { return .failure }
    return counts.unknown > 0 ? .undecided : .success
  }

  /// Returns a percentage with one decimal.
  static func percent(_ value: Double) -> String {
    let tenths = Int(value * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension MutationReport.Mutant {
  /// Returns the reasons why the effect of the change is not known, with their lines in the unchanged rules.
  func reasons(in source: SourceText) -> [String] {
    guard case .unknown(let openReasons) = fate else { return [] }
    var (found, placed): ([String], [String]) = ([], [])
    for one in openReasons where one.side == .old {
      guard let range = one.openReason.range else { continue }
      let reason = "line \(source.line(of: range.start)): \(one.openReason.reason)"
      if !found.contains(reason) { found.append(reason) }
      placed.append(one.openReason.reason)
    }
    for reason in openReasons.map({ $0.openReason.reason })
    where !placed.contains(reason) && !found.contains(reason) { found.append(reason) }
    return found
  }

  /// A sentence about the request that detects the change, with the decisions with and without it; nil if
  /// none is known.
  var sentence: String? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    return witness.sentence
      + (isLoosened ? ": allowed only with the change" : ": denied only with the change")
  }

  /// Returns the request that detects the change, as a test that expects the decision of the unchanged rules.
  var test: JSON? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    let expectation: Test.Expectation = isLoosened ? .deny : .allow
    return SuiteWriter.test(
      name: RequestSentence.name(witness.request, on: witness.documents, expect: expectation),
      witness.request, on: witness.documents, expect: expectation)
  }
}
