package import RulesLang

// The trusted checker of certificates. Prover and checker share no compiler, search or theory solver. The
// trusted code base is this module and, below it, the parser and name resolution of rules, the table of
// built-ins, patterns, and the evaluator's functions on constants.
//
// - The query is encoded again from rules and claim; a certificate cannot change it.
// - `rule` adds the clauses of a rule about values (`ValueRule`), which are valid for all values.
// - `learn` adds a clause that follows by reverse unit propagation (`ClauseBase`).
// - The last step of each query must be the empty clause.
//
// Sound: a confirmed claim holds, whoever wrote the lines. Reading the lines need not be trusted: whatever a
// line names, only valid clauses and their consequences are added.

/// Checks that the steps of a certificate prove its claim.
package enum ProofChecker {
  /// Checks an entry of a certificate against the rules that it names.
  ///
  /// - Returns: The number of proof steps.
  package static func check(
    _ entry: Certificate.Entry, about rules: Checked
  ) throws(CertificateProblem) -> Int {
    guard Certificate.hash(rules.ruleset.source) == entry.rulesHash else {
      throw CertificateProblem(line: entry.line + 1, message: "the text of the rules changed")
    }
    guard rules.database == entry.database else {
      throw CertificateProblem(
        line: entry.line,
        message:
          "it is about the database `\(String(entry.database.text))`, and the rules are those "
          + "of `\(String(rules.database.text))`")
    }
    let stated: StatedClaim
    do throws(StatementProblem) {
      stated = try StatedClaim(entry.claim, about: rules, profile: entry.profile)
    } catch {
      throw CertificateProblem(line: entry.line, message: error.message)
    }
    var lines = entry.steps[...]
    let last = lines.last?.number ?? entry.line
    for kind in stated.kinds {
      guard let first = lines.popFirst(), first.text == "question " + kind.line else {
        throw CertificateProblem(
          line: lines.first?.number ?? last, message: "the question \(kind.line) is missing")
      }
      var question = try check(first, against: stated, for: kind)
      while let line = lines.first, line.words.first != "question" {
        try question.take(line)
        lines = lines.dropFirst()
      }
      guard question.isRefuted else {
        throw CertificateProblem(
          line: lines.first.map { $0.number - 1 } ?? last,
          message: "the steps do not refute the question \(kind.line)")
      }
    }
    guard let extra = lines.first else { return entry.steps.count }
    throw extra.problem("the claim raises no such question")
  }

  private static func check(
    _ line: CertificateLine, against stated: StatedClaim, for kind: RequestKind
  ) throws(CertificateProblem) -> QuestionChecker {
    do throws(StatementProblem) {
      return QuestionChecker(try stated.question(for: kind))
    } catch {
      throw line.problem(error.message)
    }
  }
}

/// Checks the proof of one query.
private struct QuestionChecker {
  private var reader: StepReader
  private var base = ClauseBase()
  private var defined = 1
  private var texts = 0
  /// True if the empty clause has been derived.
  private(set) var isRefuted = false

  /// Maximum clause visits for one query, far above any genuine proof.
  private static let greatestEffort = 100_000_000
  private static let greatestTexts = 1_000

  init(_ question: Question) {
    reader = StepReader(question)
    extend()
    for axiom in question.axioms { base.add([axiom]) }
  }

  /// Adds the definitions of the conjunctions made since the last call.
  private mutating func extend() {
    let parts = reader.question.parts
    base.grow(to: parts.count)
    for node in defined..<max(defined, parts.count) where !parts[node].isEmpty {
      base.define(Prop(node: node), as: parts[node])
    }
    defined = parts.count
  }

  mutating func take(_ line: CertificateLine) throws(CertificateProblem) {
    if isRefuted { throw line.problem("one step too many") }
    switch try reader.step(line) {
    case .none: extend()
    case .rule(let rule):
      if case .text = rule { texts += 1 }
      guard texts <= Self.greatestTexts, let clauses = rule.clauses(in: &reader.question) else {
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
    if base.effort > Self.greatestEffort { throw line.problem("this takes too long to check") }
  }
}
