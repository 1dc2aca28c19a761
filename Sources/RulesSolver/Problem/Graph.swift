/// A literal: a node of a `Graph` or its negation.
package struct Ref: Hashable, Sendable {
  /// The node, shifted left once; the lowest bit is the sign.
  package let raw: Int32

  /// The proposition that is always true.
  @inlinable package static var yes: Ref { Ref(node: 0) }
  /// The proposition that is always false.
  @inlinable package static var no: Ref { !yes }

  /// Creates the positive literal of a node.
  @inlinable package init(node: Int32) { raw = node << 1 }

  /// Creates a literal from its bits.
  @inlinable package init(raw: Int32) { self.raw = raw }

  /// The node.
  @inlinable package var node: Int32 { raw >> 1 }
  /// True for a negated node.
  @inlinable package var isNegated: Bool { raw & 1 == 1 }

  /// The negation.
  @inlinable package static prefix func ! (ref: Ref) -> Ref { Ref(raw: ref.raw ^ 1) }
}

/// An and-inverter graph with n-ary conjunctions over atoms, hash-consed.
///
/// A disjunction is a negated conjunction of negations. Children have smaller indices than their
/// gate, so the graph is acyclic. Equal gates are shared: commuted, regrouped and De-Morganed
/// variants of a condition are one node.
package struct Graph {
  /// The atom of each leaf; nil for gates and for node 0.
  package private(set) var atoms: [Atom?] = [nil]
  /// The parts of all gates.
  package private(set) var parts: [Ref] = []
  /// For each node, the start of its parts; followed by the end of the last node's.
  package private(set) var starts: [Int32] = [0, 0]
  private var gates = HashIndex()
  private var leaves = HashIndex()
  /// A buffer for the conjunction being built.
  private var flat: [Ref] = []
  /// The number of parts processed so far, including those of gates that existed already.
  package private(set) var work = 0

  /// Creates a graph with the constant node only.
  package init() {}

  /// The number of nodes.
  package var count: Int { atoms.count }

  /// The parts of a gate, sorted and distinct; empty for atoms and for the constant node 0.
  package func children(of node: Int) -> ArraySlice<Ref> {
    parts[Int(starts[node])..<Int(starts[node + 1])]
  }

  /// True if a node is a gate.
  func isGate(_ node: Int32) -> Bool { starts[Int(node)] != starts[Int(node) + 1] }

  /// Returns the literal of an atom.
  package mutating func atom(_ atom: Atom) -> Ref {
    let hash = atom.hash
    if let known = leaves.first(hash, where: { atoms[$0] == atom }) {
      return Ref(node: Int32(known))
    }
    leaves.add(count, hash: hash)
    return add(atom)
  }

  private mutating func add(_ atom: Atom?) -> Ref {
    let ref = Ref(node: Int32(count))
    atoms.append(atom)
    starts.append(Int32(parts.count))
    return ref
  }

  // MARK: Copies

  /// A copy for reading, to which only additions to this graph may be added (`follow`).
  ///
  /// Tables shared by two graphs are copied whole when one of them grows; a copy that is extended
  /// by the new nodes only costs each node once.
  var readable: Graph {
    var copy = self
    // The hash indices are only needed for adding nodes.
    (copy.gates, copy.leaves, copy.flat) = (HashIndex(), HashIndex(), [])
    return copy
  }

  /// Appends the nodes added to `graph` since this copy was made.
  mutating func follow(_ graph: Graph) {
    atoms.append(contentsOf: graph.atoms[atoms.count...])
    starts.append(contentsOf: graph.starts[starts.count...])
    parts.append(contentsOf: graph.parts[parts.count...])
  }

  // MARK: Conjunctions

  /// Returns the conjunction of `parts`.
  package mutating func and(_ parts: [Ref]) -> Ref {
    flat.removeAll(keepingCapacity: true)
    for part in parts where !melt(part) { return .no }
    return conjunction()
  }

  /// Returns the conjunction of two literals.
  package mutating func and(_ one: Ref, _ other: Ref) -> Ref {
    if one == .yes, other.isNegated || !isGate(other.node) { return other }
    if other == .yes, one.isNegated || !isGate(one.node) { return one }
    flat.removeAll(keepingCapacity: true)
    return melt(one) && melt(other) ? conjunction() : .no
  }

  /// Returns the conjunction of three literals.
  package mutating func and(_ one: Ref, _ other: Ref, _ third: Ref) -> Ref {
    flat.removeAll(keepingCapacity: true)
    return melt(one) && melt(other) && melt(third) ? conjunction() : .no
  }

  /// Returns the disjunction of `parts`.
  package mutating func or(_ parts: [Ref]) -> Ref {
    flat.removeAll(keepingCapacity: true)
    for part in parts where !melt(!part) { return .yes }
    return !conjunction()
  }

  /// Returns the disjunction of two literals.
  package mutating func or(_ one: Ref, _ other: Ref) -> Ref { !and(!one, !other) }

  /// Returns the disjunction of three literals.
  package mutating func or(_ one: Ref, _ other: Ref, _ third: Ref) -> Ref {
    !and(!one, !other, !third)
  }

  /// Returns the equivalence of two literals.
  package mutating func iff(_ left: Ref, _ right: Ref) -> Ref {
    and(!and(left, !right), !and(!left, right))
  }

  /// Returns the implication from left to right.
  package mutating func implies(_ left: Ref, _ right: Ref) -> Ref { !and(left, !right) }

  /// Adds a part to the buffer; false if the conjunction is constantly false.
  private mutating func melt(_ part: Ref) -> Bool {
    if part == .no { return false }
    if part == .yes { return true }
    let node = Int(part.node)
    // Nested conjunctions are flattened.
    if !part.isNegated, isGate(part.node) {
      for place in Int(starts[node])..<Int(starts[node + 1]) { flat.append(parts[place]) }
    } else {
      flat.append(part)
    }
    return true
  }

  /// Returns the conjunction of the buffer.
  private mutating func conjunction() -> Ref {
    work += flat.count
    sortFlat()
    var kept = 0
    for place in flat.indices where kept == 0 || flat[kept - 1] != flat[place] {
      if kept > 0, flat[kept - 1] == !flat[place] { return .no }
      flat[kept] = flat[place]
      kept += 1
    }
    flat.removeLast(flat.count - kept)
    if kept < 2 { return kept == 0 ? .yes : flat[0] }
    var hash = Hash(UInt64(kept))
    for part in flat { hash.add(part.raw) }
    if let known = gates.first(hash, where: { isGate($0, of: flat) }) {
      return Ref(node: Int32(known))
    }
    gates.add(count, hash: hash)
    parts.append(contentsOf: flat)
    return add(nil)
  }

  /// Insertion sort: most conjunctions have few parts that are almost sorted.
  private mutating func sortFlat() {
    if flat.count > 16 { return flat.sort { $0.raw < $1.raw } }
    for place in flat.indices.dropFirst() {
      let part = flat[place]
      var hole = place
      while hole > 0, flat[hole - 1].raw > part.raw {
        flat[hole] = flat[hole - 1]
        hole -= 1
      }
      flat[hole] = part
    }
  }

  private func isGate(_ node: Int, of wanted: [Ref]) -> Bool {
    let start = Int(starts[node])
    guard Int(starts[node + 1]) - start == wanted.count else { return false }
    for place in wanted.indices where parts[start + place] != wanted[place] { return false }
    return true
  }
}
