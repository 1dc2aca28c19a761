import RulesEval
import RulesLang
import RulesProof

/// A suite whose tests and claims can be run: its rules are checked and its claims compiled.
struct ReadySuite: Sendable {
  /// The text of the suite.
  var source: SourceText
  /// The rules file, as it was opened.
  var rulesPath: String
  /// What runs its tests.
  var tests: TestRunner
  /// Its claims, compiled; nil if it has none.
  var claims: ClaimSet?

  /// The number of claims.
  var claimCount: Int { claims?.claims.count ?? 0 }
}

/// Suites that are run together, so that all threads have work until the last of them is done.
struct SuiteBatch {
  /// The suites.
  private(set) var suites: [ReadySuite] = []
  private(set) var testCount = 0
  private var claimCount = 0

  /// What came of a suite.
  struct Outcome {
    /// What came of its tests, in order, and how long each took.
    var tests: [(result: TestResult, nanoseconds: UInt64)] = []
    /// What came of its claims, in order.
    var claims: [ClaimResult] = []
  }

  private enum Piece: Sendable {
    case claim(suite: Int, Int)
    case tests(suite: Int, portion: Int)
  }

  private enum Done: Sendable {
    case claim(suite: Int, ClaimResult)
    case tests(suite: Int, [(result: TestResult, nanoseconds: UInt64)])
  }

  /// The grounds that a thread's last claim was decided on.
  private struct Kept {
    var suite = -1
    var grounds = Grounds()
  }

  /// So many tests take longer than it takes to start a thread.
  private static let testsWorthAThread = 200

  /// Adds a suite.
  mutating func add(_ suite: ReadySuite) {
    suites.append(suite)
    testCount += suite.tests.tests.count
    claimCount += suite.claimCount
  }

  /// How many threads are worth starting.
  var threads: Int {
    let worth =
      testCount / Self.testsWorthAThread + ClaimRunner.threadsWorth(claims: claimCount)
    return min(Workers.processors, worth)
  }

  /// Runs everything; what came of each suite, in order. `progress` is told how much of a hundred is
  /// done.
  func run(
    on threads: Int, deciding claims: ClaimRunner, progress: (Int) -> Void
  ) -> [Outcome] {
    let pieces = pieces
    let suites = suites
    let done = Workers.map(pieces.count, jobs: threads, keeping: { Kept() }) { number, kept in
      switch pieces[number] {
      case .claim(let suite, let index):
        if kept.suite != suite { kept = Kept(suite: suite) }
        guard let set = suites[suite].claims else { return Done.tests(suite: suite, []) }
        return .claim(suite: suite, claims.run(index, of: set, sharing: kept.grounds))
      case .tests(let suite, let portion):
        return .tests(suite: suite, suites[suite].tests.run(portion))
      }
    } progress: {
      progress($0 * 100 / pieces.count)
    }
    var outcomes = Array(repeating: Outcome(), count: suites.count)
    for piece in done {
      switch piece {
      case .claim(let suite, let result): outcomes[suite].claims.append(result)
      case .tests(let suite, let results): outcomes[suite].tests += results
      }
    }
    return outcomes
  }

  /// The claims, which take longest, come first.
  private var pieces: [Piece] {
    var pieces: [Piece] = []
    for (place, suite) in suites.enumerated() {
      for index in 0..<suite.claimCount { pieces.append(.claim(suite: place, index)) }
    }
    for (place, suite) in suites.enumerated() {
      for portion in 0..<suite.tests.portionCount {
        pieces.append(.tests(suite: place, portion: portion))
      }
    }
    return pieces
  }
}
