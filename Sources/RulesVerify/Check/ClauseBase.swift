/// Clauses, and what follows from them by unit propagation: a clause all of whose literals but one
/// are false makes that one true.
package struct ClauseBase {
  private var clauses: [[Prop]] = []
  /// By literal, as `Prop` numbers them: the clauses that it stands in.
  private var places: [[Int]] = []
  /// By node: 1 holds, -1 does not, 0 is open.
  private var values: [Int8] = []
  private var trail: [Prop] = []
  /// How many clauses were looked at.
  package private(set) var effort = 0
  /// Whether the clauses cannot hold together.
  package private(set) var isContradictory = false

  /// Starts with what is true of node 0, which holds.
  package init() { grow(to: 1) }

  /// Makes room for so many nodes.
  package mutating func grow(to count: Int) {
    while values.count < count {
      values.append(values.isEmpty ? 1 : 0)
      places += [[], []]
    }
  }

  /// Adds the meaning of a conjunction: it implies each part, and all parts imply it.
  package mutating func define(_ gate: Prop, as parts: [Prop]) {
    for part in parts { add([!gate, part]) }
    add([gate] + parts.map { !$0 })
  }

  /// Adds a clause, and what follows from it.
  package mutating func add(_ clause: [Prop]) {
    for literal in clause { places[literal.raw].append(clauses.count) }
    clauses.append(clause)
    if !examine(clause) || !propagate() { isContradictory = true }
    trail = []
  }

  /// Whether the clauses contradict these literals by unit propagation alone.
  package mutating func refutes(_ literals: [Prop]) -> Bool {
    if isContradictory { return true }
    var isProputed = false
    for literal in literals where !isProputed { isProputed = !set(literal) }
    if !isProputed { isProputed = !propagate() }
    for literal in trail { values[literal.node] = 0 }
    trail = []
    return isProputed
  }

  private func isTrue(_ literal: Prop) -> Bool? {
    let value = values[literal.node]
    return value == 0 ? nil : (value > 0) != literal.isDenied
  }

  /// False if the literal is known to be false.
  private mutating func set(_ literal: Prop) -> Bool {
    if let known = isTrue(literal) { return known }
    values[literal.node] = literal.isDenied ? -1 : 1
    trail.append(literal)
    return true
  }

  /// False if all literals of a clause are; sets the last one that is open.
  private mutating func examine(_ clause: [Prop]) -> Bool {
    effort += 1
    var open: Prop?
    for literal in clause {
      switch isTrue(literal) {
      case .some(true): return true
      case .some(false): break
      case .none:
        if let open, open != literal { return true }
        open = literal
      }
    }
    return open.map { set($0) } ?? false
  }

  private mutating func propagate() -> Bool {
    var next = 0
    while next < trail.count {
      for index in places[(!trail[next]).raw] where !examine(clauses[index]) { return false }
      next += 1
    }
    return true
  }
}
