import RulesEval
import RulesLang

// The proof steps. `term` names a term of the query or a constant; `atom` and `gate` name a fact
// and a conjunction; `rule` and `learn` add clauses.

/// Parses the proof steps of one query. Terms and propositions are numbered from 1, in order of
/// naming.
struct StepReader {
  /// A parsed proof step.
  enum Step {
    /// A definition, which adds no clause.
    case none
    case rule(ValueRule)
    case learn([Prop])
  }

  /// The query, extended by the named constants, facts and conjunctions.
  var question: Question
  /// The unknowns and functors of the query, by word.
  private var unknowns: [Text: Unknown] = [:]
  private var functors: [Text: Functor] = [:]
  private var terms: [Term] = []
  private var propositions: [Prop] = []

  /// Starts at the first step of a query, with no term numbered.
  init(_ question: Question) {
    self.question = question
    var seen: Set<Functor> = []
    for form in question.forms {
      switch form {
      case .constant: break
      case .unknown(let unknown): unknowns[Text(unknown.word)] = unknown
      case .apply(let functor, _):
        if seen.insert(functor).inserted { functors[Text(functor.word)] = functor }
      }
    }
  }

  /// Parses a line.
  mutating func step(_ line: CertificateLine) throws(CertificateProblem) -> Step {
    switch try line.word(at: 0) {
    case "term": terms.append(try term(line))
    case "atom": propositions.append(question.atom(try fact(line)))
    case "gate": propositions.append(question.all(try literals(line, from: 1)))
    case "learn": return .learn(try literals(line, from: 1))
    case "rule": return .rule(try rule(line))
    default: throw line.problem("there is no such step")
    }
    return .none
  }

  // MARK: Names

  private func literals(
    _ line: CertificateLine, from start: Int
  ) throws(CertificateProblem) -> [Prop] {
    var found: [Prop] = []
    for place in line.words.indices.dropFirst(start) {
      let number = try line.number(at: place)
      guard number != 0, propositions.indices.contains(Int(clamping: number.magnitude) - 1) else {
        throw line.problem("there is no proposition of that number")
      }
      let ref = propositions[Int(number.magnitude) - 1]
      found.append(number < 0 ? !ref : ref)
    }
    return found
  }

  private func term(_ line: CertificateLine, at place: Int) throws(CertificateProblem) -> Term {
    guard let term = try optionalTerm(line, at: place) else {
      throw line.problem("there is no term of that number")
    }
    return term
  }

  /// Returns the term numbered by a word; nil for the number 0, which stands for no term.
  private func optionalTerm(
    _ line: CertificateLine, at place: Int
  ) throws(CertificateProblem) -> Term? {
    let number = try line.number(at: place)
    if number == 0 { return nil }
    guard number > 0, number <= Int128(terms.count) else {
      throw line.problem("there is no term of that number")
    }
    return terms[Int(number) - 1]
  }

  private func terms(
    _ line: CertificateLine, from start: Int
  ) throws(CertificateProblem) -> [Term] {
    var found: [Term] = []
    for place in line.words.indices.dropFirst(start) { found.append(try term(line, at: place)) }
    return found
  }

  private mutating func term(_ line: CertificateLine) throws(CertificateProblem) -> Term {
    let word = try line.word(at: 2)
    switch try line.word(at: 1) {
    case "variable":
      if let term = unknowns[word].flatMap({ question.term(.unknown($0)) }) { return term }
    case "apply":
      let arguments = try terms(line, from: 3)
      if let functor = functors[word], let term = question.term(.apply(functor, arguments)) {
        return term
      }
    case "constant":
      if let value = ConstantReader.value(word), value.isPlain { return question.constant(value) }
    default: break
    }
    throw line.problem("the question has no such term")
  }

  private mutating func fact(_ line: CertificateLine) throws(CertificateProblem) -> Fact {
    let one = try term(line, at: 2)
    switch try line.word(at: 1) {
    case "same":
      let other = try term(line, at: 3)
      return .same(min(one, other), max(one, other))
    case "type": return .type(one, try line.type(at: 3))
    case "most": return .most(one, try line.scale(at: 3), try line.number(at: 4))
    case "difference":
      return .difference(
        one, try term(line, at: 3), try line.scale(at: 4), try line.number(at: 5))
    case "float": return .float(one, try line.bound(at: 3, isStrict: false))
    case "below": return .float(one, try line.bound(at: 3, isStrict: true))
    case "matches":
      guard let octets = ConstantReader.unescaped(try line.word(at: 3).bytes),
        question.pattern(Text(decoding: octets)) != nil
      else { break }
      return .matches(one, Text(decoding: octets))
    default: break
    }
    throw line.problem("there is no such atom")
  }

  private func fact(_ line: CertificateLine, at place: Int) throws(CertificateProblem) -> Fact {
    let number = try line.number(at: place)
    guard number > 0, number <= Int128(propositions.count),
      let fact = question.facts[propositions[Int(number) - 1].node]
    else { throw line.problem("there is no atom of that number") }
    return fact
  }

  // MARK: Rules

  private func rule(_ line: CertificateLine) throws(CertificateProblem) -> ValueRule {
    switch try line.word(at: 1) {
    case "chain":
      return .chain(try term(line, at: 2), try term(line, at: 3), try term(line, at: 4))
    case "apply": return .apply(try term(line, at: 2), try term(line, at: 3))
    case "compute": return .compute(try term(line, at: 2), try terms(line, from: 3))
    case "types": return .types(try term(line, at: 2))
    case "one-type":
      return .oneType(try term(line, at: 2), try line.type(at: 3), try line.type(at: 4))
    case "typed": return .typed(try fact(line, at: 2))
    case "move":
      return .move(try fact(line, at: 2), try term(line, at: 3), try term(line, at: 4))
    case "bool": return .bool(try term(line, at: 2))
    case "flip": return .flip(try fact(line, at: 2))
    case "plus": return .plus(try term(line, at: 2))
    case "size": return .size(try term(line, at: 2))
    case "text": return .text(try term(line, at: 2), try literals(line, from: 3))
    case "inside": return .inside(try terms(line, from: 2))
    default: return try numberRule(line)
    }
  }

  /// Parses the arithmetic rules.
  private func numberRule(_ line: CertificateLine) throws(CertificateProblem) -> ValueRule {
    switch try line.word(at: 1) {
    case "point":
      return .point(try term(line, at: 2), try line.scale(at: 3), try line.number(at: 4))
    case "sum":
      return .sum(
        try line.scale(at: 2), try optionalTerm(line, at: 3), try optionalTerm(line, at: 4),
        try optionalTerm(line, at: 5), try line.number(at: 6), try line.number(at: 7))
    case "float":
      return .float(
        try term(line, at: 2),
        try line.bound(at: 4, isStrict: try line.word(at: 3) == "below"),
        try line.bound(at: 6, isStrict: try line.word(at: 5) == "below"))
    default: throw line.problem("there is no such rule")
    }
  }
}

extension CertificateLine {
  fileprivate func word(at place: Int) throws(CertificateProblem) -> Text {
    guard place < words.count else { throw problem("a word is missing") }
    return words[place]
  }

  fileprivate func number(at place: Int) throws(CertificateProblem) -> Int128 {
    // Maximum magnitude of a number: sums of bounds cannot overflow, and no query comes near it.
    guard let number = Int128(String(try word(at: place))), number.magnitude < 1 << 100 else {
      throw problem("no number")
    }
    return number
  }

  fileprivate func type(at place: Int) throws(CertificateProblem) -> ValueType {
    guard let type = ValueType.named(try word(at: place)) else { throw problem("no such type") }
    return type
  }

  fileprivate func scale(at place: Int) throws(CertificateProblem) -> Scale {
    guard let scale = Scale.named(try word(at: place)) else { throw problem("no such domain") }
    return scale
  }

  fileprivate func bound(at place: Int, isStrict: Bool) throws(CertificateProblem) -> FloatBound {
    guard let bits = UInt64(String(try word(at: place)), radix: 16),
      let bound = FloatBound(Double(bitPattern: bits), isStrict: isStrict)
    else { throw problem("no float") }
    return bound
  }
}
