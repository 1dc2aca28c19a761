import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

extension Rules {
  /// Decides a claim about all requests, for any stored documents. Throws if it is malformed.
  ///
  /// The effort is bounded by a number of steps, the same on every machine; a claim that exceeds it is
  /// undecided.
  public func prove(_ claim: Claim) throws(Failure) -> Verdict {
    let members = [JSON.Member("claims", value: JSON(.array([claim.json])))]
    let claims = try suite(members).claims
    guard let result = try results(of: claims).first else {
      throw Failure(.unusable, saying: "the claim cannot be understood")
    }
    let file = ProofReport.File(
      source: SourceText(name: "", ""), rulesPath: engine.rules.ruleset.source.name,
      rules: engine.rules.ruleset.source, results: [result])
    let text = ProofText(.plain, isQuiet: false).render(ProofReport(files: [file]))
    return Verdict(word: Verdict.Word(result.verdict), description: text)
  }

  /// Expects a claim to hold for all requests; throws the violating request, or the reason why the prover
  /// stopped.
  public func expectProved(
    _ claim: Claim, file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      let verdict = try prove(claim)
      switch verdict.word {
      case .proved: return
      case .undecided: throw Failure(.undecided, saying: verdict.description)
      case .violated, .vacuous: throw Failure(.unexpected, saying: verdict.description)
      }
    } catch {
      throw error.at(file, line)
    }
  }

  /// Returns the verdicts of the prover. A sequence of requests may begin with these documents.
  func results(
    of claims: [RulesEval.Claim], on documents: Documents = Documents()
  ) throws(Failure) -> [ClaimResult] {
    if claims.isEmpty { return [] }
    let set: ClaimSet
    do throws(ClaimSet.Refusal) {
      set = try ClaimSet(claims, about: engine.rules, profile: engine.profile)
    } catch {
      let lines = error.problems.map { problem in
        problem.message + (problem.help.map { "; \($0)" } ?? "")
      }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    return claims.indices.map { index in
      var prover = Prover(set, within: Budget(steps: Budget.questionSteps))
      prover.accepted = documents
      let verdict = prover.explain(prover.decide(index), of: index)
      return ClaimResult(
        claim: claims[index], verdict: verdict, nanoseconds: 0, rules: set.engine.rules.ruleset,
        profile: engine.profile)
    }
  }
}

extension Rules.Verdict.Word {
  fileprivate init(_ verdict: Verdict) {
    switch verdict {
    case .proved: self = .proved
    case .violated: self = .violated
    case .undecided: self = .undecided
    case .vacuous: self = .vacuous
    }
  }
}
