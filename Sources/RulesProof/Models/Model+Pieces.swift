import RulesEval
import RulesLang
import RulesSolver

// Texts that are split: the search knows pieces by their places but not what they come from. A text with
// these pieces is one more pattern that it must match, so the shortest one with all that is asked of it is
// found as others are.

extension Model {
  /// A text with the pieces that were asked for where it is split at a character; nil if it is not split, or
  /// none was found.
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
        let words = Words(
          demand.patterns + [(number, true)], lower: demand.lower, upper: demand.upper,
          gaps: demand.gaps, table: table, budget: theory.budget),
        case .found(let texts) = words.shortest(1, excluding: forbidden), let text = texts.first
      else { continue }
      return text
    }
    return nil
  }

  /// The pieces that something was asked of, by their places, nil for others; nil if one is no text, or there
  /// are too many.
  private func pieces(of list: TermID) -> [Text?]? {
    var pieces: [Text?] = []
    for element in index.elements {
      guard case .apply(_, let arguments) = terms[element], isSame(arguments[0], list),
        case .int(let number)? = terms.value(of: arguments[1]), number >= 0, isAsked(element)
      else { continue }
      let place = Int(clamping: number)
      guard place < Self.greatestPieces, case .string(let text) = value(of: element) else {
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

  /// Whether anything is known of a piece but that it is one.
  private func isAsked(_ piece: TermID) -> Bool {
    let leader = theory.leader(of: piece).raw
    let members = theory.members(of: leader)
    let demand = demand(on: leader)
    return members.count > 1 || !demand.patterns.isEmpty || demand.lower > 0
      || demand.upper != nil || theory.constant(of: piece) != nil
      || members.contains { theory.differences[$0.index].first { _ in true } != nil }
  }

  /// Texts are few that are split into more.
  private static let greatestPieces = 64

  /// A pattern of the texts that are split into some pieces; nil if there are none.
  private static func pattern(
    of pieces: [Text?], between separator: UInt32, size: (lower: Int, upper: Int)
  ) -> Text? {
    let count = max(pieces.count, size.lower, 1)
    // Empty pieces at the end are left out by `split`.
    guard count <= min(size.upper, greatestPieces), pieces.last??.isEmpty != true else {
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
      // The last of them is not empty, or they are fewer.
      for _ in count..<min(size.upper, greatestPieces) {
        pattern = pattern + "(?:" + border + "[^" + border + "]*)?"
      }
    }
    return pattern
  }
}
