import RulesLang

/// The texts that some patterns match and others do not, of a length within bounds, and that are
/// none of a few.
///
/// All machines read at once, from the start, every text up to what they can tell apart.
struct GroundTexts {
  /// The machines of the patterns, with whether they must match.
  var machines: [(machine: PatternMachine, matches: Bool)] = []
  /// The least length, in UTF-16 units.
  var lower = 0
  /// The greatest length; nil if there is none.
  var upper: Int?
  /// The texts that do not count.
  var excluded: [Text] = []

  /// So many states are looked at; with more the texts count as not empty.
  private static let greatestEffort = 200_000

  private struct State: Hashable {
    /// The states of the machines.
    var places: [Int]
    /// The length, as far as it still matters.
    var length: Int
    /// The excluded texts that begin with what was read.
    var excluded: [Int]
    /// How much was read, as long as it is the beginning of an excluded text.
    var count: Int
  }

  /// Whether there is no such text.
  var isEmpty: Bool {
    let words = excluded.map { text in
      Array(String(text).unicodeScalars).map { $0.value }
    }
    let letters = letters(words)
    var states = [
      State(
        places: machines.map { $0.machine.start }, length: 0,
        excluded: Array(words.indices), count: 0)
    ]
    var seen = Set(states)
    while let state = states.popLast() {
      if isFound(state, words) || seen.count > Self.greatestEffort { return false }
      for letter in letters {
        guard let next = step(state, letter, words) else { continue }
        if seen.insert(next).inserted { states.append(next) }
      }
    }
    return true
  }

  /// One of each kind of code points that nothing here tells apart; surrogates are none.
  private func letters(_ words: [[UInt32]]) -> [UInt32] {
    var starts: Set<UInt32> = [0, 0xD800, 0xE000, 0x10000]
    for (machine, _) in machines { starts.formUnion(machine.boundaries) }
    for letter in words.flatMap({ $0 }) { starts.formUnion([letter, letter + 1]) }
    return starts.filter { $0 <= 0x10FFFF && !(0xD800..<0xE000).contains($0) }.sorted()
  }

  private func isFound(_ state: State, _ words: [[UInt32]]) -> Bool {
    state.length >= lower && !state.excluded.contains { words[$0].count == state.count }
      && zip(machines, state.places).allSatisfy { $0.machine.accepts($1) == $0.matches }
  }

  private func step(_ state: State, _ letter: UInt32, _ words: [[UInt32]]) -> State? {
    let length = state.length + (letter < 0x10000 ? 1 : 2)
    if let upper, length > upper { return nil }
    let places = zip(machines, state.places).map { $0.machine.step($1, by: letter) }
    // Out of place 0 nothing is matched any more.
    for (entry, place) in zip(machines, places) where place == 0 && entry.matches { return nil }
    let left = state.excluded.filter {
      state.count < words[$0].count && words[$0][state.count] == letter
    }
    return State(
      places: places, length: upper == nil ? min(length, lower) : length, excluded: left,
      count: left.isEmpty ? 0 : state.count + 1)
  }
}
