package import RulesLang

/// Finds the shortest texts that match some patterns, do not match others, and are of a length
/// within bounds, but not of some lengths.
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
  private let patterns: [KnownWords.Demand]
  private let lower: Int
  private let upper: Int
  private let gaps: Set<Int>
  /// From this length on the length tells nothing, unless there is a greatest one.
  private let settled: Int
  private let known: KnownWords
  private let budget: Budget?

  /// Prepares a search; nil if a pattern has no machine. A text has none of the lengths of `gaps`.
  package init?(
    _ patterns: [(pattern: PatternID, matches: Bool)], lower: Int, upper: Int?,
    gaps: Set<Int> = [], table: PatternTable, budget: Budget? = nil
  ) {
    var machines: [(machine: PatternMachine, matches: Bool)] = []
    var demands: [KnownWords.Demand] = []
    for (pattern, matches) in patterns {
      let demand = KnownWords.Demand(source: table[pattern].source, matches: matches)
      if demands.contains(demand) { continue }
      guard let machine = table.machine(pattern) else { return nil }
      machines.append((machine, matches))
      demands.append(demand)
    }
    self.machines = machines
    self.patterns = demands
    self.lower = lower
    self.upper = upper ?? .max
    self.gaps = gaps.filter { lower <= $0 && $0 <= upper ?? .max - 1 }
    settled = max(lower, (self.gaps.max() ?? -1) + 1)
    known = table.words
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

  /// Where the machines are after a text, each such place once.
  private struct States {
    /// How many machines there are.
    let width: Int
    /// The states of the machines, state by state.
    private(set) var machines: [Int32] = []
    /// The lengths, as far as they still matter.
    private(set) var lengths: [Int] = []
    /// Whether the last letter is the first half of a character, behind which a second one would be part of
    /// the same letter.
    private(set) var halves: [Bool] = []
    /// How often each was entered.
    var visits: [Int] = []
    private var index = HashIndex()

    init(width: Int) { self.width = width }

    /// The number of a state.
    mutating func number(of wanted: [Int32], length: Int, isHalf: Bool) -> Int {
      var hash = Hash(UInt64(length), isHalf ? 1 : 0)
      for state in wanted { hash.add(state) }
      let known = index.first(hash) { number in
        lengths[number] == length && halves[number] == isHalf
          && wanted.indices.allSatisfy { machines[number * width + $0] == wanted[$0] }
      }
      if let known { return known }
      let number = lengths.count
      index.add(number, hash: hash)
      machines += wanted
      lengths.append(length)
      halves.append(isHalf)
      visits.append(0)
      return number
    }
  }

  /// A text that was read: the one before its last letter, by its place among all, and that letter.
  private struct Step {
    var state: Int
    var before: Int
    var letter: UInt32
    var length: Int
  }

  /// The `count` shortest texts that are none of `excluded`.
  package func shortest(_ count: Int, excluding others: Set<Text>) -> Outcome {
    // What is not looked for need not be excluded: of hundreds of texts mostly none is left.
    let excluded = others.filter { isMeant($0) }
    let question = KnownWords.Question(
      patterns: patterns, lower: lower, upper: upper, gaps: gaps, count: count, excluded: excluded)
    if let answer = known.answer(to: question) {
      budget?.charge(answer.steps)
      return budget?.isSpent == true ? .unknown : .found(answer.texts)
    }
    var steps = 0
    let outcome = searched(count, excluding: excluded, steps: &steps)
    if case .found(let texts) = outcome {
      known.add(KnownWords.Answer(question: question, texts: texts, steps: steps))
    }
    return outcome
  }

  private func searched(
    _ count: Int, excluding excluded: Set<Text>, steps spent: inout Int
  ) -> Outcome {
    let letters = letters(count, beside: excluded)
    let readers = machines.map { $0.machine.reading(letters) }
    var found: [Text] = []
    var states = States(width: machines.count)
    var next = machines.map { Int32($0.machine.start) }
    var steps = [
      Step(
        state: states.number(of: next, length: 0, isHalf: false), before: -1, letter: 0, length: 0)
    ]
    var index = 0
    // A state is entered as often as distinct texts may be needed.
    let greatestVisits = count + excluded.count
    while index < steps.count {
      let (state, length) = (steps[index].state, steps[index].length)
      if length >= lower, !gaps.contains(length), isAccepted(state, of: states) {
        let text = self.text(at: index, in: steps)
        if !excluded.contains(text) { found.append(text) }
        if found.count == count { return .found(found) }
      }
      for (place, letter) in letters.enumerated() {
        let units = letter >= 0x10000 ? 2 : 1
        if states.halves[state], letter & 0xFFFF_FC00 == 0xDC00 { continue }
        guard length + units <= upper,
          step(from: state, of: states, by: place, of: readers, into: &next)
        else { continue }
        let number = states.number(
          of: next, length: upper == .max ? min(length + units, settled) : length + units,
          isHalf: letter & 0xFFFF_FC00 == 0xD800)
        guard states.visits[number] < greatestVisits else { continue }
        states.visits[number] += 1
        steps.append(Step(state: number, before: index, letter: letter, length: length + units))
      }
      index += 1
      let cost = letters.count * (1 + machines.count)
      spent += cost
      budget?.charge(cost)
      if budget?.isSpent == true { return .unknown }
      if steps.count > Self.greatestEffort { return .unknown }
    }
    return .found(found)
  }

  /// Whether a text is one of those that are looked for.
  private func isMeant(_ text: Text) -> Bool {
    let length = text.unitCount
    if length < lower || length > upper || gaps.contains(length) { return false }
    return machines.allSatisfy { machine, matches in
      var state = machine.start
      for letter in text.codePoints where state != 0 { state = machine.step(state, by: letter) }
      return machine.accepts(state) == matches
    }
  }

  private func isAccepted(_ state: Int, of states: States) -> Bool {
    for (place, entry) in machines.enumerated() {
      let reached = Int(states.machines[state * states.width + place])
      if entry.machine.accepts(reached) != entry.matches { return false }
    }
    return true
  }

  /// Lets all machines read a letter; false if no text is accepted any more then.
  private func step(
    from state: Int, of states: States, by letter: Int, of readers: [PatternMachine.Reader],
    into next: inout [Int32]
  ) -> Bool {
    let first = state * states.width
    for place in readers.indices {
      let target = readers[place].step(Int(states.machines[first + place]), by: letter)
      // State 0 is left by none.
      if target == 0, machines[place].matches { return false }
      next[place] = Int32(target)
    }
    return true
  }

  private func text(at index: Int, in steps: [Step]) -> Text {
    var letters: [UInt32] = []
    var index = index
    while steps[index].before >= 0 {
      letters.append(steps[index].letter)
      index = steps[index].before
    }
    var text = Text()
    for letter in letters.reversed() { text.append(letter) }
    return text
  }
}
