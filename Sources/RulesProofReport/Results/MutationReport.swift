import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// Everything that a report of mutation testing can say.
package struct MutationReport: Sendable {
  /// What a score counts as, in percent.
  package struct Thresholds: Sendable {
    /// From it on a score is good.
    package var high: Double
    /// Below it a score is bad.
    package var low: Double
    /// Below it the run fails.
    package var breaking: Double

    /// Thresholds in percent.
    package init(high: Double, low: Double, breaking: Double) {
      self.high = high
      self.low = low
      self.breaking = breaking
    }
  }

  /// What became of one change.
  package enum Fate: Sendable {
    /// A test notices it.
    case killed(String)
    /// A request is decided otherwise, and no test says so.
    case survived(DiffWitness, isLoosened: Bool)
    /// No request is decided otherwise; proved.
    case equivalent
    /// No test notices it, and it is not known whether any could, for these reasons.
    case unknown([DiffDoubt])
    /// It does not compile.
    case invalid
  }

  /// A change with what became of it.
  package struct Mutant: Sendable {
    /// The change.
    package var edit: RulesEdit
    /// What became of it.
    package var fate: Fate

    /// What became of a change.
    package init(edit: RulesEdit, fate: Fate) {
      self.edit = edit
      self.fate = fate
    }

    /// Whether only an attack showed that it changes a decision.
    package var isMissed: Bool {
      if case .survived(let witness, _) = fate { return witness.missed != nil }
      return false
    }
  }

  /// The changes of one rules file.
  package struct File: Sendable {
    /// The file, as it was opened.
    package var path: String
    /// Its text.
    package var source: SourceText
    /// The database that it is deployed to.
    package var database: DatabaseName
    /// Its changes, by place.
    package var mutants: [Mutant]
    /// How long it took to try them.
    package var nanoseconds: UInt64
    /// The tests that fail on the rules as they are: they can notice nothing.
    package var failing: [String] = []

    /// True if no change counts: none can be noticed.
    package var isIdle: Bool {
      mutants.allSatisfy { mutant in
        switch mutant.fate {
        case .killed, .survived, .unknown: false
        case .equivalent, .invalid: true
        }
      }
    }

    /// What became of the changes of a file.
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

  /// The rules files with their changes.
  package var files: [File]
  /// What the score counts as.
  package var thresholds: Thresholds
  /// Why something could not be looked at, in order.
  package var refusals: [Annotation]

  /// A report on the changes of some files, and on what could not be looked at.
  package init(files: [File], thresholds: Thresholds, refusals: [Annotation] = []) {
    self.files = files
    self.thresholds = thresholds
    self.refusals = refusals
  }

  /// How many changes there are of each kind.
  struct Counts {
    var killed = 0
    var survived = 0
    var equivalent = 0
    var unknown = 0

    /// The share of killed ones among those that change a decision, as far as that is known; 0 if none
    /// does.
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

  /// The share of the changes that tests notice, in percent with one decimal.
  package var scoreText: String { Self.percent(counts.score) + " %" }

  /// The number of tests that fail on the rules as they are.
  var failingCount: Int { files.reduce(0) { $0 + $1.failing.count } }

  /// What it comes to: not to know whether a change matters is no success, nor are tests that fail
  /// before anything is changed.
  package var conclusion: Conclusion {
    if failingCount > 0 { return .failure }
    if counts.score < thresholds.breaking { return .failure }
    return counts.unknown > 0 ? .undecided : .success
  }

  /// A percentage with one decimal.
  static func percent(_ value: Double) -> String {
    let tenths = Int(value * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension MutationReport.Mutant {
  /// The reasons why it is not known whether any test could notice the change, with their lines in the
  /// unchanged rules.
  func reasons(in source: SourceText) -> [String] {
    guard case .unknown(let doubts) = fate else { return [] }
    var (found, placed): ([String], [String]) = ([], [])
    for one in doubts where one.side == .old {
      guard let range = one.doubt.range else { continue }
      let reason = "line \(source.line(of: range.start)): \(one.doubt.reason)"
      if !found.contains(reason) { found.append(reason) }
      placed.append(one.doubt.reason)
    }
    for reason in doubts.map({ $0.doubt.reason })
    where !placed.contains(reason) && !found.contains(reason) { found.append(reason) }
    return found
  }

  /// The request that notices the change, and what the rules say to it with the change and without; nil if
  /// none is known.
  var sentence: String? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    return witness.sentence
      + (isLoosened ? ": allowed only with the change" : ": denied only with the change")
  }

  /// The request that notices the change, as a test that expects what the rules say without it.
  func test(in source: SourceText) -> JSON? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    let line = source.line(of: edit.range.start)
    return SuiteWriter.test(
      name: "line \(line): \(edit.summary)", witness.request, on: witness.documents,
      expect: isLoosened ? .deny : .allow)
  }
}
