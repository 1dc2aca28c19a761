import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// A claim that was decided, with what can be asked of it further.
struct DecidedClaim: Sendable {
  /// What came of it.
  var result: ClaimResult
  /// The claims that it was compiled with.
  var set: ClaimSet
  /// Which of them it is.
  var index: Int

  /// The result with what is to be said of the claim's fields: what the rules do not mention is looked
  /// for in a suite's documents.
  func lookingForFields(in documents: () -> Set<Text>) -> ClaimResult {
    var result = result
    result.unknownFields = self.set.unknownFields(of: index, others: documents)
    return result
  }
}

/// Asks the prover about claims.
struct ClaimRunner: Sendable {
  /// What one claim may cost.
  private let limits: QuestionLimits
  private let explains: Bool
  /// Whether a counterexample that was expected is shown, too.
  private let showsExpected: Bool
  /// How many threads decide claims; as many as pay if that was not said.
  private let jobs: Int?
  /// So many claims take longer than it takes to start a thread.
  private static let claimsWorthAThread = 3
  /// In so many nanoseconds one thread decides a dozen claims about the same documents: a second one
  /// would state and try once more what they have in common.
  private static let patience: UInt64 = 4_000_000

  /// Decides claims as is wanted.
  init(_ options: SuiteOptions) {
    explains = options.explainsProofs
    showsExpected = options.showsExpected
    limits = options.limits
    jobs = options.jobs
  }

  /// Decides claims about rules, on all cores, or says what is wrong with them. What came of them is
  /// in the order of the claims.
  func run(
    _ claims: [Claim], about rules: Checked, profile: Profile
  ) throws(ClaimSet.Refusal) -> [DecidedClaim] {
    if claims.isEmpty { return [] }
    let set = try ClaimSet(claims, about: rules, profile: profile)
    let threads = jobs ?? min(Processors.available, Self.threadsWorth(claims: claims.count))
    return Workers.map(
      claims.count, jobs: threads, patience: Self.patience, keeping: { Grounds() },
      work: { index, grounds in run(index, of: set, sharing: grounds) })
  }

  /// How many threads are worth starting for so many claims.
  static func threadsWorth(claims count: Int) -> Int { count / claimsWorthAThread + 1 }

  /// Decides one claim of a set. `grounds` are those of the set on this thread.
  func run(_ index: Int, of set: ClaimSet, sharing grounds: Grounds) -> DecidedClaim {
    let start = Clock.nanoseconds
    let prover = prover(set, sharing: grounds)
    let claim = set.claims[index].claim
    let verdict = prover.decide(index, shrinking: showsExpected || claim.expectation == .proved)
    let nanoseconds = Clock.nanoseconds - start
    let explained = explains ? prover.explain(verdict, of: index) : verdict
    let result = ClaimResult(
      claim: claim, verdict: explained, nanoseconds: nanoseconds,
      rules: set.engine.rules.ruleset, profile: set.engine.profile)
    return DecidedClaim(result: result, set: set, index: index)
  }

  /// A prover whose time for one claim begins now.
  func prover(_ set: ClaimSet, sharing grounds: Grounds = Grounds()) -> Prover {
    Prover(set, sharing: grounds, within: limits.question())
  }
}

extension ClaimSet.Refusal {
  /// What is wrong with claims, as diagnostics of the text that they were read from.
  var diagnostics: [Diagnostic] {
    problems.map {
      Diagnostic(.suite, severity: .error, message: $0.message, at: $0.range, help: $0.help)
    }
  }
}
