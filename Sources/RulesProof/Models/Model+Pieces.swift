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
          table: table, budget: theory.budget),
        case .found(let texts) = words.shortest(1, excluding: forbidden), let text = texts.first
      else { continue }
      return text
    }
    return nil
  }

  /// The pieces that something was asked of, by their places; nil if one is no text.
  private func pieces(of list: TermID) -> [Int: Text]? {
    var pieces: [Int: Text] = [:]
    for element in index.elements {
      guard case .apply(_, let arguments) = terms[element], isSame(arguments[0], list),
        case .int(let place)? = terms.value(of: arguments[1]), isAsked(element)
      else { continue }
      guard case .string(let text) = value(of: element) else { return nil }
      pieces[Int(clamping: place)] = text
    }
    for fact in facts {
      guard case .apply(.member, let arguments) = terms[fact], isSame(arguments[0], list),
        isAsked(arguments[1])
      else { continue }
      guard case .string(let text) = value(of: arguments[1]) else { return nil }
      if pieces.values.contains(text) { continue }
      var place = 0
      while pieces[place] != nil { place += 1 }
      pieces[place] = text
    }
    return pieces.isEmpty && listSize(theory.leader(of: list).raw) == (0, .max) ? nil : pieces
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

  /// A pattern of the texts that are split into some pieces; nil if there are none.
  private static func pattern(
    of pieces: [Int: Text], between separator: UInt32, size: (lower: Int, upper: Int)
  ) -> Text? {
    let asked = (pieces.keys.max() ?? -1) + 1
    let count = max(asked, size.lower, 1)
    // Pieces are few; empty ones at the end are left out by `split`.
    guard count <= min(size.upper, 64), pieces[count - 1]?.isEmpty != true,
      !pieces.values.contains(where: { $0.codePoints.contains(separator) })
    else { return nil }
    let border = literal(separator)
    var pattern = "(?s)"
    for place in 0..<count {
      if place > 0 { pattern += border }
      if let piece = pieces[place] {
        for point in piece.codePoints { pattern += literal(point) }
      } else {
        pattern += "[^" + border + "]" + (place == count - 1 ? "+" : "*")
      }
    }
    if size.upper == .max {
      pattern += "(?:" + border + ".*)?"
    } else if size.upper > count, size.upper <= 64 {
      // The last of them is not empty, or they are fewer.
      pattern += "(?:" + border + "[^" + border + "]*){0,\(size.upper - count)}"
    }
    return Text(pattern)
  }

  private static func literal(_ point: UInt32) -> String {
    "\\x{" + String(point, radix: 16) + "}"
  }
}
