public import RulesEval
public import RulesLang

/// Documents that a transaction has read, so that other writes of them have to wait.
public enum LockTarget: Hashable, Sendable {
  /// A document, stored or missing.
  case document(DocumentPath)
  /// The documents of every collection with an ID, including future ones.
  case collections(named: Text)
  /// All documents.
  case everything
}

extension StoreQuery {
  /// The documents that the query locks. They do not depend on its parent and filter, so even insertions that
  /// are not results wait. Nil for a query of any collection, which is refused where locks are needed.
  public var lockTarget: LockTarget? { collection.map { .collections(named: $0) } }
}

extension LockTarget {
  /// Returns the targets that contain a document.
  static func all(of path: DocumentPath) -> [LockTarget] {
    [.document(path), .collections(named: path.collectionPath.id), .everything]
  }
}
