/// A set of clauses, closed under unit propagation: a clause of which all literals but one are false makes
/// the remaining literal true.
///
/// Sound: `refutes` and `isContradictory` are true only if there is no model. Incomplete: unit propagation
/// does not find every contradiction. Assignments that follow from clauses stay; those of `refutes` are
/// undone.
package struct ClauseBase {
  private var clauses: [[Prop]] = []
  /// Occurrence lists: for each literal (`Prop.raw`), the indices of the clauses that contain it.
  private var places: [[Int]] = []
  /// The assignment by node: 1 true, -1 false, 0 unassigned.
  private var values: [Int8] = []
  private var trail: [Prop] = []
  /// The number of clause visits so far.
  package private(set) var effort = 0
  /// True if unit propagation derived the empty clause.
  package private(set) var isContradictory = false

  /// Creates an empty set of clauses, in which node 0 is true.
  package init() { grow(to: 1) }

  /// Makes room for nodes 0 ..< `count`.
  package mutating func grow(to count: Int) {
    while values.count < count {
      values.append(values.isEmpty ? 1 : 0)
      places += [[], []]
    }
  }

  /// Adds the clauses that define `gate` as the conjunction of `parts`.
  package mutating func define(_ gate: Prop, as parts: [Prop]) {
    for part in parts { add([!gate, part]) }
    add([gate] + parts.map { !$0 })
  }

  /// Adds a clause and propagates it.
  package mutating func add(_ clause: [Prop]) {
    for literal in clause { places[literal.raw].append(clauses.count) }
    clauses.append(clause)
    if !examine(clause) || !propagate() { isContradictory = true }
    trail = []
  }

  /// True if the clauses and `literals` are contradictory by unit propagation alone. The assignment
  /// is undone.
  package mutating func refutes(_ literals: [Prop]) -> Bool {
    if isContradictory { return true }
    var isRefuted = false
    for literal in literals where !isRefuted { isRefuted = !set(literal) }
    if !isRefuted { isRefuted = !propagate() }
    for literal in trail { values[literal.node] = 0 }
    trail = []
    return isRefuted
  }

  private func isTrue(_ literal: Prop) -> Bool? {
    let value = values[literal.node]
    return value == 0 ? nil : (value > 0) != literal.isDenied
  }

  /// Assigns a literal; returns false if it is already false.
  private mutating func set(_ literal: Prop) -> Bool {
    if let known = isTrue(literal) { return known }
    values[literal.node] = literal.isDenied ? -1 : 1
    trail.append(literal)
    return true
  }

  /// Assigns the last open literal of a clause; returns false if all of its literals are false.
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
