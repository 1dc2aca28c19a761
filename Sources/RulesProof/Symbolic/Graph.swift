/// A signed reference to a node of a `Graph`: a proposition or its negation.
struct Ref: Hashable, Sendable {
  /// The node, shifted left once; the lowest bit negates.
  let raw: Int32

  /// The proposition that holds always.
  static let yes = Ref(raw: 0)
  /// The proposition that never holds.
  static let no = Ref(raw: 1)

  /// A node, not negated.
  init(node: Int32) { raw = node << 1 }

  private init(raw: Int32) { self.raw = raw }

  /// The node.
  var node: Int32 { raw >> 1 }
  /// Whether the reference negates its node.
  var isNegated: Bool { raw & 1 == 1 }

  /// The negation.
  static prefix func ! (ref: Ref) -> Ref { Ref(raw: ref.raw ^ 1) }
}

/// Propositions, each kept once: n-ary conjunctions over atoms, everything else by sign.
///
/// A disjunction is a negated conjunction of negations. Children have smaller numbers than their
/// gate, so the graph has no cycles by construction. Because equal gates are one gate, commuted,
/// regrouped and De-Morganed rewritings of a condition are the same node, and differ in nothing.
struct Graph {
  /// The children of each gate, sorted and distinct; empty for atoms and for the constant node 0.
  private(set) var children: [[Ref]] = [[]]
  /// The atom of each leaf; nil for gates and for node 0.
  private(set) var atoms: [Atom?] = [nil]
  private var gates: [[Ref]: Ref] = [:]
  private var leaves: [Atom: Ref] = [:]

  /// The number of nodes.
  var count: Int { children.count }

  /// The proposition of an atom.
  mutating func atom(_ atom: Atom) -> Ref {
    if let known = leaves[atom] { return known }
    let ref = Ref(node: Int32(children.count))
    children.append([])
    atoms.append(atom)
    leaves[atom] = ref
    return ref
  }

  /// The conjunction.
  mutating func and(_ parts: [Ref]) -> Ref {
    var flat: [Ref] = []
    for part in parts {
      if part == .no { return .no }
      if part == .yes { continue }
      // A conjunction inside a conjunction melts into it.
      if !part.isNegated, !children[Int(part.node)].isEmpty {
        flat += children[Int(part.node)]
      } else {
        flat.append(part)
      }
    }
    flat.sort { $0.raw < $1.raw }
    var distinct: [Ref] = []
    for part in flat where distinct.last != part {
      if let last = distinct.last, last == !part { return .no }
      distinct.append(part)
    }
    if distinct.isEmpty { return .yes }
    if distinct.count == 1 { return distinct[0] }
    if let known = gates[distinct] { return known }
    let ref = Ref(node: Int32(children.count))
    children.append(distinct)
    atoms.append(nil)
    gates[distinct] = ref
    return ref
  }

  /// The conjunction of a few.
  mutating func and(_ parts: Ref...) -> Ref { and(parts) }

  /// The disjunction.
  mutating func or(_ parts: [Ref]) -> Ref { !and(parts.map { !$0 }) }

  /// The disjunction of a few.
  mutating func or(_ parts: Ref...) -> Ref { or(parts) }

  /// Whether both or neither hold.
  mutating func iff(_ left: Ref, _ right: Ref) -> Ref {
    and(!and(left, !right), !and(!left, right))
  }

  /// The left holds only if the right does.
  mutating func implies(_ left: Ref, _ right: Ref) -> Ref { !and(left, !right) }
}
