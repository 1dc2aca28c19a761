public import RulesEval
public import RulesLang

/// Documents that a transaction has read, for which other writes must wait.
public enum LockTarget: Hashable, Sendable {
  /// A document, stored or missing.
  case document(DocumentPath)
  /// The documents of a collection, also those to come; the path is that of the collection.
  case collection(DocumentPath)
  /// The documents of all collections with an ID below a document or the root.
  case group(below: DocumentPath, id: Text)
  /// All documents below a document or the root.
  case everything(below: DocumentPath)
}

extension StoreQuery {
  /// The documents that the query reads, whatever its filter is: an insertion that it would not find waits.
  public var lockTarget: LockTarget {
    guard let collection else { return .everything(below: parent) }
    return allDescendants
      ? .group(below: parent, id: collection)
      : .collection(DocumentPath(parent.segments + [collection]))
  }
}

extension LockTarget {
  /// The targets that a document belongs to.
  static func all(of path: DocumentPath) -> [LockTarget] {
    let collection = path.collectionPath
    var targets: [LockTarget] = [.document(path), .collection(collection)]
    var above = path.documentAbove
    while true {
      targets.append(.group(below: above, id: collection.id))
      targets.append(.everything(below: above))
      if above.segments.isEmpty { return targets }
      above = above.documentAbove
    }
  }
}
