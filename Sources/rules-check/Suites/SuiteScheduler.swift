import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// The results of a suite.
struct SuiteResult: Sendable {
  /// The suite.
  let suite: LoadedSuite
  /// The entries of reports that were written for its tests.
  let entries: SpooledEntries
  /// The results of its tests.
  var tests: PortionResult
  /// The results of its claims, in order.
  var claims: [ClaimResult] = []
}

/// A scheduler of suites: one pool of threads runs their tests, in portions, and their claims, while later
/// suites are still being loaded. Results are returned in the order in which suites were added.
struct SuiteScheduler {
  private enum Finished: Sendable {
    case claim(ClaimResult, suite: Int)
    case portion(PortionResult, suite: Int)
  }

  /// The results collected so far.
  private struct Results: Sendable {
    /// The suites that were not returned yet.
    var suites: [SuiteResult] = []
    var coverage: CoverageReport?
    /// The coverage of the suite whose portions are arriving.
    var open: (suite: Int, file: CoverageReport.File)?

    mutating func add(_ finished: Finished) {
      switch finished {
      case .claim(let claim, let suite): suites[suite].claims.append(claim)
      case .portion(let portion, let suite):
        suites[suite].tests.add(portion)
        suites[suite].entries.add(portion.entries)
        if coverage != nil { cover(portion.traced, by: suite) }
      }
    }

    private mutating func cover(_ results: [TestResult], by suite: Int) {
      if open?.suite != suite {
        close()
        let loaded = suites[suite].suite
        open = coverage.map { (suite, $0.file(loaded.rulesPath, of: loaded.engine.rules)) }
      }
      open?.file.add(results)
    }

    /// Adds the coverage of the open suite to the total, unless some of its tests could not be read.
    mutating func close() {
      guard let covered = open else { return }
      open = nil
      if suites[covered.suite].tests.isReadable { coverage?.keep(covered.file) }
    }
  }

  private typealias Work = WorkPool<Finished, BaseEncodingCache, Results>.Work

  private let options: SuiteOptions
  private let now: Timestamp
  private let progress: Progress
  private var pool: WorkPool<Finished, BaseEncodingCache, Results>
  /// The names of the suites whose results wait to be returned; below, the numbers of their tests and claims.
  private var names: [String] = []
  private var testCount = 0
  private var claimCount = 0
  private var isLarge = false

  /// Minimum tests for which starting a thread pays.
  private static let testsWorthAThread = 200
  /// Minimum claims for which starting a thread pays.
  private static let claimsWorthAThread = 3
  /// Nanoseconds that one thread works on claims before a second one starts: one decides a dozen claims about
  /// the same documents in that time, and a second one would repeat their common work.
  private static let patience: UInt64 = 4_000_000
  /// Maximum waiting tests, because they take memory.
  private static let waitingTests = 500

  /// Makes an empty scheduler; `now` is the time of tests that set none.
  init(_ options: SuiteOptions, at now: Timestamp = Clock.now) {
    self.options = options
    self.now = now
    progress = Progress(isWanted: options.showsProgress)
    pool = WorkPool(
      Results(coverage: options.coverage), keeping: { BaseEncodingCache() },
      combining: { $0.add($1) })
  }

  /// The coverage of the returned suites, if it is measured.
  var coverage: CoverageReport? { pool.withTotal { $0.coverage } }

  /// Begins to run a suite, and returns finished results: none, or those of all suites added so far. A large
  /// suite is alone in the pool, so that only a part of it is in memory.
  mutating func add(_ suite: LoadedSuite) -> [SuiteResult] {
    let due = suite.stream == nil ? [] : finish()
    let tests = PortionRunner(suite, at: now, wanting: options)
    let place = pool.withTotal { total in
      total.suites.append(
        SuiteResult(
          suite: suite, entries: tests.entries, tests: PortionResult(entries: tests.entries.portion)
        ))
      return total.suites.count - 1
    }
    names.append(suite.source.name)
    testCount += suite.tests.count
    claimCount += suite.claims?.claims.count ?? 0
    isLarge = suite.stream != nil
    let portions = (0..<tests.portionCount).map { number -> [Work] in
      [{ @Sendable (_: inout BaseEncodingCache) in .portion(tests.run(number), suite: place) }]
    }
    pool.add(
      [claims(of: suite, at: place)] + portions, helpers: threads - 1,
      patience: testCount == 0 && !isLarge ? Self.patience : 0)
    return isLarge || testCount > Self.waitingTests ? due + finish() : due
  }

  private func claims(
    of suite: LoadedSuite, at place: Int
  ) -> [Work] {
    guard let set = suite.claims else { return [] }
    return set.claims.indices.map { index in
      { @Sendable [options] (encodings: inout BaseEncodingCache) in
        let isShown = options.showsExpected || set.claims[index].claim.expectation == .proved
        let result = suite.result(
          ofClaim: index, in: set, sharing: encodings, within: { options.limits.question() },
          shrinking: isShown, explaining: options.explainsProofs, clock: { Clock.nanoseconds })
        return .claim(result, suite: place)
      }
    }
  }

  private var threads: Int {
    if let jobs = options.jobs { return jobs }
    if isLarge { return Processors.available }
    let worth =
      testCount / Self.testsWorthAThread + claimCount / Self.claimsWorthAThread + 1
    return min(Processors.available, worth)
  }

  /// Waits for all suites, and returns their results.
  mutating func finish() -> [SuiteResult] {
    let name = names.count == 1 ? Printable.text(names[0]) : "\(names.count) suites"
    pool.finish { progress.show("\(name): \($0) %") }
    progress.clear()
    (names, testCount, claimCount, isLarge) = ([], 0, 0, false)
    return pool.withTotal { total in
      total.close()
      defer { total.suites = [] }
      return total.suites
    }
  }
}
