public import RulesEval
import RulesLang

/// The documents of one database.
///
/// The data is stored both in `Documents`, on which rules are evaluated, and in a tree of ordered
/// collections, which queries read; the two share it. All changes go through `put(_:at:)`, which keeps the
/// two equal.
public struct Store: Sendable {
  /// The database.
  public private(set) var id: DatabaseID
  /// The documents as the rules see them.
  ///
  /// A copy that exists while a commit changes the store makes the commit copy all documents. Decisions
  /// release their copies before.
  public private(set) var documents = Documents()
  /// The documents as queries see them.
  private(set) var tree = CollectionTree()
  /// The number of stored documents.
  public private(set) var count = 0
  /// The time of the last commit; the epoch before the first one.
  public internal(set) var lastTime = Timestamp.epoch
  /// Earlier versions of documents.
  var history = History()

  /// Creates an empty database.
  public init(_ id: DatabaseID) { self.id = id }

  /// The document at a path.
  public subscript(_ path: DocumentPath) -> StoredDocument? { tree[path] }

  /// Stores a document, or deletes the one at a path if `document` is nil.
  mutating func put(_ document: StoredDocument?, at path: DocumentPath) {
    if documents[path] != nil { count -= 1 }
    documents.store(document?.data, at: path)
    guard let document else { return tree.remove(path) }
    count += 1
    tree.set(document)
  }

  /// Returns a copy that belongs to another database.
  func copy(as id: DatabaseID) -> Store {
    var copy = self
    copy.id = id
    return copy
  }

  /// Calls `body` for all documents, by path.
  public func forEachDocument(_ body: (StoredDocument) -> Void) {
    tree.forEachDocument(below: DocumentPath([])) { document in
      body(document)
      return true
    }
  }

  /// Returns the time of the last deletion of a missing document; nil if it was never stored, or its last
  /// version is not among the 4,096 that are kept.
  ///
  /// - Requires: The document is not stored.
  /// - Complexity: O(*n*) in the number of kept versions.
  public func deletion(of path: DocumentPath) -> Timestamp? { history.deletion(of: path) }

  /// Deletes all documents at once.
  mutating func removeAll() {
    documents = Documents()
    tree = CollectionTree()
    count = 0
  }
}
