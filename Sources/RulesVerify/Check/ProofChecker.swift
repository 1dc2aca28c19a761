package import RulesEval
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
      let question: Question
      do throws(StatementProblem) {
        question = try stated.question(for: kind)
      } catch {
        throw CertificateProblem(line: lines.first?.number ?? last, message: error.message)
      }
      _ = try refute(question, for: kind, by: &lines, endingAt: last)
    }
    guard let extra = lines.first else { return entry.steps.count }
    throw extra.problem("the claim raises no such question")
  }

  /// Checks that the first of `lines` refute a query, and removes them.
  ///
  /// - Parameter last: The line of an error if `lines` are too few.
  /// - Returns: The number of clause visits.
  private static func refute(
    _ question: Question, for kind: RequestKind, by lines: inout ArraySlice<CertificateLine>,
    endingAt last: Int
  ) throws(CertificateProblem) -> Int {
    guard let first = lines.popFirst(), first.text == "question " + kind.line else {
      throw CertificateProblem(
        line: lines.first?.number ?? last, message: "the question \(kind.line) is missing")
    }
    var checker = QuestionChecker(question)
    while let line = lines.first, line.words.first != "question" {
      try checker.take(line)
      lines = lines.dropFirst()
    }
    guard checker.isRefuted else {
      throw CertificateProblem(
        line: lines.first.map { $0.number - 1 } ?? last,
        message: "the steps do not refute the question \(kind.line)")
    }
    return checker.effort
  }

  /// Confirms a claim by steps that `prove` finds. Every query is encoded here, and every step is
  /// checked as if it were read from a certificate; `prove` need not be trusted.
  ///
  /// - Parameters:
  ///   - encodings: The encoded conditions of the rules, shared by their claims.
  ///   - prove: Returns the lines of a certificate that refute the query of a kind of request; nil if no
  ///     proof is found.
  package static func confirm(
    _ claim: Claim, about rules: Checked, profile: Profile,
    sharing encodings: StatementEncodings = StatementEncodings(),
    by prove: (Question, RequestKind) -> [String]?
  ) throws(Unconfirmed) -> ConfirmedClaim {
    let stated: StatedClaim
    do throws(StatementProblem) {
      stated = try StatedClaim(claim, about: rules, profile: profile)
    } catch {
      throw .unstated(error.message)
    }
    var confirmed = ConfirmedClaim(of: claim, about: rules, profile: profile)
    for kind in stated.kinds {
      let question: Question
      do throws(StatementProblem) {
        question = try stated.question(for: kind, sharing: encodings)
      } catch {
        throw .unstated(error.message)
      }
      guard let steps = prove(question, kind) else { throw .unproved(kind) }
      var lines = steps.indices.map {
        CertificateLine(number: $0 + 1, octets: Array(steps[$0].utf8)[...])
      }[...]
      do throws(CertificateProblem) {
        let effort = try refute(question, for: kind, by: &lines, endingAt: steps.count)
        if let extra = lines.first { throw extra.problem("the claim raises no such question") }
        confirmed.add(steps, effort: effort)
      } catch {
        throw .refused(kind, error)
      }
    }
    return confirmed
  }
}

/// A claim that the proof checker has confirmed, with the steps of its proof. Only `ProofChecker`
/// makes one.
package struct ConfirmedClaim: Sendable {
  /// The claim.
  package let claim: Claim
  /// The rules.
  private let rules: Checked
  /// The profile whose semantics the proof follows.
  package let profile: Profile
  /// The steps of the proof, as lines of a certificate.
  package private(set) var steps: [String] = []
  /// The number of clause visits that checking the steps took.
  package private(set) var effort = 0

  fileprivate init(of claim: Claim, about rules: Checked, profile: Profile) {
    self.claim = claim
    self.rules = rules
    self.profile = profile
  }

  /// The SHA-256 of the rules file, in hexadecimal digits.
  package var rulesHash: String { Certificate.hash(rules.ruleset.source) }
  /// The database that the rules are deployed to.
  package var database: DatabaseName { rules.database }

  fileprivate mutating func add(_ steps: [String], effort: Int) {
    self.steps += steps
    self.effort += effort
  }
}

/// The reason why the proof checker does not confirm a claim.
package enum Unconfirmed: Error, Sendable {
  /// The checker cannot state the claim.
  case unstated(String)
  /// No proof was found for a kind of request.
  case unproved(RequestKind)
  /// The checker refuses a step of the proof for a kind of request.
  case refused(RequestKind, CertificateProblem)
}

/// Checks the proof of one query.
struct QuestionChecker {
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

  /// The number of clause visits so far.
  var effort: Int { base.effort }

  /// True if some propositions of the query contradict the clauses so far by unit propagation.
  mutating func refutes(_ propositions: [Prop]) -> Bool { base.refutes(propositions) }

  /// Adds the definitions of the conjunctions made since the last call.
  private mutating func extend() {
    let parts = reader.question.parts
    base.grow(to: parts.count)
    for node in defined..<max(defined, parts.count) where !parts[node].isEmpty {
      base.define(Prop(node: node), as: parts[node])
    }
    defined = parts.count
  }

  /// Checks steps that were never written to a certificate.
  mutating func take(_ lines: [String]) throws(CertificateProblem) {
    for (place, text) in lines.enumerated() {
      try take(CertificateLine(number: place + 1, octets: Array(text.utf8)[...]))
    }
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
