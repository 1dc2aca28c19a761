// Problems that begin as copies of one have its propositions and terms in common, by number; what each adds
// has numbers of its own.

/// What problems have in common that are copies of one, and then go their own ways.
package final class Basis: Sendable {
  /// The number of propositions.
  fileprivate let propositions: Int
  /// The number of terms.
  fileprivate let terms: Int

  /// Takes a problem as it is.
  fileprivate init(of problem: Problem) {
    (propositions, terms) = (problem.graph.count, problem.terms.count)
  }
}

extension Problem {
  /// Has the copies that are made from here on know that they are copies.
  package mutating func becomeBasis() { basis = Basis(of: self) }

  /// Adds propositions of another copy of the same problem; see `Graph.adopt`.
  ///
  /// - Returns: Propositions of this one that hold together if and only if the roots do; nil if the other one
  ///   is no such copy, or if they speak of what only that one has.
  package mutating func adopt(_ roots: [Ref], of other: Problem) -> [Ref]? {
    // Numbers of anything else would mean something else here.
    guard let basis, basis === other.basis else { return nil }
    return graph.adopt(roots, of: other.graph, sharing: basis.propositions) { atom in
      // Patterns have numbers of their own.
      if case .matches = atom { return false }
      return atom.terms.allSatisfy { $0.index < basis.terms }
    }
  }
}

extension Graph {
  /// Adds propositions of a graph that has its first nodes in common with this one. Conjunctions that are to
  /// hold and are not among the common nodes are taken apart, since most of their parts are.
  ///
  /// - Parameters:
  ///   - roots: The propositions.
  ///   - other: Their graph.
  ///   - common: The number of common nodes.
  ///   - isKnown: Whether this graph may get an atom.
  /// - Returns: Propositions of this graph that hold together if and only if the roots do; nil if an atom is
  ///   not known.
  mutating func adopt(
    _ roots: [Ref], of other: Graph, sharing common: Int, where isKnown: (Atom) -> Bool
  ) -> [Ref]? {
    var asked: [Ref] = []
    var seen: Set<Ref> = []
    var open = Array(roots.reversed())
    while let ref = open.popLast() {
      if ref.node >= common, !ref.isNegated, other.isGate(ref.node) {
        open += other.children(of: Int(ref.node)).reversed()
      } else if ref != .yes, seen.insert(ref).inserted {
        asked.append(ref)
      }
    }
    var numbers: [Int32: Ref] = [:]
    func adopted(_ ref: Ref) -> Ref {
      guard let known = numbers[ref.node] else { return ref }
      return ref.isNegated ? !known : known
    }
    for node in other.cone(of: asked.map { $0.node }, behind: common) {
      if let atom = other.atoms[Int(node)] {
        guard isKnown(atom) else { return nil }
        numbers[node] = self.atom(atom)
      } else {
        numbers[node] = and(other.children(of: Int(node)).map { adopted($0) })
      }
    }
    return asked.map { adopted($0) }
  }

  /// The nodes from a number on that some are made of, with themselves, parts first.
  private func cone(of nodes: [Int32], behind common: Int) -> [Int32] {
    var found: Set<Int32> = []
    var open = nodes
    while let node = open.popLast() {
      guard node >= common, found.insert(node).inserted else { continue }
      for part in children(of: Int(node)) { open.append(part.node) }
    }
    return found.sorted()
  }
}
