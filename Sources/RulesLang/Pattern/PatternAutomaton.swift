/// A pattern as a deterministic automaton, which decides a whole text with one look-up a code point.
///
/// Some patterns have no automaton of bearable size: `init` gives up at the limits below, and the program is
/// simulated instead. States with assertions also record the preceding character.
struct PatternAutomaton: Sendable {
  /// The greatest number of entries of the table.
  static let greatestTable = 1 << 16
  /// The greatest number of steps spent on making the table.
  static let greatestEffort = 1 << 18

  /// For each state and class the next state, as the index of its row; the last entry of a row is 1
  /// if a text may end there. Row 0 is the state without threads.
  private let table: [UInt32]
  /// The state before the first code point.
  let start: Int
  private let acceptance: Int

  /// Creates the automaton of a program, or nil if it would be too large.
  init?(_ program: PatternProgram) {
    var builder = PatternAutomatonBuilder(program)
    guard let start = builder.build() else { return nil }
    table = builder.table
    self.start = start
    acceptance = program.alphabet.count
  }

  /// The state after a code point of a class.
  func step(_ state: Int, by id: PatternAlphabet.ClassID) -> Int {
    Int(table[state + Int(id.rawValue)])
  }

  /// True if a text may end in a state.
  func accepts(_ state: Int) -> Bool { table[state + acceptance] != 0 }

  /// True if the whole text matches. O(code points).
  func matches(_ text: Text, over alphabet: PatternAlphabet) -> Bool {
    let bytes = text.bytes
    var state = start
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let id: PatternAlphabet.ClassID
      if byte < 0x80 {
        id = alphabet.ascii[Int(byte)]
        index += 1
      } else {
        id = alphabet.classID(of: bytes.codePoint(at: &index))
      }
      state = Int(table[state + Int(id.rawValue)])
      if state == 0 { return false }
    }
    return table[state + acceptance] != 0
  }
}

/// Makes the table of an automaton: the subset construction, from the start state on.
struct PatternAutomatonBuilder {
  /// Threads just after a code point, and what that was if the program has assertions.
  private struct State: Hashable {
    let threads: [UInt32]
    let before: PatternNeighbor
  }

  private let program: PatternProgram
  private let stride: Int
  private var states: [State] = []
  private var rows: [State: UInt32] = [:]
  private var effort = 0
  private var closure: PatternClosure
  private var next: InstructionSet
  /// The table so far; see `PatternAutomaton`.
  private(set) var table: [UInt32] = []

  /// Prepares to make the automaton of a program.
  init(_ program: PatternProgram) {
    self.program = program
    stride = program.alphabet.count + 1
    closure = PatternClosure(for: program)
    next = InstructionSet(for: program)
  }

  /// Makes all rows and returns the start state's, or nil beyond the limits.
  mutating func build() -> Int? {
    if program.instructions.count > PatternAutomaton.greatestTable { return nil }
    _ = row(of: State(threads: [], before: .other))
    let start = row(of: State(threads: [program.start.rawValue], before: .edge))
    var current = 1
    while current < states.count {
      fill(current)
      if table.count > PatternAutomaton.greatestTable { return nil }
      if effort > PatternAutomaton.greatestEffort { return nil }
      current += 1
    }
    return Int(start)
  }

  private mutating func row(of state: State) -> UInt32 {
    if let row = rows[state] { return row }
    let row = UInt32(table.count)
    rows[state] = row
    states.append(state)
    table.append(contentsOf: repeatElement(0, count: stride))
    return row
  }

  private mutating func fill(_ current: Int) {
    let state = states[current]
    let alphabet = program.alphabet
    var closed: PatternNeighbor?
    for number in 0..<alphabet.count {
      let after = alphabet.neighbors[number]
      if closed == nil || (program.hasAssertions && closed != after) { close(state, before: after) }
      closed = after
      let row = step(over: alphabet, on: PatternAlphabet.ClassID(number), before: after)
      table[current * stride + number] = row
    }
    close(state, before: .edge)
    table[current * stride + alphabet.count] = closure.hasMatch ? 1 : 0
  }

  private mutating func close(_ state: State, before after: PatternNeighbor) {
    closure.removeAll()
    for thread in state.threads {
      closure.add(
        PatternProgram.InstructionID(Int(thread)), of: program, between: state.before, and: after)
    }
    effort += closure.consuming.count
  }

  private mutating func step(
    over alphabet: PatternAlphabet, on id: PatternAlphabet.ClassID, before after: PatternNeighbor
  ) -> UInt32 {
    next.removeAll()
    for thread in closure.consuming {
      if case .set(let set, let then) = program[thread], alphabet.contains(id, in: set) {
        _ = next.insert(then)
      }
    }
    effort += closure.consuming.count
    if next.members.isEmpty { return 0 }
    var threads: [UInt32] = []
    for thread in next.members { threads.append(thread.rawValue) }
    threads.sort()
    return row(
      of: State(threads: threads, before: program.hasAssertions ? after : .other))
  }
}
