/// A search that has ended, for those who read what came of it.
///
/// To hand it around copies one reference; a search itself has dozens of tables.
package final class SearchEnd {
  private let search: Search

  /// Takes a search.
  package init(_ search: Search) { self.search = search }

  /// What the theories make of the atoms that have a value.
  package var theory: Theory { search.theory }
  /// What showed that there is no model.
  package var proof: [ProofStep] { search.proof }
  /// The atoms that have a value, each as it is.
  package var literals: [Ref] { search.literals }
  /// The same atoms, whether they hold or not.
  package var atoms: [Atom] { search.literals.compactMap { search.graph.atoms[Int($0.node)] } }

  /// Whether a proposition holds; nil if that is open.
  package func value(of ref: Ref) -> Bool? { search.value(of: ref) }
}
