import RulesEval
import RulesLang

extension GroundFacts {
  /// Whether numbers, times, lengths, floats or texts cannot be as the facts have it.
  func isOutOfOrder() -> Bool {
    var sizes: [TermID: Range] = [:]
    for domain in [Domain.int, .timestamp, .duration] {
      guard let ranges = ranges(in: domain) else { return true }
      if ranges.contains(where: { isExhausted($0.key, $0.value, domain) }) { return true }
      if domain == .int { sizes = ranges }
    }
    return classes.contains { hasNoFloat($0) || hasNoText($0, sizes) }
  }

  /// The least and the greatest value that a term can have.
  struct Range {
    var lower: Int128?
    var upper: Int128?
  }

  /// The ranges of the terms of a domain; nil if some bounds contradict each other.
  ///
  /// `limit[x, y]` is the least known `c` with `y <= x + c`, by Floyd and Warshall; place 0 is zero.
  private func ranges(in domain: Domain) -> [TermID: Range]? {
    let nodes = classes.filter { types($0) == TypeSet(domain.type) }
    var limit: [[Int128?]] = Array(
      repeating: Array(repeating: nil, count: nodes.count + 1), count: nodes.count + 1)
    func note(_ from: TermID?, _ to: TermID?, _ length: Int128) {
      func place(_ term: TermID?) -> Int? {
        guard let term else { return 0 }
        return nodes.firstIndex(of: leader(term)).map { $0 + 1 }
      }
      guard let start = place(from), let end = place(to) else { return }
      limit[start][end] = min(limit[start][end] ?? length, length)
    }
    for fact in facts {
      switch fact.atom {
      case .atMost(let term, domain, let bound):
        if fact.holds { note(nil, term, bound) } else { note(term, nil, -bound - 1) }
      case .difference(let one, let other, domain, let bound):
        if fact.holds { note(other, one, bound) } else { note(one, other, -bound - 1) }
      case .same, .type, .atMost, .difference, .floatAtMost, .matches: break
      }
    }
    for term in terms {
      if let value = problem.terms.value(of: term)?.count(in: domain) {
        note(nil, term, value)
        note(term, nil, -value)
      }
      guard case .apply(let op, let arguments) = problem.terms[term] else { continue }
      if op == .size { note(term, nil, 0) }
      if case .plus(domain, let steps) = op {
        note(arguments[0], term, Int128(steps))
        note(term, arguments[0], -Int128(steps))
      }
    }
    for middle in limit.indices {
      for start in limit.indices {
        guard let first = limit[start][middle] else { continue }
        for end in limit.indices {
          guard let second = limit[middle][end] else { continue }
          limit[start][end] = min(limit[start][end] ?? (first + second), first + second)
        }
      }
    }
    if limit.indices.contains(where: { limit[$0][$0] ?? 0 < 0 }) { return nil }
    var ranges: [TermID: Range] = [:]
    for (place, node) in nodes.enumerated() {
      ranges[node] = Range(lower: limit[place + 1][0].map { -$0 }, upper: limit[0][place + 1])
    }
    return ranges
  }

  /// Whether a term can have only a few values, and is known to be none of them.
  private func isExhausted(_ term: TermID, _ range: Range, _ domain: Domain) -> Bool {
    guard let lower = range.lower, let upper = range.upper, upper - lower < 64 else { return false }
    let used = others(than: term).compactMap { constant($0)?.count(in: domain) }
    var value = lower
    while value <= upper {
      if !used.contains(value) { return false }
      value += 1
    }
    return true
  }

  private func hasNoFloat(_ term: TermID) -> Bool {
    guard types(term) == .float else { return false }
    var within: [FloatBound] = []
    var beyond: [FloatBound] = []
    for fact in facts {
      guard case .floatAtMost(let other, let bound) = fact.atom, leader(other) == leader(term)
      else { continue }
      if fact.holds { within.append(bound) } else { beyond.append(bound) }
    }
    if case .float(let value) = constant(term) {
      func isWithin(_ bound: FloatBound) -> Bool {
        bound.isStrict ? value < bound.value : value <= bound.value
      }
      return !within.allSatisfy { isWithin($0) } || beyond.contains { isWithin($0) }
    }
    // What is within one bound is not NaN, so it is above each bound that it is beyond.
    return within.contains { upper in
      beyond.contains { lower in
        upper.value < lower.value
          || (upper.value == lower.value && (upper.isStrict || !lower.isStrict))
      }
    }
  }

  private func hasNoText(_ term: TermID, _ sizes: [TermID: Range]) -> Bool {
    guard types(term) == .string else { return false }
    var texts = GroundTexts()
    for fact in facts {
      guard case .matches(let other, let pattern) = fact.atom, leader(other) == leader(term)
      else { continue }
      if case .string(let text) = constant(term) {
        if problem.patterns.matches(pattern, text) != fact.holds { return true }
      } else if let machine = problem.patterns.machine(pattern) {
        texts.machines.append((machine, fact.holds))
      }
    }
    if constant(term) != nil { return false }
    for other in terms {
      guard case .apply(.size, let arguments) = problem.terms[other],
        leader(arguments[0]) == leader(term), let range = sizes[leader(other)]
      else { continue }
      texts.lower = max(texts.lower, Int(clamping: range.lower ?? 0))
      if let upper = range.upper { texts.upper = min(texts.upper ?? .max, Int(clamping: upper)) }
    }
    for other in others(than: term) {
      if case .string(let text) = constant(other) { texts.excluded.append(text) }
    }
    if texts.machines.isEmpty, texts.upper == nil { return false }
    return texts.isEmpty
  }
}
