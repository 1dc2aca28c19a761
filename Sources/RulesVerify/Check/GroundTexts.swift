import RulesEval
import RulesLang

/// The texts that some patterns match and others do not, of a length within bounds and not of some lengths.
///
/// All machines read at once, from the start, every text up to what they can tell apart.
struct GroundTexts {
  /// The machines of the patterns, with whether they must match.
  private var machines: [(machine: PatternMachine, matches: Bool)] = []
  /// The least length, in UTF-16 units.
  private var lower = 0
  /// The greatest length; nil if there is none.
  private var upper: Int?
  /// The lengths that they do not have.
  private var gaps: Set<Int> = []

  /// So many states are looked at; with more the texts count as not empty.
  private static let greatestEffort = 200_000

  private struct State: Hashable {
    /// The states of the machines.
    var places: [Int]
    /// The length, as far as it still matters.
    var length: Int
  }

  /// What else has to hold so that no text is as the literals have it, which are about a term and what
  /// may be the same as it; nil if there is such a text.
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

  /// Adds what a fact says of a text, and returns that text; nil if it says nothing of one.
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

  /// One of each kind of code points that nothing here tells apart. Halves of characters are among them:
  /// an index or slice of a text can be one.
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
    // Out of place 0 nothing is matched any more.
    for (entry, place) in zip(machines, places) where place == 0 && entry.matches { return nil }
    // A length beyond all that are named is like any other.
    let settled = max(lower, (gaps.max() ?? -1) + 1)
    return State(places: places, length: upper == nil ? min(length, settled) : length)
  }
}

extension Text {
  /// The pattern that matches this text only.
  fileprivate var pattern: Text {
    Text(codePoints.reduce("") { $0 + "\\x{" + String($1, radix: 16) + "}" })
  }
}
