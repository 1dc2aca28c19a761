package import RulesLang

/// Finds the shortest strings that match some patterns, do not match others, and have a length
/// within bounds and unequal to some lengths.
///
/// Breadth-first search of the product automaton, so that strings are found in the order of their
/// length. Lengths are in UTF-16 units, as for `size()`.
package struct RegexSolver {
  /// The result of a search.
  package enum Outcome {
    /// The strings found: as many as requested, or all there are.
    case found([Text])
    /// A limit was exceeded.
    case unknown
  }

  private let machines: [(machine: PatternMachine, matches: Bool)]
  private let patterns: [WitnessCache.Demand]
  private let lower: Int
  private let upper: Int
  private let gaps: Set<Int>
  /// Lengths from here on are indistinguishable, unless there is a maximum.
  private let settled: Int
  private let known: WitnessCache
  private let budget: Budget?

  /// Prepares a search; nil if a pattern has no automaton.
  ///
  /// - Parameter gaps: Excluded lengths.
  package init?(
    _ patterns: [(pattern: PatternID, matches: Bool)], lower: Int, upper: Int?,
    gaps: Set<Int> = [], table: PatternTable, budget: Budget? = nil
  ) {
    var machines: [(machine: PatternMachine, matches: Bool)] = []
    var demands: [WitnessCache.Demand] = []
    for (pattern, matches) in patterns {
      let demand = WitnessCache.Demand(source: table[pattern].source, matches: matches)
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

  /// Returns the code points to try: those of the excluded strings, and `count` others of each
  /// interval that neither automata nor length tell apart. These suffice: a string that is not
  /// excluded stays so if code points that occur in no excluded string are replaced by others of
  /// their interval.
  private func letters(_ count: Int, beside excluded: Set<Text>) -> [UInt32] {
    let written = Set(excluded.flatMap { Array($0.codePoints) })
    let starts = Set(machines.flatMap { $0.machine.boundaries } + [0, 0x10000]).sorted()
    var letters = written
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1] : 0x110000
      letters.formUnion(Self.pleasant(from: start, to: end, count: count, except: written))
    }
    // Letters first: such strings are easier to read.
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

  /// Returns some code points of an interval, the most readable first. Lone surrogates come last:
  /// no document has them, but an index or slice of a string can be one.
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

  /// The distinct states of the product automaton.
  private struct States {
    /// The number of automata.
    let width: Int
    /// The states of the automata, `width` for each product state.
    private(set) var machines: [Int32] = []
    /// The lengths, capped where longer lengths are indistinguishable.
    private(set) var lengths: [Int] = []
    /// True after a high surrogate, where a low surrogate would form one code point with it.
    private(set) var halves: [Bool] = []
    /// The number of times each state was entered.
    var visits: [Int] = []
    private var index = HashIndex()

    init(width: Int) { self.width = width }

    /// Returns the number of a product state, adding it if it is new.
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

  /// A string that was read: the index of its prefix, and its last code point.
  private struct Step {
    var state: Int
    var before: Int
    var letter: UInt32
    var length: Int
  }

  /// Returns the `count` shortest strings that are not excluded.
  package func shortest(_ count: Int, excluding others: Set<Text>) -> Outcome {
    // Exclusions outside the language are dropped: of hundreds of strings usually none is left.
    let excluded = others.filter { isMeant($0) }
    let question = WitnessCache.Question(
      patterns: patterns, lower: lower, upper: upper, gaps: gaps, count: count, excluded: excluded)
    if let answer = known.answer(to: question) {
      budget?.charge(answer.steps)
      return budget?.isSpent == true ? .unknown : .found(answer.texts)
    }
    var steps = 0
    let outcome = searched(count, excluding: excluded, steps: &steps)
    if case .found(let texts) = outcome {
      known.add(WitnessCache.Answer(question: question, texts: texts, steps: steps))
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
    // A state is entered at most once for each distinct string that may be needed.
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
      if steps.count > SearchStrategy.texts { return .unknown }
    }
    return .found(found)
  }

  /// True if a string satisfies patterns and length.
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

  /// Steps all automata; returns false if no continuation can be accepted.
  private func step(
    from state: Int, of states: States, by letter: Int, of readers: [PatternMachine.Reader],
    into next: inout [Int32]
  ) -> Bool {
    let first = state * states.width
    for place in readers.indices {
      let target = readers[place].step(Int(states.machines[first + place]), by: letter)
      // State 0 is the dead state.
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
