import RulesEval
import RulesLang
import RulesProof

// What reports of tests say of a claim that did not come out as its suite expects.

extension ClaimResult {
  /// The verdict as reports write it.
  var word: String { verdict.word }

  /// What is wrong, in a few words; nil if the claim came out as expected.
  var complaint: String? {
    if isPassed { return nil }
    return switch verdict {
    case .proved: "expected to be violated, and it is proved"
    case .violated: "violated"
    case .undecided: "undecided"
    }
  }

  /// What shows the verdict, a sentence each.
  var sentences: [String] {
    let rules = self.set.engine.rules.ruleset
    switch verdict {
    case .proved(let proof): return proof.notes
    case .violated(let counterexample):
      let sentence = counterexample.sentence(in: rules)
      guard let allow = counterexample.allow else { return [sentence] }
      let place = rules.source.position(of: rules[allow].keyword.start)
      return [sentence, "let through at \(rules.source.name):\(place.line):\(place.column)"]
    case .undecided(let doubts):
      return doubts.map { doubt in
        guard let range = doubt.range else { return doubt.reason }
        let place = rules.source.position(of: range.start)
        return "\(rules.source.name):\(place.line):\(place.column): \(doubt.reason)"
      }
    }
  }

  /// For a violated claim a test that shows it, ready to paste into a suite.
  var counterexample: JSON? {
    guard case .violated(let counterexample) = verdict else { return nil }
    return counterexample.test(name: claim.name)
  }
}
