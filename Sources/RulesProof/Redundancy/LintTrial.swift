import RulesEval
package import RulesLang
package import RulesSolver
package import RulesStyle

/// Decides the guesses of lints by comparing two versions of rules.
package struct LintTrial {
  private let rules: Checked
  private let profile: Profile
  private let budget: Budget
  private let steps: Int

  /// Prepares for the guesses about some rules.
  ///
  /// - Parameter steps: Maximum steps for one guess.
  package init(
    _ rules: Checked, profile: Profile, within budget: Budget, steps: Int = Budget.questionSteps
  ) {
    self.rules = rules
    self.profile = profile
    self.budget = budget
    self.steps = steps
  }

  /// Returns the statements that never grant according to the findings, and the guesses that are proved or
  /// refuted. A guess that is not decided within the budget remains a guess.
  package func facts(after findings: [RedundancyFinding]) -> LintFacts {
    var facts = LintFacts()
    for finding in findings {
      if case .neverGrants(let allow, let methods) = finding.kind {
        facts.dead[allow, default: []].formUnion(methods)
      }
    }
    for guess in Linter.guesses(in: rules, knowing: facts) where !budget.isSpent {
      switch decide(guess) {
      case .nothing: facts.refuted.insert(guess.key)
      case .something: facts.shown.insert(guess.key)
      case .unknown, .invalid: continue
      }
    }
    return facts
  }

  private func decide(_ guess: LintGuess) -> EditEffect {
    guard let first = engine(guess.first), let second = engine(guess.second) else {
      return .invalid
    }
    let question = budget.question(steps: steps)
    defer { question.settle() }
    var comparison = RulesComparison(from: first, to: second, within: question)
    comparison.shrinks = false
    return comparison.effect()
  }

  private func engine(_ text: String) -> Engine? {
    let source = SourceText(name: "guess", text)
    budget.charge(Checked.steps(toCheck: source))
    return rules.checkAgain(source).checked.map { Engine($0, profile: profile) }
  }
}
