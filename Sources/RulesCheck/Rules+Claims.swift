import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

extension Rules {
  /// Decides a claim about all requests, for any stored documents. Throws if it is malformed.
  ///
  /// A violation in several requests may begin with the documents of `storing`.
  ///
  /// The effort is bounded by a number of steps, the same on every machine; a claim that exceeds it is
  /// undecided.
  public func prove(_ claim: Claim) throws(Failure) -> Verdict {
    let members = [JSON.Member("claims", value: JSON(.array([claim.notation.json])))]
    let read = try self.suite(members)
    let suite: LoadedSuite
    do throws(ClaimSet.Refusal) {
      suite = try LoadedSuite(
        read, .claims, rulesPath: engine.rules.ruleset.source.name,
        about: engine.rules, profile: engine.profile)
    } catch {
      let lines = error.problems.map { problem in
        problem.message + (problem.help.map { "; \($0)" } ?? "")
      }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    let results = suite.claimResults(within: { Self.budget })
    guard let result = results.first else {
      throw Failure(.unusable, saying: "the claim cannot be understood")
    }
    let text = ProofText(.plain, isQuiet: false).render(
      ProofReport(files: [suite.proofFile(results)]))
    return Verdict(outcome: Verdict.Outcome(result.verdict), description: text)
  }

  /// Requires a verdict on a claim; throws the explanation of another one, such as the request that violates
  /// the claim, with the place of the call in front.
  public func require(
    _ outcome: Verdict.Outcome, _ claim: Claim, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      try check(outcome, claim)
    } catch {
      throw error.at(fileID, line)
    }
  }

  /// Requires a verdict on a claim; a failure does not name the place of the call.
  package func check(_ outcome: Verdict.Outcome, _ claim: Claim) throws(Failure) {
    let verdict = try prove(claim)
    if verdict.outcome == outcome { return }
    throw Failure(
      verdict.outcome == .undecided ? .undecided : .unexpected,
      saying: "expected \(outcome), the claim is \(verdict.outcome)\n\(verdict.description)")
  }

  /// The budget of one claim.
  static var budget: Budget { Budget(steps: Budget.questionSteps) }
}

extension Rules.Verdict.Outcome {
  fileprivate init(_ verdict: Verdict) {
    switch verdict {
    case .proved: self = .proved
    case .violated: self = .violated
    case .undecided: self = .undecided
    case .vacuous: self = .vacuous
    }
  }
}
