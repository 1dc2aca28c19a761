// Sharing between copies of one problem: propositions and terms of the common prefix have the same
// numbers in each copy; what a copy adds is its own.

/// The common prefix of problems that are copies of one.
package final class SharedPrefix: Sendable {
  /// The number of common propositions.
  fileprivate let propositions: Int
  /// The number of common terms.
  fileprivate let terms: Int

  /// Records the present size of a problem.
  fileprivate init(of problem: Problem) {
    (propositions, terms) = (problem.graph.count, problem.terms.count)
  }
}

extension Problem {
  /// Makes the present state the common prefix of all copies that are made from here on.
  package mutating func freeze() { basis = SharedPrefix(of: self) }

  /// Adds propositions of another copy of the same problem; see `Graph.adopt`.
  ///
  /// - Returns: Propositions of this problem whose conjunction is equivalent to that of the roots;
  ///   nil if `other` is no such copy, or the roots mention terms or patterns that only it has.
  package mutating func adopt(_ roots: [Ref], of other: Problem) -> [Ref]? {
    // Only common terms and propositions have equal numbers.
    guard let basis, basis === other.basis else { return nil }
    return graph.adopt(roots, of: other.graph, sharing: basis.propositions) { atom in
      // Patterns are numbered separately in each copy.
      if case .matches = atom { return false }
      return atom.terms.allSatisfy { $0.index < basis.terms }
    }
  }
}

extension Graph {
  /// Adds propositions of a graph with a common prefix. Top-level conjunctions outside the prefix
  /// are split, since most of their parts are common.
  ///
  /// - Parameters:
  ///   - roots: The propositions.
  ///   - other: Their graph.
  ///   - common: The number of common nodes.
  ///   - isKnown: True if the atom's terms exist for this graph.
  /// - Returns: Propositions of this graph whose conjunction is equivalent to that of the roots;
  ///   nil if an atom is not known.
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

  /// Returns the cones of some nodes outside the common prefix, parts first.
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
