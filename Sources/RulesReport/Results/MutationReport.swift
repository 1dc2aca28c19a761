import RulesEval
public import RulesLang
public import RulesProof

/// Everything that a report of mutation testing can say.
public struct MutationReport: Sendable {
  /// What a score counts as, in percent.
  public struct Thresholds: Sendable {
    /// From it on a score is good.
    public var high: Double
    /// Below it a score is bad.
    public var low: Double
    /// Below it the run fails.
    public var breaking: Double

    /// Thresholds in percent.
    public init(high: Double, low: Double, breaking: Double) {
      self.high = high
      self.low = low
      self.breaking = breaking
    }
  }

  /// What became of one change.
  public enum Fate: Sendable {
    /// A test notices it.
    case killed(String)
    /// A request is decided otherwise, and no test says so.
    case survived(DiffWitness, isLoosened: Bool)
    /// No request is decided otherwise; proved.
    case equivalent
    /// No test notices it, and it is not known whether any could.
    case unknown
    /// It does not compile.
    case invalid
  }

  /// A change with what became of it.
  public struct Mutant: Sendable {
    /// The change.
    public var edit: RulesEdit
    /// What became of it.
    public var fate: Fate

    /// What became of a change.
    public init(edit: RulesEdit, fate: Fate) {
      self.edit = edit
      self.fate = fate
    }

    /// Whether only an attack showed that it changes a decision.
    public var isMissed: Bool {
      if case .survived(let witness, _) = fate { return witness.missed != nil }
      return false
    }
  }

  /// The changes of one rules file.
  public struct File: Sendable {
    /// The file, as it was opened.
    public var path: String
    /// Its text.
    public var source: SourceText
    /// Its changes, by place.
    public var mutants: [Mutant]
    /// How long it took to try them.
    public var nanoseconds: UInt64
    /// The tests that fail on the rules as they are: they can notice nothing.
    public var failing: [String] = []

    /// What became of the changes of a file.
    public init(path: String, source: SourceText, mutants: [Mutant], nanoseconds: UInt64) {
      self.path = path
      self.source = source
      self.mutants = mutants
      self.nanoseconds = nanoseconds
    }
  }

  /// The rules files with their changes.
  public var files: [File]
  /// What the score counts as.
  public var thresholds: Thresholds
  /// Why something could not be looked at, in order.
  public var refusals: [Annotation]

  /// A report on the changes of some files, and on what could not be looked at.
  public init(files: [File], thresholds: Thresholds, refusals: [Annotation] = []) {
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

    /// The share of killed ones among those that change a decision, as far as that is known.
    var score: Double {
      let all = killed + survived + unknown
      return all == 0 ? 100 : Double(killed) * 100 / Double(all)
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

  /// The number of tests that fail on the rules as they are.
  var failingCount: Int { files.reduce(0) { $0 + $1.failing.count } }

  /// What it comes to: not to know whether a change matters is no success, nor are tests that fail
  /// before anything is changed.
  public var conclusion: Conclusion {
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
  /// The request that notices the change, as a test that expects what the rules say without it.
  func test(in source: SourceText) -> JSON? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    let line = source.line(of: edit.range.start)
    return SuiteWriter.test(
      name: "line \(line): \(edit.summary)", witness.request, on: witness.documents,
      expect: isLoosened ? .deny : .allow)
  }
}
