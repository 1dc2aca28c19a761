import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

/// What a suite can show.
enum SuiteGoal {
  /// How a statement came out.
  struct Outcome: Hashable {
    /// The statement.
    var allow: AllowID
    /// What it came to.
    var outcome: StatementOutcome
  }

  /// What a part of a condition came to.
  struct Part: Hashable {
    /// The part.
    var expression: ExprID
    /// What it came to.
    var outcome: ExpressionOutcome

    /// All that coverage counts of the parts of conditions and functions, in the order of the text.
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
  /// Kept as the edit: the engines of all changes together would take much room.
  case change(RulesEdit)
}

/// One request that can become a test, or a test that a suite has already. An object, for it is handed
/// around for each change of the rules.
final class SuiteCandidate {
  /// The test to be written; nil if it is there already.
  let json: JSON?
  /// The test as it is read.
  let test: Test
  /// What the rules say to each of its requests.
  let decisions: [Decision]
  /// The outcomes of statements that it shows.
  let outcomes: Set<SuiteGoal.Outcome>
  /// What it shows of the parts of conditions.
  let parts: Set<SuiteGoal.Part>
  /// The statement that grants, else the first one that was tried.
  let statement: AllowID?
  /// The blocks that have a part in it; nil for all.
  let blocks: Set<MatchID>?

  /// A test with what came of it, traced.
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

  /// Whether the test fails under rules with a change.
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
