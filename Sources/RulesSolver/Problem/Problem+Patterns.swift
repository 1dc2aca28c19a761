import RulesEval
package import RulesLang

extension Problem {
  /// True if the pattern is valid but too large.
  package mutating func isTooLarge(pattern source: Text) -> Bool {
    budget?.charge(1000 + 200 * source.bytes.count)
    return patterns.isTooLarge(source)
  }

  /// Returns "the term is a string that the pattern matches"; nil if the pattern is invalid or too
  /// large.
  package mutating func matches(_ term: TermID, pattern source: Text) -> Ref? {
    // Compiling a pattern takes from 10 µs to 10 ms, once for each query.
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
