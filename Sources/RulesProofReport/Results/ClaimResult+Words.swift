import RulesEncoding
import RulesEval
import RulesLang
import RulesProof

// The words of test reports for a claim without the expected verdict.

extension ClaimResult {
  /// The verdict as reports write it.
  package var word: String { verdict.word }

  /// The problem in a few words; nil if the claim has the expected verdict.
  var complaint: String? {
    if isPassed { return nil }
    return switch verdict {
    case .proved: "expected to be \(claim.expectation.word), and it is proved"
    case .violated: "violated"
    case .undecided: "undecided"
    case .vacuous: "vacuous: it covers no request"
    }
  }

  /// True if the claim is proved because no request in its scope is ever granted.
  package var grantsNothing: Bool {
    if case .proved(let proof) = verdict { return proof.grantsNothing }
    return false
  }

  /// True if the claim is proved, and the proof checker has not confirmed it.
  var isUnchecked: Bool { uncheckedReason != nil }

  /// The reason why the proof checker has not confirmed a proved claim; nil for all other claims.
  var uncheckedReason: String? {
    if case .proved(let proof) = verdict, case .unchecked(let reason) = proof.check {
      return reason.sentence
    }
    return nil
  }

  /// The notes of reports that list every claim: also that the proof is not checked.
  var listedRemarks: [String] {
    remarks + (uncheckedReason.map { ["not checked: \($0)"] } ?? [])
  }

  /// True if the claim has the expected verdict and there are notes about it.
  var isNoteworthy: Bool { isPassed && !remarks.isEmpty }

  /// Notes about the verdict, a sentence each: that it holds vacuously, or that a name in the claim may be
  /// misspelt.
  var remarks: [String] { provedRemarks + unknownFields.map { $0.sentence } }

  /// Notes about the proof of a proved claim.
  var provedRemarks: [String] {
    if case .proved(let proof) = verdict { return proof.notes }
    return []
  }

  /// The notes, with the reason why the claim covers no request if it is vacuous.
  var notes: [String] {
    if case .vacuous = verdict { return sentences + remarks }
    return remarks
  }

  /// The evidence for the verdict, a sentence each.
  var sentences: [String] {
    switch verdict {
    case .proved: return []
    case .vacuous(let vacuity): return [vacuity.sentence] + (isPassed ? [] : vacuity.help)
    case .violated(let counterexample):
      let sentence = counterexample.sentence(in: rules)
      guard let allow = counterexample.allow else { return [sentence] }
      let place = rules.source.position(of: rules[allow].keyword.start)
      return [sentence, "let through at \(rules.source.name):\(place.line):\(place.column)"]
    case .undecided(let openReasons):
      return openReasons.map { openReason in
        guard let range = openReason.range else { return openReason.reason }
        let place = rules.source.position(of: range.start)
        return "\(rules.source.name):\(place.line):\(place.column): \(openReason.reason)"
      }
    }
  }

  /// For a violated claim, a test that demonstrates it, to be put into a suite.
  var counterexample: JSON? {
    guard case .violated(let counterexample) = verdict else { return nil }
    return counterexample.test
  }

  /// For a violated claim, a test that fails until the claim holds, to be put into a suite.
  var closingTest: JSON? {
    guard case .violated(let counterexample) = verdict else { return nil }
    return counterexample.closingTest
  }
}

extension [ClaimResult] {
  /// Returns the number of claims by verdict: "30 proved, 15 violated as expected". Verdicts without claims
  /// are left out unless they are named. Proofs that the proof checker has not confirmed are counted.
  func verdictWords(naming named: [String]) -> String {
    var parts: [String] = []
    for word in ["proved", "violated", "undecided", "vacuous"] {
      let found = filter { $0.word == word }
      let expected = word == "proved" ? 0 : found.count { $0.isPassed }
      let others = found.count - expected
      if others > 0 || expected == 0 && named.contains(word) {
        let unchecked = found.count { $0.isUnchecked }
        parts.append("\(others) \(word)" + (unchecked > 0 ? " (\(unchecked) not checked)" : ""))
      }
      if expected > 0 { parts.append("\(expected) \(word) as expected") }
    }
    return parts.joined(separator: ", ")
  }
}
