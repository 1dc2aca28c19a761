/// Finds matches in one text, leftmost first, and among those at one place the one that the
/// pattern prefers (as a backtracking engine would find it, but in linear time).
///
/// Threads run side by side in order of preference. Each carries the slots that the caller tracks.
struct PatternSearch {
  /// Threads in order of preference, each at an instruction that consumes or matches, or not
  /// followed yet.
  private struct Threads {
    var ids: InstructionSet
    var slots: [UInt32] = []

    mutating func removeAll() {
      ids.removeAll()
      slots.removeAll(keepingCapacity: true)
    }
  }

  /// A pending step while a thread is followed.
  private enum Task {
    case follow(PatternProgram.InstructionID)
    case restore(Int, UInt32)
  }

  /// The value of a slot that was not reached.
  static let unset = UInt32.max

  private let program: PatternProgram
  private let bytes: [UInt8]
  /// For each slot of the program, its index among the tracked ones, or nil.
  private let trackedIndex: [Int?]
  private let width: Int
  private var followed: InstructionSet
  private var here: Threads
  private var ahead: Threads
  private var current: [UInt32]
  private var tasks: [Task] = []
  /// The slots of the last match: its start and end, then those of the tracked groups. Byte
  /// offsets, or `unset`.
  private(set) var found: [UInt32]

  /// Prepares to search; `groups` are the numbers of the groups whose places are wanted.
  init(_ program: PatternProgram, in bytes: [UInt8], tracking groups: [Int]) {
    self.program = program
    self.bytes = bytes
    var trackedIndex = [Int?](repeating: nil, count: 2 * (program.groupCount + 1))
    for (index, group) in groups.enumerated() {
      trackedIndex[2 * group] = 2 * index + 2
      trackedIndex[2 * group + 1] = 2 * index + 3
    }
    self.trackedIndex = trackedIndex
    width = 2 * groups.count + 2
    followed = InstructionSet(for: program)
    here = Threads(ids: InstructionSet(for: program))
    ahead = Threads(ids: InstructionSet(for: program))
    current = [UInt32](repeating: Self.unset, count: width)
    found = current
  }

  /// Searches a match that starts at byte `start` or later; assertions see the text before it. O(instructions
  /// × code points).
  mutating func find(from start: Int) -> Bool {
    var index = start
    // The last byte tells enough: only ASCII characters differ for assertions.
    var before = start == 0 ? PatternNeighbor.edge : PatternNeighbor(UInt32(bytes[start - 1]))
    var isFound = false
    ahead.removeAll()
    while true {
      if !isFound, ahead.ids.members.isEmpty { skip(to: &index) }
      let place = index
      let id = nextClass(at: &index)
      let after = id.map { program.alphabet.neighbors[Int($0.rawValue)] } ?? .edge
      closeThreads(at: place, startingNew: !isFound, between: before, and: after)
      if step(id, at: place) { isFound = true }
      guard id != nil, !(isFound && ahead.ids.members.isEmpty) else { return isFound }
      before = after
    }
  }

  /// Moves to the next place where a match may start, if that is known without assertions.
  private func skip(to index: inout Int) {
    guard let starters = program.starters else { return }
    var next = index
    while let id = nextClass(at: &next), !starters[Int(id.rawValue)] { index = next }
  }

  private func nextClass(at index: inout Int) -> PatternAlphabet.ClassID? {
    guard index < bytes.count else { return nil }
    return program.alphabet.classID(of: bytes.codePoint(at: &index))
  }

  /// Follows the threads `ahead`, and a new one if wanted, to instructions that consume or match.
  private mutating func closeThreads(
    at place: Int, startingNew: Bool, between before: PatternNeighbor, and after: PatternNeighbor
  ) {
    here.removeAll()
    followed.removeAll()
    for (number, thread) in ahead.ids.members.enumerated() {
      load(ahead.slots, of: number)
      follow(thread, at: place, between: before, and: after)
    }
    guard startingNew else { return }
    for slot in current.indices { current[slot] = Self.unset }
    current[0] = UInt32(place)
    follow(program.start, at: place, between: before, and: after)
  }

  private mutating func follow(
    _ thread: PatternProgram.InstructionID, at place: Int,
    between before: PatternNeighbor, and after: PatternNeighbor
  ) {
    tasks.append(.follow(thread))
    while let task = tasks.popLast() {
      switch task {
      case .restore(let slot, let value): current[slot] = value
      case .follow(let id):
        guard followed.insert(id) else { continue }
        switch program[id] {
        case .set, .match:
          _ = here.ids.insert(id)
          here.slots.append(contentsOf: current)
        case .either(let one, let other):
          tasks.append(.follow(other))
          tasks.append(.follow(one))
        case .mark(let slot, let then):
          if let tracked = trackedIndex[Int(slot.rawValue)] {
            tasks.append(.restore(tracked, current[tracked]))
            current[tracked] = UInt32(place)
          }
          tasks.append(.follow(then))
        case .assertion(let assertion, let then):
          if assertion.holds(between: before, and: after) { tasks.append(.follow(then)) }
        }
      }
    }
  }

  /// Moves the threads `here` over a code point to `ahead`; a match ends those less preferred.
  private mutating func step(_ id: PatternAlphabet.ClassID?, at place: Int) -> Bool {
    ahead.removeAll()
    for (number, thread) in here.ids.members.enumerated() {
      switch program[thread] {
      case .set(let set, let then):
        guard let id, program.alphabet.contains(id, in: set), ahead.ids.insert(then) else { break }
        ahead.slots.append(contentsOf: here.slots[number * width..<(number + 1) * width])
      case .match:
        load(here.slots, of: number)
        current[1] = UInt32(place)
        found = current
        return true
      case .either, .mark, .assertion: break
      }
    }
    return false
  }

  private mutating func load(_ slots: [UInt32], of number: Int) {
    for slot in 0..<width { current[slot] = slots[number * width + slot] }
  }
}
