import RulesLang

// Rules about values as lines of a certificate: `rule chain 3 5 9`.

extension ValueRule {
  /// The terms that the rule names.
  package var terms: [Term] {
    switch self {
    case .chain(let one, let middle, let other): [one, middle, other]
    case .apply(let one, let other): [one, other]
    case .compute(let term, let constants): [term] + constants
    case .types(let term), .oneType(let term, _, _), .bool(let term), .point(let term, _, _),
      .plus(let term), .size(let term), .float(let term, _, _), .text(let term, _):
      [term]
    case .typed, .flip: []
    case .move(_, let one, let other): [one, other]
    case .sum(_, let one, let middle, let other, _, _): [one, middle, other].compactMap { $0 }
    case .inside(let terms): terms
    }
  }

  /// The fact that the rule names.
  package var fact: Fact? {
    switch self {
    case .typed(let fact), .move(let fact, _, _), .flip(let fact): fact
    case .chain, .apply, .compute, .types, .oneType, .bool, .point, .sum, .plus, .size, .float,
      .text, .inside:
      nil
    }
  }

  /// The literals that the rule names besides `fact`.
  package var literals: [Prop] {
    if case .text(_, let literals) = self { return literals }
    return []
  }

  /// Returns the words of the line.
  ///
  /// - Parameters:
  ///   - number: The number of a term.
  ///   - propositions: The numbers of `fact` or `literals`, each after a space.
  package func words(numbering number: (Term) -> Int, propositions: String) -> String {
    let terms = terms.reduce("") { $0 + " \(number($1))" }
    return switch self {
    case .chain: "chain" + terms
    case .apply: "apply" + terms
    case .compute: "compute" + terms
    case .types: "types" + terms
    case .oneType(_, let one, let other): "one-type" + terms + " " + one.word + " " + other.word
    case .typed: "typed" + propositions
    case .move: "move" + propositions + terms
    case .bool: "bool" + terms
    case .point(_, let scale, let value): "point" + terms + " \(scale.type.word) \(value)"
    case .sum(let scale, let one, let middle, let other, let first, let second):
      "sum \(scale.type.word)"
        + [one, middle, other].reduce("") { $0 + " \($1.map { number($0) } ?? 0)" }
        + " \(first) \(second)"
    case .flip: "flip" + propositions
    case .plus: "plus" + terms
    case .size: "size" + terms
    case .float(_, let lesser, let greater):
      "float" + terms + " " + lesser.words + " " + greater.words
    case .text: "text" + terms + propositions
    case .inside: "inside" + terms
    }
  }
}

extension FloatBound {
  /// The bound as words of a certificate: `float` or `below`, then the bits in hexadecimal digits.
  package var words: String { (isStrict ? "below " : "float ") + ConstantText.bits(value) }
}
