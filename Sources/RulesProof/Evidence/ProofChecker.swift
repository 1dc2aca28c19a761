import RulesEval
import RulesLang

// Checks certificates. Of the prover it uses the compiler that turns rules and claims into
// propositions, which says what the question is, and nothing that looks for answers: neither the
// search nor the theories. Everything else is here and in `ClauseBase` and `GroundFacts`.
//
// - The question is compiled anew from the rules and the claim; the certificate cannot change it.
// - A term must be one of the question's terms, or a constant.
// - `gate` is a name for a conjunction and `atom` for a proposition about terms.
// - `lemma` must be true of all values: its negation is refuted by `GroundFacts`.
// - `learn` must follow from what came before by unit propagation.
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
        throw CertificateProblem(line: first.number, message: doubt.reason)
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
    throw CertificateProblem(line: extra.number, message: "the claim raises no such question")
  }
}

/// Checks the steps for one scenario.
private struct QuestionChecker {
  private var problem: Problem
  private var base = ClauseBase()
  private var defined = 1
  private var known: [Text: TermID] = [:]
  private var terms: [TermID] = []
  private var propositions: [Ref] = []
  /// Whether the empty clause has been derived.
  private(set) var isRefuted = false

  init(_ goal: Goal) {
    problem = goal.compiler.problem
    for index in 0..<problem.terms.count {
      let definition = problem.terms.definition(of: TermID(index)) { $0.index }
      known[Text(definition)] = TermID(index)
    }
    extend()
    for root in goal.roots + problem.axioms { base.add([root]) }
  }

  /// Adds the meaning of the gates that are new.
  private mutating func extend() {
    base.grow(to: problem.graph.count)
    for node in defined..<max(defined, problem.graph.count) {
      let parts = problem.graph.children[node]
      if !parts.isEmpty { base.define(Ref(node: Int32(node)), as: parts) }
    }
    defined = problem.graph.count
  }

  mutating func take(_ line: CertificateLine) throws(CertificateProblem) {
    guard !isRefuted, let word = line.words.first else { throw line.problem("one step too many") }
    switch word {
    case "term": terms.append(try term(line))
    case "atom": propositions.append(problem.graph.atom(try atom(line)))
    case "gate": propositions.append(problem.graph.and(try literals(line)))
    case "lemma":
      let clause = try literals(line)
      guard GroundFacts.refute(clause.map { !$0 }, problem) else {
        throw line.problem("the lemma is not true of all values")
      }
      base.add(clause)
    case "learn":
      let clause = try literals(line)
      guard base.refutes(clause.map { !$0 }) else {
        throw line.problem("the clause does not follow from those before it")
      }
      base.add(clause)
      isRefuted = clause.isEmpty
    default: throw line.problem("there is no such step")
    }
    extend()
  }

  private func literals(_ line: CertificateLine) throws(CertificateProblem) -> [Ref] {
    var found: [Ref] = []
    for place in line.words.indices.dropFirst() {
      let number = try line.number(at: place)
      guard number != 0, propositions.indices.contains(Int(clamping: number.magnitude) - 1) else {
        throw line.problem("there is no proposition of that number")
      }
      let ref = propositions[Int(number.magnitude) - 1]
      found.append(number < 0 ? !ref : ref)
    }
    return found
  }

  private func term(_ line: CertificateLine, at place: Int) throws(CertificateProblem) -> TermID {
    let number = try line.number(at: place)
    guard number > 0, number <= Int128(terms.count) else {
      throw line.problem("there is no term of that number")
    }
    return terms[Int(number) - 1]
  }

  private mutating func term(_ line: CertificateLine) throws(CertificateProblem) -> TermID {
    var definition = try line.word(at: 1)
    definition.append(" " as Text)
    definition.append(try line.word(at: 2))
    if line.words[1] == "apply" {
      for place in line.words.indices.dropFirst(3) {
        definition.append(Text(" \(try term(line, at: place).index)"))
      }
    }
    if let term = known[definition] { return term }
    guard line.words[1] == "constant", let value = ConstantReader.value(line.words[2]) else {
      throw line.problem("the question has no such term")
    }
    return problem.constant(value)
  }

  private mutating func atom(_ line: CertificateLine) throws(CertificateProblem) -> Atom {
    let one = try term(line, at: 2)
    switch try line.word(at: 1) {
    case "same":
      let other = try term(line, at: 3)
      return .same(min(one, other), max(one, other))
    case "type":
      guard let type = ValueType.named(try line.word(at: 3)) else { break }
      return .type(one, type)
    case "most": return .atMost(one, try line.domain(at: 3), try line.number(at: 4))
    case "difference":
      return .difference(
        one, try term(line, at: 3), try line.domain(at: 4), try line.number(at: 5))
    case "float": return .floatAtMost(one, try line.bound(at: 3, isStrict: false))
    case "below": return .floatAtMost(one, try line.bound(at: 3, isStrict: true))
    case "matches":
      guard let octets = ConstantReader.unescaped(try line.word(at: 3).bytes),
        let pattern = problem.patterns.add(Text(decoding: octets))
      else { break }
      return .matches(one, pattern)
    default: break
    }
    throw line.problem("there is no such atom")
  }
}

extension CertificateLine {
  /// The words with spaces between them.
  fileprivate var text: String { words.map { String($0) }.joined(separator: " ") }

  fileprivate func problem(_ message: String) -> CertificateProblem {
    CertificateProblem(line: number, message: message)
  }

  fileprivate func word(at place: Int) throws(CertificateProblem) -> Text {
    guard place < words.count else { throw problem("a word is missing") }
    return words[place]
  }

  fileprivate func number(at place: Int) throws(CertificateProblem) -> Int128 {
    // Beyond this sums of bounds could overflow; no question comes near.
    guard let number = Int128(String(try word(at: place))), number.magnitude < 1 << 100 else {
      throw problem("no number")
    }
    return number
  }

  fileprivate func domain(at place: Int) throws(CertificateProblem) -> Domain {
    guard let domain = Domain.named(try word(at: place)) else { throw problem("no such domain") }
    return domain
  }

  fileprivate func bound(at place: Int, isStrict: Bool) throws(CertificateProblem) -> FloatBound {
    guard let bits = UInt64(String(try word(at: place)), radix: 16),
      !Double(bitPattern: bits).isNaN
    else { throw problem("no float") }
    return FloatBound(value: Double(bitPattern: bits), isStrict: isStrict)
  }
}
