public import RulesEval
public import RulesLang

/// Documents that a transaction has read, for which other writes must wait.
public enum LockTarget: Hashable, Sendable {
  /// A document, stored or missing.
  case document(DocumentPath)
  /// The documents of every collection with an ID, also those to come.
  case collections(named: Text)
  /// All documents.
  case everything
}

extension StoreQuery {
  /// The documents that the query locks, for any parent and filter: an insertion that it would not find
  /// waits. Nil for a query of any collection, which is refused where locks are needed.
  public var lockTarget: LockTarget? { collection.map { .collections(named: $0) } }
}

extension LockTarget {
  /// The targets that a document belongs to.
  static func all(of path: DocumentPath) -> [LockTarget] {
    [.document(path), .collections(named: path.collectionPath.id), .everything]
  }
}
