import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// A decided claim, with the set in which it was compiled.
struct DecidedClaim: Sendable {
  /// The result.
  var result: ClaimResult
  /// The set of claims that were compiled together.
  var set: ClaimSet
  /// The index in the set.
  var index: Int

  /// Returns the result with notes about unknown fields of the claim: those that neither the rules nor the
  /// suite's documents mention.
  func lookingForFields(in documents: () -> Set<Text>) -> ClaimResult {
    var result = result
    result.unknownFields = self.set.unknownFields(of: index, others: documents)
    return result
  }
}

/// Decides claims by the prover, one at a time, on any thread.
struct ClaimRunner: Sendable {
  /// The settings.
  let options: SuiteOptions

  /// Decides one claim of a set. `grounds` is this thread's cache for the set, `documents` are those of the
  /// suite.
  func run(
    _ index: Int, of set: ClaimSet, sharing grounds: Grounds, beside documents: Documents
  ) -> DecidedClaim {
    let start = Clock.nanoseconds
    var prover = prover(set, sharing: grounds)
    prover.accepted = documents
    let claim = set.claims[index].claim
    let verdict = prover.decide(
      index, shrinking: options.showsExpected || claim.expectation == .proved)
    let nanoseconds = Clock.nanoseconds - start
    let explained = options.explainsProofs ? prover.explain(verdict, of: index) : verdict
    let result = ClaimResult(
      claim: claim, verdict: explained, nanoseconds: nanoseconds,
      rules: set.engine.rules.ruleset, profile: set.engine.profile)
    return DecidedClaim(result: result, set: set, index: index)
  }

  /// Returns a prover whose time for one claim starts now.
  func prover(_ set: ClaimSet, sharing grounds: Grounds = Grounds()) -> Prover {
    Prover(set, sharing: grounds, within: options.limits.question())
  }
}
