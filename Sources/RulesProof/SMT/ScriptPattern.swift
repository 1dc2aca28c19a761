import RulesLang

// Patterns as SMT-LIB regular expressions over UTF-16 units: a code point beyond the first plane is
// two units. `matches` is anchored, so `^` at the start and `$` at the end are redundant.

/// Translates patterns for scripts.
enum ScriptPattern {
  /// Maximum intervals of a translated character set.
  private static let greatestSet = 400

  /// The strings without lone surrogates.
  static let wellFormed =
    "(re.* (re.union " + range(from: 0, to: 0xD7FF) + " " + range(from: 0xE000, to: 0xFFFF)
    + " (re.++ "
    + range(from: 0xD800, to: 0xDBFF) + " " + range(from: 0xDC00, to: 0xDFFF) + ")))"

  /// Returns the regular expression; nil if the pattern has other assertions or is too large.
  static func expression(_ source: Text) -> String? {
    guard let syntax = try? Pattern.syntax(of: source) else { return nil }
    return Writer(syntax: syntax).expression(syntax.root, isFirst: true, isLast: true)
  }

  private static let empty = "(str.to_re \"\")"

  private static func range(from lower: UInt32, to upper: UInt32) -> String {
    let (low, high) = (UInt16(lower), UInt16(upper))
    if low == high { return "(str.to_re \"" + ScriptWriter.unit(low) + "\")" }
    return "(re.range \"" + ScriptWriter.unit(low) + "\" \"" + ScriptWriter.unit(high) + "\")"
  }

  private struct Writer {
    let syntax: PatternSyntax

    /// Translates a node, given whether it is at the start or the end of the whole pattern.
    func expression(_ id: PatternSyntax.NodeID, isFirst: Bool, isLast: Bool) -> String? {
      switch syntax[id] {
      case .empty: return empty
      case .assertion(.beginText): return isFirst ? empty : nil
      case .assertion(.endText): return isLast ? empty : nil
      case .assertion: return nil
      case .set(let set): return expression(syntax[set])
      case .capture(let inner, _): return expression(inner, isFirst: isFirst, isLast: isLast)
      case .alternation(let children):
        var parts: [String] = []
        for child in syntax[children] {
          guard let part = expression(child, isFirst: isFirst, isLast: isLast) else { return nil }
          parts.append(part)
        }
        return ScriptWriter.all("re.union", of: parts, none: "re.none")
      case .concatenation(let children):
        return concatenation(of: Array(syntax[children]), isFirst: isFirst, isLast: isLast)
      case .repetition(let inner, let repetition):
        guard let part = expression(inner, isFirst: false, isLast: false) else { return nil }
        return repeated(part, by: repetition)
      }
    }

    private func concatenation(
      of children: [PatternSyntax.NodeID], isFirst: Bool, isLast: Bool
    ) -> String? {
      var parts: [String] = []
      for (place, child) in children.enumerated() {
        let isStart = isFirst && children[..<place].allSatisfy { isAssertion($0) }
        let isEnd = isLast && children[(place + 1)...].allSatisfy { isAssertion($0) }
        guard let part = expression(child, isFirst: isStart, isLast: isEnd) else { return nil }
        parts.append(part)
      }
      return ScriptWriter.all("re.++", of: parts, none: empty)
    }

    private func isAssertion(_ id: PatternSyntax.NodeID) -> Bool {
      if case .assertion = syntax[id] { return true }
      return false
    }

    private func repeated(_ part: String, by repetition: PatternSyntax.Repetition) -> String {
      switch (repetition.minimum, repetition.maximum) {
      case (0, nil): "(re.* \(part))"
      case (1, nil): "(re.+ \(part))"
      case (let least, nil): "(re.++ ((_ re.^ \(least)) \(part)) (re.* \(part)))"
      case (0, 1): "(re.opt \(part))"
      case (let least, .some(let most)): "((_ re.loop \(least) \(most)) \(part))"
      }
    }

    private func expression(_ set: CodePointSet) -> String? {
      var parts: [String] = []
      for interval in set.intervals {
        for (lower, upper) in [(0, 0xD7FF), (0xE000, 0xFFFF)] as [(UInt32, UInt32)] {
          let (low, high) = (max(lower, interval.lower), min(upper, interval.upper))
          if low <= high { parts.append(range(from: low, to: high)) }
        }
        if interval.upper >= 0x10000 {
          parts += pairs(from: max(interval.lower, 0x10000) - 0x10000, to: interval.upper - 0x10000)
        }
      }
      if parts.count > greatestSet { return nil }
      return ScriptWriter.all("re.union", of: parts, none: "re.none")
    }

    /// Returns the surrogate pairs of an interval, counted from U+10000: part of a row of the high
    /// surrogate, whole rows, and part of the last row.
    private func pairs(from lower: UInt32, to upper: UInt32) -> [String] {
      let (first, last) = (lower >> 10, upper >> 10)
      func rows(from: UInt32, to: UInt32, low: UInt32, high: UInt32) -> String {
        "(re.++ " + range(from: 0xD800 + from, to: 0xD800 + to) + " "
          + range(from: 0xDC00 + low, to: 0xDC00 + high)
          + ")"
      }
      if first == last {
        return [rows(from: first, to: first, low: lower & 0x3FF, high: upper & 0x3FF)]
      }
      var parts = [
        rows(from: first, to: first, low: lower & 0x3FF, high: 0x3FF),
        rows(from: last, to: last, low: 0, high: upper & 0x3FF),
      ]
      if first + 1 < last { parts.append(rows(from: first + 1, to: last - 1, low: 0, high: 0x3FF)) }
      return parts
    }
  }
}
