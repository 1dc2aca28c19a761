public import RulesEval
import RulesLang

/// The documents of one database.
///
/// The data is both in `Documents`, on which rules are evaluated, and in a tree of ordered collections, which
/// queries read; the two share it. Every change goes through `put(_:at:)`, which keeps them equal.
public struct Store: Sendable {
  /// The database.
  public private(set) var id: DatabaseID
  /// The documents as the rules see them.
  ///
  /// A copy that is alive while a commit changes the store makes the commit copy all documents; a decision
  /// is done with its copy before.
  public private(set) var documents = Documents()
  /// The documents as queries see them.
  private(set) var tree = CollectionTree()
  /// The number of stored documents.
  public private(set) var count = 0
  /// The time of the last commit; the epoch before the first one.
  public internal(set) var lastTime = Timestamp.epoch
  /// Earlier versions of documents.
  var history = History()

  /// Makes an empty database.
  public init(_ id: DatabaseID) { self.id = id }

  /// The document at a path.
  public subscript(_ path: DocumentPath) -> StoredDocument? { tree[path] }

  /// Stores a document, or with nil deletes the one at a path.
  mutating func put(_ document: StoredDocument?, at path: DocumentPath) {
    if documents[path] != nil { count -= 1 }
    documents.store(document?.data, at: path)
    guard let document else { return tree.remove(path) }
    count += 1
    tree.set(document)
  }

  /// Returns the documents as those of another database.
  func copy(as id: DatabaseID) -> Store {
    var copy = self
    copy.id = id
    return copy
  }

  /// Passes all documents, by path.
  public func forEachDocument(_ body: (StoredDocument) -> Void) {
    tree.forEachDocument(below: DocumentPath([])) { document in
      body(document)
      return true
    }
  }

  /// Returns the time of the last deletion of a document; nil if it is stored, never was, or its last version
  /// is no longer among the 4,096 that are kept.
  ///
  /// - Complexity: linear in the versions that are kept.
  public func deletion(of path: DocumentPath) -> Timestamp? { history.deletion(of: path) }

  /// Deletes all documents at once.
  mutating func removeAll() {
    documents = Documents()
    tree = CollectionTree()
    count = 0
  }
}
