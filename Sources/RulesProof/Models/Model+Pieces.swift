import RulesEval
import RulesLang
import RulesSolver

// Strings that are split. The search knows the pieces by index, but not the string they come from.
// "Has these pieces" is one more pattern that the string must match, so the shortest one is found
// like others.

extension Model {
  /// Returns a string with the asserted pieces when split at a character; nil if it is not split,
  /// or none was found.
  func splitText(
    of members: [TermID], demand: Theory.TextDemand, except forbidden: Set<Text>
  ) -> Text? {
    for term in members.flatMap({ index.builtins[$0] ?? [] }).sorted() {
      guard case .apply(.builtin(.stringSplit), let arguments) = terms[term], arguments.count == 2,
        case .string(let source)? = terms.value(of: arguments[1]),
        let separator = (try? Pattern.syntax(of: source))?.onlyCharacter,
        let pieces = pieces(of: term),
        let pattern = Self.pattern(
          of: pieces, between: separator, size: listSize(theory.leader(of: term).raw))
      else { continue }
      var table = theory.patterns
      guard let number = table.add(pattern),
        let words = RegexSolver(
          demand.patterns + [(number, true)], lower: demand.lower, upper: demand.upper,
          gaps: demand.gaps, table: table, budget: theory.budget),
        case .found(let texts) = words.shortest(1, excluding: forbidden), let text = texts.first
      else { continue }
      return text
    }
    return nil
  }

  /// Returns the constrained pieces by index, nil for others; nil if a piece is not a string, or has
  /// an index that is too large.
  private func pieces(of list: TermID) -> [Text?]? {
    var pieces: [Text?] = []
    for element in index.elements {
      guard case .apply(_, let arguments) = terms[element], isSame(arguments[0], list),
        case .int(let number)? = terms.value(of: arguments[1]), number >= 0, isAsked(element)
      else { continue }
      let place = Int(clamping: number)
      guard place < Strategy.elements, case .string(let text) = value(of: element) else {
        return nil
      }
      while pieces.count <= place { pieces.append(nil) }
      pieces[place] = text
    }
    for fact in facts {
      guard case .apply(.member, let arguments) = terms[fact], isSame(arguments[0], list),
        isAsked(arguments[1])
      else { continue }
      guard case .string(let text) = value(of: arguments[1]) else { return nil }
      if pieces.contains(text) { continue }
      if let free = pieces.firstIndex(of: nil) { pieces[free] = text } else { pieces.append(text) }
    }
    let size = listSize(theory.leader(of: list).raw)
    return pieces.isEmpty && size.lower == 0 && size.upper == .max ? nil : pieces
  }

  /// True if anything beyond being a piece is known of a term.
  private func isAsked(_ piece: TermID) -> Bool {
    let leader = theory.leader(of: piece).raw
    let members = theory.members(of: leader)
    let demand = demand(on: leader)
    return members.count > 1 || !demand.patterns.isEmpty || demand.lower > 0
      || demand.upper != nil || theory.constant(of: piece) != nil
      || members.contains { theory.differences[$0.index].first { _ in true } != nil }
  }

  /// Returns a pattern of the strings that are split into these pieces; nil if there are none.
  private static func pattern(
    of pieces: [Text?], between separator: UInt32, size: (lower: Int, upper: Int)
  ) -> Text? {
    let count = max(pieces.count, size.lower, 1)
    // `split` drops empty pieces at the end.
    guard count <= min(size.upper, Strategy.elements), pieces.last??.isEmpty != true else {
      return nil
    }
    let border = PatternSyntax.literal(separator)
    var pattern: Text = "(?s)"
    for place in 0..<count {
      if place > 0 { pattern = pattern + border }
      guard place < pieces.count, let piece = pieces[place] else {
        pattern = pattern + "[^" + border + (place == count - 1 ? "]+" : "]*")
        continue
      }
      for point in piece.codePoints {
        if point == separator { return nil }
        pattern = pattern + PatternSyntax.literal(point)
      }
    }
    if size.upper == .max {
      pattern = pattern + "(?:" + border + ".*)?"
    } else if size.upper > count {
      // Empty last pieces make fewer pieces.
      for _ in count..<min(size.upper, Strategy.elements) {
        pattern = pattern + "(?:" + border + "[^" + border + "]*)?"
      }
    }
    return pattern
  }
}
