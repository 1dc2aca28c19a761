package import RulesLang

/// Finds the shortest texts that match some patterns, do not match others, and are of a length
/// within bounds.
///
/// The machines of all patterns read at once; a search by breadth meets the texts in the order of
/// their length. Lengths count UTF-16 units, as `size()` does.
package struct Words {
  /// What became of a search.
  package enum Outcome {
    /// The texts found, as many as were asked for or all there are.
    case found([Text])
    /// The search was given up.
    case unknown
  }

  /// Beyond so many states a search is given up.
  private static let greatestEffort = 100_000

  private let machines: [(machine: PatternMachine, matches: Bool)]
  private let lower: Int
  private let upper: Int
  private let budget: Budget?

  /// Prepares a search; nil if a pattern has no machine.
  package init?(
    _ patterns: [(pattern: PatternID, matches: Bool)], lower: Int, upper: Int?,
    table: PatternTable, budget: Budget? = nil
  ) {
    var machines: [(machine: PatternMachine, matches: Bool)] = []
    for (pattern, matches) in patterns {
      guard let machine = table.machine(pattern) else { return nil }
      machines.append((machine, matches))
    }
    self.machines = machines
    self.lower = lower
    self.upper = upper ?? .max
    self.budget = budget
  }

  /// The code points to try: those of the excluded texts, and of each interval within which neither a
  /// machine nor the length tells code points apart `count` others. A text that is not excluded stays so
  /// when what is in none of the excluded texts is replaced by such another, so these are enough.
  private func letters(_ count: Int, beside excluded: Set<Text>) -> [UInt32] {
    let written = Set(excluded.flatMap { Array($0.codePoints) })
    let starts = Set(machines.flatMap { $0.machine.boundaries } + [0, 0x10000]).sorted()
    var letters = written
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1] : 0x110000
      letters.formUnion(Self.pleasant(from: start, to: end, count: count, except: written))
    }
    // Texts are easier to read if letters are tried before other characters.
    return letters.sorted {
      let (one, other) = (Self.rank($0), Self.rank($1))
      return one != other ? one < other : $0 < $1
    }
  }

  private static func rank(_ letter: UInt32) -> Int {
    switch letter {
    case 0x61...0x7A: 0
    case 0x30...0x39, 0x41...0x5A: 1
    case 0x21...0x7E: 2
    default: 3
    }
  }

  /// Some code points of an interval, those that read well first. Halves of characters come last: no
  /// document has them, but an index or slice of a text can be one.
  private static func pleasant(
    from start: UInt32, to end: UInt32, count: Int, except written: Set<UInt32>
  ) -> [UInt32] {
    let ranges: [(UInt32, UInt32)] = [
      (0x61, 0x7A), (0x41, 0x5A), (0x30, 0x39), (0x21, 0x7E), (0x20, 0xD7FF), (0, 0x1F),
      (0x1F600, 0x1F64F), (0xE000, 0x10FFFF), (0xD800, 0xDFFF),
    ]
    var found: [UInt32] = []
    for range in ranges {
      let (low, high) = (max(start, range.0), min(end - 1, range.1))
      guard low <= high else { continue }
      for letter in low...high where !written.contains(letter) && !found.contains(letter) {
        found.append(letter)
        if found.count == count { return found }
      }
    }
    return found
  }

  private struct State: Hashable {
    var machines: [Int]
    /// The length, as far as it still matters.
    var length: Int
    /// Whether the last letter is the first half of a character, behind which a second one would be part
    /// of the same letter.
    var isHalf = false
  }

  /// The `count` shortest texts that are none of `excluded`.
  package func shortest(_ count: Int, excluding others: Set<Text>) -> Outcome {
    // What is not looked for need not be excluded: of hundreds of texts mostly none is left.
    let excluded = others.filter { isMeant($0) }
    let letters = letters(count, beside: excluded)
    var found: [Text] = []
    var states: [(state: State, before: Int, letter: UInt32, length: Int)] = []
    var visits: [State: Int] = [:]
    let start = State(machines: machines.map { $0.machine.start }, length: 0)
    states.append((start, -1, 0, 0))
    var index = 0
    // A state is entered as often as distinct texts may be needed.
    let greatestVisits = count + excluded.count
    while index < states.count {
      let (state, _, _, length) = states[index]
      if length >= lower, isAccepted(state) {
        let text = self.text(at: index, in: states)
        if !excluded.contains(text) { found.append(text) }
        if found.count == count { return .found(found) }
      }
      for letter in letters {
        let units = letter >= 0x10000 ? 2 : 1
        if state.isHalf, letter & 0xFFFF_FC00 == 0xDC00 { continue }
        guard length + units <= upper,
          let next = step(from: state, by: letter, length: length + units)
        else {
          continue
        }
        guard visits[next, default: 0] < greatestVisits else { continue }
        visits[next, default: 0] += 1
        states.append((next, index, letter, length + units))
      }
      index += 1
      budget?.charge(4 * letters.count * (1 + machines.count))
      if budget?.isSpent == true { return .unknown }
      if states.count > Self.greatestEffort { return .unknown }
    }
    return .found(found)
  }

  /// Whether a text is one of those that are looked for.
  private func isMeant(_ text: Text) -> Bool {
    let length = text.unitCount
    if length < lower || length > upper { return false }
    return machines.allSatisfy { machine, matches in
      var state = machine.start
      for letter in text.codePoints where state != 0 { state = machine.step(state, by: letter) }
      return machine.accepts(state) == matches
    }
  }

  private func isAccepted(_ state: State) -> Bool {
    for (place, entry) in machines.enumerated()
    where entry.machine.accepts(state.machines[place]) != entry.matches {
      return false
    }
    return true
  }

  private func step(from state: State, by letter: UInt32, length: Int) -> State? {
    var next: [Int] = []
    for (place, entry) in machines.enumerated() {
      let target = entry.machine.step(state.machines[place], by: letter)
      // Out of state 0 no text is accepted any more.
      if target == 0, entry.matches { return nil }
      next.append(target)
    }
    // Once the least length is reached and there is no greatest one, the length tells nothing.
    return State(
      machines: next, length: upper == .max ? min(length, lower) : length,
      isHalf: letter & 0xFFFF_FC00 == 0xD800)
  }

  private func text(
    at index: Int, in states: [(state: State, before: Int, letter: UInt32, length: Int)]
  ) -> Text {
    var letters: [UInt32] = []
    var index = index
    while states[index].before >= 0 {
      letters.append(states[index].letter)
      index = states[index].before
    }
    var text = Text()
    for letter in letters.reversed() { text.append(letter) }
    return text
  }
}
