/// Clauses, and what follows from them by unit propagation: a clause all of whose literals but one
/// are false makes that one true.
struct ClauseBase {
  private var clauses: [[Ref]] = []
  /// By literal, shifted as `Ref` is: the clauses that it stands in.
  private var places: [[Int]] = []
  /// By node: 1 holds, -1 does not, 0 is open.
  private var values: [Int8] = []
  private var trail: [Ref] = []
  /// Whether the clauses cannot hold together.
  private(set) var isContradictory = false

  /// Starts with what is true of node 0, which holds.
  init() { grow(to: 1) }

  /// Makes room for so many nodes.
  mutating func grow(to count: Int) {
    while values.count < count {
      values.append(values.isEmpty ? 1 : 0)
      places += [[], []]
    }
  }

  /// Adds the meaning of a conjunction: it implies each part, and all parts imply it.
  mutating func define(_ gate: Ref, as parts: [Ref]) {
    for part in parts { add([!gate, part]) }
    add([gate] + parts.map { !$0 })
  }

  /// Adds a clause, and what follows from it.
  mutating func add(_ clause: [Ref]) {
    for literal in clause { places[Int(literal.raw)].append(clauses.count) }
    clauses.append(clause)
    if !examine(clause) || !propagate() { isContradictory = true }
    trail = []
  }

  /// Whether the clauses contradict these literals by unit propagation alone.
  mutating func refutes(_ literals: [Ref]) -> Bool {
    if isContradictory { return true }
    var isRefuted = false
    for literal in literals where !isRefuted { isRefuted = !set(literal) }
    if !isRefuted { isRefuted = !propagate() }
    for literal in trail { values[Int(literal.node)] = 0 }
    trail = []
    return isRefuted
  }

  private func isTrue(_ literal: Ref) -> Bool? {
    let value = values[Int(literal.node)]
    return value == 0 ? nil : (value > 0) != literal.isNegated
  }

  /// False if the literal is known to be false.
  private mutating func set(_ literal: Ref) -> Bool {
    if let known = isTrue(literal) { return known }
    values[Int(literal.node)] = literal.isNegated ? -1 : 1
    trail.append(literal)
    return true
  }

  /// False if all literals of a clause are; sets the last one that is open.
  private mutating func examine(_ clause: [Ref]) -> Bool {
    var open: Ref?
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
      for index in places[Int((!trail[next]).raw)] where !examine(clauses[index]) { return false }
      next += 1
    }
    return true
  }
}
