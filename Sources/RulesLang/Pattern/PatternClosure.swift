/// The instructions that threads reach at one place of a text without consuming anything.
struct PatternClosure {
  /// The `set` instructions reached.
  private(set) var consuming: [PatternProgram.InstructionID] = []
  /// True if one of them is `match`.
  private(set) var hasMatch = false
  private var reached: InstructionSet
  private var pending: [PatternProgram.InstructionID] = []

  /// Creates the closure of no threads.
  init(for program: PatternProgram) { reached = InstructionSet(for: program) }

  /// Removes all threads.
  mutating func removeAll() {
    reached.removeAll()
    consuming.removeAll(keepingCapacity: true)
    hasMatch = false
  }

  /// Adds what a thread at `start` reaches between two neighbours.
  mutating func add(
    _ start: PatternProgram.InstructionID, of program: PatternProgram,
    between before: PatternNeighbor, and after: PatternNeighbor
  ) {
    pending.append(start)
    while let id = pending.popLast() {
      guard reached.insert(id) else { continue }
      switch program[id] {
      case .set: consuming.append(id)
      case .either(let one, let other):
        pending.append(other)
        pending.append(one)
      case .mark(_, let then): pending.append(then)
      case .assertion(let assertion, let then):
        if assertion.holds(between: before, and: after) { pending.append(then) }
      case .match: hasMatch = true
      }
    }
  }
}
