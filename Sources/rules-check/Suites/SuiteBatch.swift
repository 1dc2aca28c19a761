import RulesEval
import RulesHost
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
  /// The suite as it was read; nil if it is of Google's format.
  var suite: Suite?
}

/// Suites whose tests and claims are run while those after them are still being read, so that all
/// threads have work until the last of them is done.
struct SuiteBatch {
  /// The suites.
  private(set) var suites: [ReadySuite] = []
  private(set) var testCount = 0
  private var claimCount = 0
  private let claims: ClaimRunner
  /// How many threads there are to be, if that was said.
  private let jobs: Int?
  private var queue = WorkQueue<Done, Kept> { Kept() }

  /// What came of a suite.
  struct Outcome {
    /// What came of its tests, in order, and how long each took.
    var tests: [(result: TestResult, nanoseconds: UInt64)] = []
    /// What came of its claims, in order.
    var claims: [DecidedClaim] = []
  }

  private enum Done: Sendable {
    case claim(suite: Int, DecidedClaim)
    case tests(suite: Int, [(result: TestResult, nanoseconds: UInt64)])
  }

  /// The grounds that a thread's last claim was decided on.
  private struct Kept {
    var suite = -1
    var grounds = Grounds()
  }

  /// So many tests take longer than it takes to start a thread.
  private static let testsWorthAThread = 200

  /// Makes an empty batch, for so many threads or, without `jobs`, for as many as pay.
  init(deciding claims: ClaimRunner, jobs: Int?) {
    self.claims = claims
    self.jobs = jobs
  }

  /// Adds a suite.
  mutating func add(_ suite: ReadySuite) {
    let place = suites.count
    suites.append(suite)
    testCount += suite.tests.tests.count
    claimCount += suite.claims?.claims.count ?? 0
    queue.add(works(suite, place), helpers: threads - 1)
  }

  private var threads: Int {
    if let jobs { return jobs }
    let worth =
      testCount / Self.testsWorthAThread + ClaimRunner.threadsWorth(claims: claimCount)
    return min(Processors.available, worth)
  }

  private func works(_ suite: ReadySuite, _ place: Int) -> [WorkQueue<Done, Kept>.Work] {
    var works: [WorkQueue<Done, Kept>.Work] = []
    if let set = suite.claims {
      let claims = claims
      for index in set.claims.indices {
        works.append { kept in
          if kept.suite != place { kept = Kept(suite: place) }
          return .claim(suite: place, claims.run(index, of: set, sharing: kept.grounds))
        }
      }
    }
    let tests = suite.tests
    for portion in 0..<tests.portionCount {
      works.append { _ in .tests(suite: place, tests.run(portion)) }
    }
    return works
  }

  /// Waits until everything is done; what came of each suite, in order. `progress` is told how much of
  /// a hundred is done.
  func finish(progress: (Int) -> Void) -> [Outcome] {
    var outcomes = Array(repeating: Outcome(), count: suites.count)
    for piece in queue.finish(progress: progress) {
      switch piece {
      case .claim(let suite, let result): outcomes[suite].claims.append(result)
      case .tests(let suite, let results): outcomes[suite].tests += results
      }
    }
    return outcomes
  }
}
