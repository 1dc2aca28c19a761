import RulesEval
package import RulesLang

extension Problem {
  /// Whether a text is a pattern, and larger than what is modelled.
  package mutating func isTooLarge(pattern source: Text) -> Bool {
    budget?.charge(1000 + 200 * source.bytes.count)
    return patterns.isTooLarge(source)
  }

  /// A term is a string that a pattern matches; nil if the pattern cannot be reasoned about.
  package mutating func matches(_ term: TermID, pattern source: Text) -> Ref? {
    // A pattern takes from ten microseconds to ten milliseconds, and is compiled for each question.
    budget?.charge(1000 + 200 * source.bytes.count)
    guard let pattern = patterns.add(source) else { return nil }
    if let value = terms.value(of: term) {
      guard case .string(let text) = value else { return .no }
      return patterns.matches(pattern, text: text) ? .yes : .no
    }
    guard patterns.machine(pattern) != nil else { return nil }
    return graph.atom(.matches(term, pattern))
  }
}
