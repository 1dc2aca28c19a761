/// A signed reference to a node of a `Graph`: a proposition or its negation.
package struct Ref: Hashable, Sendable {
  /// The node, shifted left once; the lowest bit negates.
  package let raw: Int32

  /// The proposition that holds always.
  @inlinable package static var yes: Ref { Ref(node: 0) }
  /// The proposition that never holds.
  @inlinable package static var no: Ref { !yes }

  /// A node, not negated.
  @inlinable package init(node: Int32) { raw = node << 1 }

  /// A reference by its bits.
  @inlinable package init(raw: Int32) { self.raw = raw }

  /// The node.
  @inlinable package var node: Int32 { raw >> 1 }
  /// Whether the reference negates its node.
  @inlinable package var isNegated: Bool { raw & 1 == 1 }

  /// The negation.
  @inlinable package static prefix func ! (ref: Ref) -> Ref { Ref(raw: ref.raw ^ 1) }
}

/// Propositions, each kept once: n-ary conjunctions over atoms, everything else by sign.
///
/// A disjunction is a negated conjunction of negations. Children have smaller numbers than their
/// gate, so the graph has no cycles by construction. Because equal gates are one gate, commuted,
/// regrouped and De-Morganed rewritings of a condition are the same node, and differ in nothing.
package struct Graph {
  /// The atom of each leaf; nil for gates and for node 0.
  package private(set) var atoms: [Atom?] = [nil]
  /// The parts of all gates, one gate's after the other's.
  package private(set) var parts: [Ref] = []
  /// By node, where its parts begin; and once more where those of the last node end.
  package private(set) var starts: [Int32] = [0, 0]
  private var gates = HashIndex()
  private var leaves = HashIndex()
  /// What a conjunction is put together in.
  private var flat: [Ref] = []
  /// How many parts were put together so far, also of gates that were there already.
  package private(set) var work = 0

  /// Makes one without propositions.
  package init() {}

  /// The number of nodes.
  package var count: Int { atoms.count }

  /// The parts of a gate, sorted and distinct; none for atoms and for the constant node 0.
  package func children(of node: Int) -> ArraySlice<Ref> {
    parts[Int(starts[node])..<Int(starts[node + 1])]
  }

  /// Whether a node is a gate.
  func isGate(_ node: Int32) -> Bool { starts[Int(node)] != starts[Int(node) + 1] }

  /// The proposition of an atom.
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

  /// A copy to be read: nothing may be added to it but what is added to this one (`follow`).
  ///
  /// Tables that two graphs have in common are copied as a whole when one of them grows; a copy that is kept
  /// and grows by what is new costs each node once.
  var readable: Graph {
    var copy = self
    // Only who adds a node looks for one that is there already.
    (copy.gates, copy.leaves, copy.flat) = (HashIndex(), HashIndex(), [])
    return copy
  }

  /// Takes in what was added to a graph since this copy was made of it.
  mutating func follow(_ graph: Graph) {
    atoms.append(contentsOf: graph.atoms[atoms.count...])
    starts.append(contentsOf: graph.starts[starts.count...])
    parts.append(contentsOf: graph.parts[parts.count...])
  }

  // MARK: Conjunctions

  /// The conjunction.
  package mutating func and(_ parts: [Ref]) -> Ref {
    flat.removeAll(keepingCapacity: true)
    for part in parts where !melt(part) { return .no }
    return conjunction()
  }

  /// The conjunction of two.
  package mutating func and(_ one: Ref, _ other: Ref) -> Ref {
    if one == .yes, other.isNegated || !isGate(other.node) { return other }
    if other == .yes, one.isNegated || !isGate(one.node) { return one }
    flat.removeAll(keepingCapacity: true)
    return melt(one) && melt(other) ? conjunction() : .no
  }

  /// The conjunction of three.
  package mutating func and(_ one: Ref, _ other: Ref, _ third: Ref) -> Ref {
    flat.removeAll(keepingCapacity: true)
    return melt(one) && melt(other) && melt(third) ? conjunction() : .no
  }

  /// The disjunction.
  package mutating func or(_ parts: [Ref]) -> Ref {
    flat.removeAll(keepingCapacity: true)
    for part in parts where !melt(!part) { return .yes }
    return !conjunction()
  }

  /// The disjunction of two.
  package mutating func or(_ one: Ref, _ other: Ref) -> Ref { !and(!one, !other) }

  /// The disjunction of three.
  package mutating func or(_ one: Ref, _ other: Ref, _ third: Ref) -> Ref {
    !and(!one, !other, !third)
  }

  /// Whether both or neither hold.
  package mutating func iff(_ left: Ref, _ right: Ref) -> Ref {
    and(!and(left, !right), !and(!left, right))
  }

  /// The left holds only if the right does.
  package mutating func implies(_ left: Ref, _ right: Ref) -> Ref { !and(left, !right) }

  /// Adds a part to what is being put together; false if nothing can hold with it.
  private mutating func melt(_ part: Ref) -> Bool {
    if part == .no { return false }
    if part == .yes { return true }
    let node = Int(part.node)
    // A conjunction inside a conjunction melts into it.
    if !part.isNegated, isGate(part.node) {
      for place in Int(starts[node])..<Int(starts[node + 1]) { flat.append(parts[place]) }
    } else {
      flat.append(part)
    }
    return true
  }

  /// The conjunction of what was put together.
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

  /// Most conjunctions have a few parts that are almost in order.
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
