import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

/// A goal of a suite.
enum SuiteGoal {
  /// An outcome of a statement.
  struct Outcome: Hashable {
    /// The statement.
    var allow: AllowID
    /// The outcome.
    var outcome: StatementOutcome
  }

  /// An outcome of a part of a condition.
  struct Part: Hashable {
    /// The part.
    var expression: ExprID
    /// The outcome.
    var outcome: ExpressionOutcome

    /// Returns every part of conditions and functions that coverage counts, in the order of the text.
    static func all(of rules: Checked) -> [Part] {
      RuleCoverage(rules.ruleset).places(in: rules).flatMap { place -> [Part] in
        guard case .expression(let id) = place.subject else { return [] }
        let outcomes: [ExpressionOutcome] =
          place.possible == 2 ? [.isTrue, .isFalse] : [.isEvaluated]
        return outcomes.map { Part(expression: id, outcome: $0) }
      }
    }
  }

  case outcome(Outcome)
  case part(Part)
  /// A mutant, stored as its edit: the engines of all mutants together would take much memory.
  case change(Mutation)
}

/// A request that can become a test, or a test of the existing suite. A class, because it is passed on for
/// each mutant.
final class SuiteCandidate {
  /// The test to write; nil if it is in the suite already.
  let json: JSON?
  /// The test as read back.
  let test: Test
  /// The decisions on its requests.
  let decisions: [Decision]
  /// The outcomes of statements that it reaches.
  let outcomes: Set<SuiteGoal.Outcome>
  /// The outcomes of parts of conditions that it reaches.
  let parts: Set<SuiteGoal.Part>
  /// The statement that grants, else the first one that was tried.
  let statement: AllowID?
  /// The blocks that can affect it; nil for all.
  let blocks: Set<MatchID>?

  /// Creates a candidate of a test with its traced result.
  init(json: JSON?, test: Test, result: TestResult, judge: EditJudge) {
    blocks = judge.blocks(of: result.requests.map { $0.decision })
    self.json = json
    self.test = test
    let requests = result.requests.map { ($0.decision, $0.withoutTraces.decision) }
    decisions = requests.compactMap { $0.1 }
    // Made once: there may be a thousand statements, and as many tests.
    let tried = requests.flatMap { $0.0?.tried ?? [] }
    outcomes = Set(tried.map { SuiteGoal.Outcome(allow: $0.allow, outcome: $0.outcome) })
    var parts: Set<SuiteGoal.Part> = []
    for event in tried.flatMap({ $0.trace?.events ?? [] }) {
      let id = event.expression
      parts.insert(SuiteGoal.Part(expression: id, outcome: .isEvaluated))
      guard case .value(.bool(let flag)) = event.outcome else { continue }
      parts.insert(SuiteGoal.Part(expression: id, outcome: flag ? .isTrue : .isFalse))
    }
    self.parts = parts
    statement = tried.statement
  }

  /// True if the test fails under changed rules.
  func notices(
    _ changed: ChangedRules, on documents: Documents, now: Timestamp, within budget: Budget
  ) -> Bool {
    if !changed.mayMatter(to: blocks) { return false }
    let result = changed.engine.run(test, documents: documents, now: now, isRemarking: false)
    for one in result.requests { budget.charge(for: one.decision, by: changed.engine) }
    return !result.isPassed
  }
}

extension Tried {
  /// The outcome without the error.
  var outcome: StatementOutcome {
    switch result {
    case .granted: .granted
    case .refused: .refused
    case .failed: .failed
    }
  }
}

extension [Tried] {
  /// The statement that grants, else the first one that was tried.
  var statement: AllowID? {
    if let last, last.outcome == .granted { return last.allow }
    return first?.allow
  }
}
