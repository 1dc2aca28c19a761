import RulesEval
import RulesLang

/// Decides whether a string exists that some patterns match and others do not, with a length within
/// bounds and unequal to some lengths.
///
/// The product automaton of all patterns is searched depth first; lengths that no bound tells apart
/// are one state. Sound: `refute` succeeds only if there is no such string.
struct GroundTexts {
  /// The automata of the patterns, each with true if it must match.
  private var machines: [(machine: PatternMachine, matches: Bool)] = []
  /// Minimum length, in UTF-16 units.
  private var lower = 0
  /// Maximum length, in UTF-16 units; nil if unbounded.
  private var upper: Int?
  /// Excluded lengths.
  private var gaps: Set<Int> = []

  /// Maximum states of the product automaton. Beyond it the set of strings counts as not empty.
  private static let greatestEffort = 200_000

  private struct State: Hashable {
    /// The state of each automaton.
    var places: [Int]
    /// The length so far, capped where longer lengths are indistinguishable.
    var length: Int
  }

  /// Refutes `literals` about one string.
  ///
  /// - Returns: "Some subject of a literal differs from `term`", as literals of which one must be true; nil
  ///   if a string may satisfy all `literals` or one of them is not about strings.
  static func refute(
    _ literals: [Prop], about term: Term, in question: inout Question
  ) -> [Prop]? {
    var texts = GroundTexts()
    var differ: [Prop] = []
    for literal in literals {
      guard let fact = question.facts[literal.node],
        let subject = texts.add(fact, holds: !literal.isDenied, in: &question)
      else { return nil }
      differ.append(!question.same(term, subject))
    }
    return texts.isEmpty ? differ : nil
  }

  /// Adds a fact as a constraint on its string.
  ///
  /// - Returns: The term of the string; nil if the fact constrains no string, or by a pattern that does not
  ///   compile.
  private mutating func add(_ fact: Fact, holds: Bool, in question: inout Question) -> Term? {
    switch fact {
    case .matches(let term, let source):
      guard let pattern = question.pattern(source), let machine = PatternMachine(pattern) else {
        return nil
      }
      machines.append((machine, holds))
      return term
    case .most(let size, .int, let number):
      guard case .apply(.size, let arguments) = question[size] else { return nil }
      if holds { upper = min(upper ?? .max, Int(clamping: number)) }
      if !holds { lower = max(lower, Int(clamping: number + 1)) }
      return arguments[0]
    case .same(let one, let other):
      let (term, constant) = question.value(of: one) == nil ? (one, other) : (other, one)
      switch question.value(of: constant) {
      case .string(let text)?:
        return add(.matches(term, text.pattern), holds: holds, in: &question)
      case .int(let size)? where !holds:
        guard case .apply(.size, let arguments) = question[term],
          let length = Int(exactly: size), length < .max
        else { return nil }
        gaps.insert(length)
        return arguments[0]
      default: return nil
      }
    case .type, .most, .float, .difference: return nil
    }
  }

  private var isEmpty: Bool {
    let letters = letters
    var states = [State(places: machines.map { $0.machine.start }, length: 0)]
    var seen = Set(states)
    while let state = states.popLast() {
      if isFound(state) || seen.count > Self.greatestEffort { return false }
      for letter in letters {
        guard let next = step(from: state, by: letter) else { continue }
        if seen.insert(next).inserted { states.append(next) }
      }
    }
    return true
  }

  /// One representative of each class of code points that all automata treat alike. Lone surrogates
  /// are included: an index or a slice of a string can be one.
  private var letters: [UInt32] {
    var starts: Set<UInt32> = [0, 0x10000]
    for (machine, _) in machines { starts.formUnion(machine.boundaries) }
    return starts.filter { $0 <= 0x10FFFF }
  }

  private func isFound(_ state: State) -> Bool {
    state.length >= lower && !gaps.contains(state.length)
      && zip(machines, state.places).allSatisfy { $0.machine.accepts($1) == $0.matches }
  }

  private func step(from state: State, by letter: UInt32) -> State? {
    let length = state.length + (letter < 0x10000 ? 1 : 2)
    if let upper, length > upper { return nil }
    let places = zip(machines, state.places).map { $0.machine.step($1, by: letter) }
    // State 0 is the dead state: nothing is matched from there.
    for (entry, place) in zip(machines, places) where place == 0 && entry.matches { return nil }
    // Lengths greater than every bound and gap are indistinguishable.
    let settled = max(lower, (gaps.max() ?? -1) + 1)
    return State(places: places, length: upper == nil ? min(length, settled) : length)
  }
}

extension Text {
  /// A pattern that matches exactly this text.
  fileprivate var pattern: Text {
    Text(codePoints.reduce("") { $0 + "\\x{" + String($1, radix: 16) + "}" })
  }
}
