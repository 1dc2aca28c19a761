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

  /// The answer to a guess.
  package enum Answer: Sendable {
    /// The guess is wrong for every request.
    case refuted
    /// A request confirms the guess.
    case shown
    /// The guess is not decided.
    case open
  }

  /// Returns the statements that never grant according to the findings, and the guesses that are proved or
  /// refuted. A guess that is not decided within the budget remains a guess.
  ///
  /// - Parameter recall: Returns a known answer, or calls the function that finds it.
  package func facts(
    after findings: [RedundancyFinding],
    recalling recall: (LintGuess, () -> Answer) -> Answer = { $1() }
  ) -> LintFacts {
    var facts = LintFacts()
    for finding in findings {
      if case .neverGrants(let allow, let methods) = finding.kind {
        facts.dead[allow, default: []].formUnion(methods)
      }
    }
    for guess in Linter.guesses(in: rules, knowing: facts) where !budget.isSpent {
      switch recall(guess, { decide(guess) }) {
      case .refuted: facts.refuted.insert(guess.key)
      case .shown: facts.shown.insert(guess.key)
      case .open: continue
      }
    }
    return facts
  }

  private func decide(_ guess: LintGuess) -> Answer {
    guard let first = engine(guess.first), let second = engine(guess.second) else { return .open }
    let question = budget.question(steps: steps)
    defer { question.settle() }
    var comparison = RulesComparison(from: first, to: second, within: question)
    comparison.shrinks = false
    switch comparison.effect() {
    case .nothing: return .refuted
    case .something: return .shown
    case .unknown, .invalid: return .open
    }
  }

  private func engine(_ text: String) -> Engine? {
    let source = SourceText(name: "guess", text)
    budget.charge(Checked.steps(toCheck: source))
    return rules.checkAgain(source).checked.map { Engine($0, profile: profile) }
  }
}
