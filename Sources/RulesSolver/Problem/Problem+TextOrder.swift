import RulesEval
import RulesLang

// The order of a string and a constant as a pattern: strings before "b" are empty or begin with a
// character before "b". So order, patterns and sizes of a string are decided together. Between
// other terms the order is an uninterpreted total order.

extension Problem {
  /// Adds the axioms about the order of strings.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkTextOrder() {
    var pairs: [Pair] = []
    for index in 0..<terms.count {
      if case .apply(.precedes, let sides) = terms[TermID(index)] {
        pairs.append(Pair(sides[0], sides[1]))
      }
    }
    for pair in pairs where goesOn(100) { linkConstants(pair.one, and: pair.other) }
    if goesOn() { linkThrees(pairs) }
  }

  private mutating func linkConstants(_ first: TermID, and second: TermID) {
    let precedes = holds(.precedes, of: [first, second])
    if case .string(let text) = terms.value(of: second), let before = texts(before: text, first) {
      require(isType(of: first, in: .string), implies: graph.iff(precedes, before))
    }
    if case .string(let text) = terms.value(of: first), let before = texts(before: text, second) {
      let after = graph.and(!before, !same(first, second))
      require(isType(of: second, in: .string), implies: graph.iff(precedes, after))
    }
  }

  /// Returns "the term precedes the constant" as a pattern; nil if that is not possible.
  private mutating func texts(before constant: Text, _ term: TermID) -> Ref? {
    if terms.value(of: term) != nil { return nil }
    if constant.isEmpty { return .no }
    var letters: [UInt32] = []
    for letter in constant.codePoints {
      // Strings are ordered by UTF-16 units; from U+D800 on that is not the order of code points.
      guard letter < 0xD800 else { return nil }
      letters.append(letter)
    }
    guard letters.count <= SearchStrategy.constantParts else { return nil }
    var choices: [String] = []
    var prefix = ""
    for letter in letters {
      let rest =
        letter == 0
        ? "" : "(?:[\\x{0}-\\x{" + String(letter - 1, radix: 16) + "}](?s:.)*)?"
      choices.append(prefix + rest)
      prefix += "\\x{" + String(letter, radix: 16) + "}"
    }
    return matches(term, pattern: Text(choices.joined(separator: "|")))
  }

  // MARK: Threes

  /// Adds transitivity of `precedes`.
  private mutating func linkThrees(_ pairs: [Pair]) {
    let known = Set(pairs)
    let members = Set(pairs.flatMap { [$0.one, $0.other] }).sorted()
    if members.count < 3 || members.count > SearchStrategy.group { return }
    for first in members {
      for second in members where known.contains(Pair(first, second)) {
        for third in members
        where known.contains(Pair(second, third)) && known.contains(Pair(first, third)) {
          let parts = [
            holds(.precedes, of: [first, second]), holds(.precedes, of: [second, third]),
          ]
          require(graph.and(parts), implies: holds(.precedes, of: [first, third]))
          linkBetween(first, and: second, third: third)
        }
      }
    }
  }

  /// Adds: if `first` precedes `third`, then `first` precedes `second` or `second` precedes
  /// `third`, for strings.
  private mutating func linkBetween(_ first: TermID, and second: TermID, third: TermID) {
    let areTexts = graph.and([first, second, third].map { isType(of: $0, in: .string) })
    if areTexts == .no { return }
    let isBefore = graph.and(areTexts, holds(.precedes, of: [first, third]))
    let either = graph.or(
      holds(.precedes, of: [first, second]), holds(.precedes, of: [second, third]))
    require(isBefore, implies: either)
  }
}
