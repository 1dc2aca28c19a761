/// A finished search, for readers of its result.
///
/// Sharing it copies one reference, whereas a search has dozens of tables.
package final class SearchResult {
  private let search: Search

  /// Wraps a search.
  package init(_ search: Search) { self.search = search }

  /// The theory solver, on the assigned atoms.
  package var theory: Theory { search.theory }
  /// The literals of the assigned atoms.
  package var literals: [Ref] { search.literals }
  /// The assigned atoms.
  package var atoms: [Atom] { search.literals.compactMap { search.graph.atoms[Int($0.node)] } }

  /// Returns the value of a proposition; nil if unassigned.
  package func value(of ref: Ref) -> Bool? { search.value(of: ref) }
}
