import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
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

/// Asks the prover about claims, one at a time, on any thread.
struct ClaimRunner: Sendable {
  /// What is wanted.
  let options: SuiteOptions

  /// Decides one claim of a set. `grounds` are those of the set on this thread.
  /// `documents` are those of its suite.
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

  /// A prover whose time for one claim begins now.
  func prover(_ set: ClaimSet, sharing grounds: Grounds = Grounds()) -> Prover {
    Prover(set, sharing: grounds, within: options.limits.question())
  }
}
