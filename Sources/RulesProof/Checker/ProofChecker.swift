import RulesEval
import RulesLang

// Checks certificates. Of the prover it uses the compiler that turns rules and claims into
// propositions, which says what the question is, and nothing that looks for answers: neither the
// search nor the theories. What has to be believed is in this folder; the reading of lines is not part
// of it, since whatever a line names, only true clauses and what follows from them are ever added.
//
// - The question is compiled anew from the rules and the claim; the certificate cannot change it.
// - `rule` adds the clauses of a rule about values (`ValueRule`).
// - `learn` adds a clause that follows from what came before by unit propagation (`ClauseBase`).
// - The last step of each question must be the empty clause.

/// Checks that the steps of a certificate prove its claim.
public struct ProofChecker {
  private let set: ClaimSet

  /// Makes a checker for the one claim of a set, which was compiled from the certificate's claim.
  public init(_ set: ClaimSet) { self.set = set }

  /// Checks the steps, and returns their number.
  public func check(_ entry: Certificate.Entry) throws(CertificateProblem) -> Int {
    var lines = entry.steps[...]
    let last = lines.last?.number ?? 1
    for scenario in set.scenarios(of: set.claims[0]) {
      let goal = Goal(set.claims[0], in: set, for: scenario)
      guard let first = lines.popFirst(), first.text == "question " + scenario.line else {
        throw CertificateProblem(
          line: lines.first?.number ?? last, message: "the question \(scenario.line) is missing")
      }
      if let doubt = set.doubts(about: goal, set.claims[0]).first {
        throw first.problem(doubt.reason)
      }
      var question = QuestionChecker(goal)
      while let line = lines.first, line.words.first != "question" {
        try question.take(line)
        lines = lines.dropFirst()
      }
      guard question.isRefuted else {
        throw CertificateProblem(
          line: lines.first.map { $0.number - 1 } ?? last,
          message: "the steps do not refute the question \(scenario.line)")
      }
    }
    guard let extra = lines.first else { return entry.steps.count }
    throw extra.problem("the claim raises no such question")
  }
}

/// Checks the steps for one scenario.
private struct QuestionChecker {
  private var reader: StepReader
  private var base = ClauseBase()
  private var defined = 1
  /// Whether the empty clause has been derived.
  private(set) var isRefuted = false

  init(_ goal: Goal) {
    reader = StepReader(goal.compiler.problem)
    extend()
    for root in goal.roots + reader.problem.axioms { base.add([root]) }
  }

  /// Adds the meaning of the gates that are new.
  private mutating func extend() {
    let graph = reader.problem.graph
    base.grow(to: graph.count)
    for node in defined..<max(defined, graph.count) where !graph.children(of: node).isEmpty {
      base.define(Ref(node: Int32(node)), as: Array(graph.children(of: node)))
    }
    defined = graph.count
  }

  mutating func take(_ line: CertificateLine) throws(CertificateProblem) {
    if isRefuted { throw line.problem("one step too many") }
    switch try reader.step(line) {
    case .none: extend()
    case .rule(let rule):
      guard let clauses = rule.clauses(in: &reader.problem) else {
        throw line.problem("the rule does not apply")
      }
      extend()
      for clause in clauses { base.add(clause) }
    case .learn(let clause):
      guard base.refutes(clause.map { !$0 }) else {
        throw line.problem("the clause does not follow from those before it")
      }
      base.add(clause)
      isRefuted = clause.isEmpty
    }
  }
}
