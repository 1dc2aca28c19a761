/// A pattern compiled to the instructions of a nondeterministic automaton.
struct PatternProgram: Sendable {
  /// The number of an instruction.
  struct InstructionID: Hashable, Sendable {
    /// The index into `instructions`.
    let rawValue: UInt32

    /// Creates the ID of the instruction at `index`.
    init(_ index: Int) { rawValue = UInt32(index) }
  }

  /// The number of a place that a match remembers: twice the group's number for its start, one more
  /// for its end; 0 and 1 are the whole match.
  struct SlotID: Hashable, Sendable {
    /// The number.
    let rawValue: UInt32

    /// Creates the ID of slot `number`.
    init(_ number: Int) { rawValue = UInt32(number) }
  }

  /// One instruction; a thread goes on at `then`.
  enum Instruction: Sendable {
    /// Consumes a code point of the set, or ends the thread.
    case set(PatternSyntax.SetID, then: InstructionID)
    /// Continues in both ways, the first preferred.
    case either(InstructionID, InstructionID)
    /// Remembers the place.
    case mark(SlotID, then: InstructionID)
    /// Continues if the condition holds here.
    case assertion(PatternSyntax.Assertion, then: InstructionID)
    /// The pattern has matched.
    case match
  }

  /// The greatest number of instructions. The emulator has no limit of its own and runs out of
  /// memory somewhere above ten million.
  static let greatestCount = 1 << 18
  /// The greatest product of instructions and remembered places, which bounds what a search needs.
  static let greatestThreadStorage = 1 << 23

  /// The instructions.
  let instructions: [Instruction]
  /// The first instruction.
  let start: InstructionID
  /// The number of capturing groups.
  let groupCount: Int
  /// The classes of code points that the instructions tell apart.
  let alphabet: PatternAlphabet
  /// True if any instruction is an assertion.
  let hasAssertions: Bool

  /// For each class, true if a match can start with a member of it; nil if a match can be empty or depends on
  /// its neighbours.
  private(set) var starters: [Bool]?

  /// Compiles a tree; `tooLarge` if counts multiply beyond the limits above.
  init(_ syntax: PatternSyntax) throws(PatternError) {
    var compiler = PatternCompiler(syntax)
    start = try compiler.compile()
    instructions = compiler.instructions
    groupCount = syntax.groupCount
    var hasAssertions = false
    for case .assertion in instructions { hasAssertions = true }
    self.hasAssertions = hasAssertions
    alphabet = PatternAlphabet(
      syntax.sets, separating: hasAssertions ? [CodePointSet(0x0A), NamedClass.word] : [])
    starters = findStarters()
  }

  private func findStarters() -> [Bool]? {
    if hasAssertions { return nil }
    var closure = PatternClosure(for: self)
    closure.add(start, of: self, between: .edge, and: .edge)
    if closure.hasMatch { return nil }
    var starters = [Bool](repeating: false, count: alphabet.count)
    for thread in closure.consuming {
      guard case .set(let set, _) = self[thread] else { continue }
      for number in starters.indices
      where alphabet.contains(PatternAlphabet.ClassID(number), in: set) {
        starters[number] = true
      }
    }
    return starters
  }

  /// The instruction with a given ID.
  subscript(id: InstructionID) -> Instruction { instructions[Int(id.rawValue)] }
}
