import RulesEncoding
package import RulesEval
import RulesLang
package import RulesSolver

// Repairs are built from existing parts: the claim's condition, the fields that a counterexample
// changes, the methods of a statement. Each step adds a conjunct to a statement that allows the
// counterexample, or removes a method from it, until there is no counterexample.
//
// Sound: for a proposed repair the claim is proved, all tests that passed still pass, and a
// comparison proves that nothing new is allowed and shows what is denied. Uses that the claim does
// not object to remain possible for somebody (`RepairUses`).

/// Searches for small changes of rules under which a claim is proved.
package struct RepairSearch {
  private let engine: Engine
  private let claim: Claim
  private let suite: Suite?
  private let now: Timestamp
  private let question: () -> Budget

  /// Prepares for a claim about rules.
  ///
  /// - Parameters:
  ///   - suite: The tests that must still pass.
  ///   - question: Creates the budget of each attempt.
  package init(
    _ engine: Engine, claim: Claim, suite: Suite?, at now: Timestamp,
    asking question: @escaping () -> Budget
  ) {
    self.engine = engine
    self.claim = claim
    self.suite = suite
    self.now = now
    self.question = question
  }

  /// Returns the repairs, the one that adds the claim's condition first. Methods are removed only
  /// if nothing else helps.
  package func repairs(of found: Counterexample) -> [Repair] {
    var repairs: [Repair] = []
    for kind in StatementChange.Kind.allCases {
      if kind == .remove, !repairs.isEmpty { break }
      guard let repair = repair(of: found, by: kind),
        !repairs.contains(where: { $0.rules.bytes == repair.rules.bytes })
      else { continue }
      repairs.append(repair)
    }
    return repairs
  }

  private func repair(of found: Counterexample, by kind: StatementChange.Kind) -> Repair? {
    var engine = engine
    var found = found
    var steps: [RepairStep] = []
    for _ in 0..<Strategy.tries {
      let culprit = found.steps.first ?? found
      // A condition on the last request does not limit the earlier ones.
      if !found.steps.isEmpty, kind == .require || kind == .requireInScope { return nil }
      guard let change = change(kind, against: culprit, in: engine.rules),
        let checked = engine.rules.checkAgain(change.rules).checked
      else { return nil }
      steps.append(change.step)
      engine = Engine(checked, profile: engine.profile)
      guard let set = try? ClaimSet([claim], about: checked, profile: engine.profile) else {
        return nil
      }
      var prover = Prover(set, within: question())
      prover.accepted = suite?.documents ?? Documents()
      switch prover.decide(0, checking: false) {
      case .proved: return accepted(engine, steps)
      case .violated(let next): found = next
      case .undecided, .vacuous: return nil
      }
    }
    return nil
  }

  /// Returns the change of a kind. A condition that proofs do not support is replaced by excluding
  /// the collection.
  private func change(
    _ kind: StatementChange.Kind, against found: Counterexample, in rules: Checked
  ) -> StatementChange? {
    let change = StatementChange(kind, against: found, of: claim, in: rules)
    guard kind == .require || kind == .requireInScope, change?.looksIntoRun ?? false else {
      return change
    }
    return StatementChange(.leaveOut, against: found, of: claim, in: rules) ?? change
  }

  /// Returns the changed rules as a repair; nil if it is not proved that they allow nothing new, or if
  /// they remove a use for everybody or fail a test.
  private func accepted(_ changed: Engine, _ steps: [RepairStep]) -> Repair? {
    for test in suite?.tests ?? [] {
      guard engine.run(test, documents: suite?.documents ?? Documents(), now: now).isPassed else {
        continue
      }
      let result = changed.run(test, documents: suite?.documents ?? Documents(), now: now)
      if !result.isPassed { return nil }
    }
    let uses = RepairUses(claim, from: engine, to: changed, asking: question)
    guard uses.areKept(by: steps) else { return nil }
    var takesAway: [String] = []
    var comparison = RulesComparison(from: engine, to: changed, within: question())
    comparison.saysWhoCan = false
    for path in comparison.run() {
      for method in path.methods {
        switch method.verdict {
        case .tightened, .equivalent: if method.mayBeLoosened { return nil }
        case .loosened, .changed, .undecided: return nil
        }
      }
      takesAway += path.differences.map { $0.loss(at: path.path) }
    }
    let (old, new) = (engine.rules.ruleset.source, changed.rules.ruleset.source)
    return Repair(
      rules: new, change: steps.sentence, lines: new.lines(besides: old), takesAway: takesAway)
  }
}

extension AccessChange {
  /// A lost access in a sentence: "the owner can no longer change `fcmToken` of /users/{uid}".
  fileprivate func loss(at path: String) -> String {
    let verbs = witnesses.map { $0.verb }
    if !isLoosened, remaining == nil, verbs == [Method.update.word], !what.isEmpty {
      let said = ([who, "can no longer change", "\(what) of \(path)"] + conditions)
      return said.joined(separator: " ")
    }
    return sentence(path).replacing(" may no longer ", with: " can no longer ")
      .replacing("nobody may ", with: "nobody can ").replacing(" may still ", with: " can still ")
  }
}

extension String {
  /// Returns the text with the first occurrence replaced.
  fileprivate func replacing(_ words: String, with others: String) -> String {
    let (text, old) = (Array(utf8), Array(words.utf8))
    guard text.count >= old.count else { return self }
    for start in 0...(text.count - old.count)
    where text[start..<(start + old.count)].elementsEqual(old) {
      return String(
        decoding: text[..<start] + Array(others.utf8) + text[(start + old.count)...],
        as: UTF8.self)
    }
    return self
  }
}

extension SourceText {
  /// Returns the lines that an older text lacks or has less often, trimmed.
  fileprivate func lines(besides old: SourceText) -> [String] {
    var left: [String: Int] = [:]
    for line in old.plainLines { left[line, default: 0] += 1 }
    return plainLines.filter { line in
      guard let count = left[line], count > 0 else { return true }
      left[line] = count - 1
      return false
    }
  }

  /// The lines, trimmed.
  fileprivate var plainLines: [String] {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    return bytes.split(separator: 0x0A).map { line in
      let rest = line.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }
      return String(decoding: Array(rest.reversed()), as: UTF8.self)
    }
  }
}
