/// A set of instructions that remembers the order of insertion and is emptied in constant time.
struct InstructionSet {
  /// The members in the order in which they came.
  private(set) var members: [PatternProgram.InstructionID] = []
  /// For each instruction, its index in `members` if it is a member; else any number.
  private var places: [UInt32]

  /// Creates an empty set of instructions of a program.
  init(for program: PatternProgram) {
    places = [UInt32](repeating: 0, count: program.instructions.count)
  }

  /// True if `id` is a member.
  func contains(_ id: PatternProgram.InstructionID) -> Bool {
    let place = Int(places[Int(id.rawValue)])
    return place < members.count && members[place] == id
  }

  /// Adds `id`; returns whether it is new.
  mutating func insert(_ id: PatternProgram.InstructionID) -> Bool {
    if contains(id) { return false }
    places[Int(id.rawValue)] = UInt32(members.count)
    members.append(id)
    return true
  }

  /// Removes all members.
  mutating func removeAll() { members.removeAll(keepingCapacity: true) }
}
