import RulesEval
import RulesLang

/// The collections of a database and their documents, in order.
///
/// A collection exists while it has a document, or a missing document that has collections. A missing
/// document exists while a document is stored at any depth below it.
struct CollectionTree: Sendable {
  /// The collections by number; a free number has an empty one.
  private var collections: [StoredCollection] = []
  /// The free numbers.
  private var free: [Int] = []
  /// The number of each collection, by path.
  private var numbers: [DocumentPath: Int] = [:]
  /// The collections of each document and of the root.
  private var children: [DocumentPath: OrderedChunks<CollectionName>] = [:]
  /// The collections with each ID.
  private var groups: [Text: OrderedChunks<GroupMember>] = [:]

  /// The document at a path.
  subscript(_ path: DocumentPath) -> StoredDocument? {
    guard let number = numbers[path.collectionPath] else { return nil }
    return collections[number].entries[key: path.id]?.document
  }

  /// The collection at a path.
  func collection(_ path: DocumentPath) -> StoredCollection? {
    numbers[path].map { collections[$0] }
  }

  /// Returns the IDs of the collections of a document or of the root.
  func children(of path: DocumentPath) -> OrderedChunks<CollectionName> {
    children[path] ?? OrderedChunks()
  }

  /// Calls `body` for the collections with an ID below a document or the root, by path, until it returns
  /// false.
  func forEachCollection(
    ofGroup id: Text, below path: DocumentPath, _ body: (StoredCollection) -> Bool
  ) {
    guard let members = groups[id] else { return }
    members.forEach(from: members.firstPlace(from: path), to: members.end) { member in
      member.key.isWithin(path) && body(collections[member.number])
    }
  }

  /// Stores a document.
  mutating func set(_ document: StoredDocument) {
    let collection = document.path.collectionPath
    let entry = CollectionEntry(key: document.path.id, document: document)
    let number = numbers[collection] ?? add(collection)
    collections[number].entries.set(entry)
  }

  /// Removes the document at a path. Ignored if it is missing.
  mutating func remove(_ path: DocumentPath) {
    guard let number = numbers[path.collectionPath] else { return }
    guard collections[number].entries[key: path.id]?.document != nil else { return }
    collections[number].entries.set(CollectionEntry(key: path.id, document: nil))
    prune(path)
  }

  /// Adds an empty collection, with the missing documents and collections above it.
  private mutating func add(_ path: DocumentPath) -> Int {
    let number = register(path)
    var above = path.documentAbove
    while !above.segments.isEmpty {
      let collection = above.collectionPath
      if let known = numbers[collection] {
        if collections[known].entries[key: above.id] == nil {
          collections[known].entries.set(CollectionEntry(key: above.id, document: nil))
        }
        return number
      }
      let made = register(collection)
      collections[made].entries.set(CollectionEntry(key: above.id, document: nil))
      above = collection.documentAbove
    }
    return number
  }

  private mutating func register(_ path: DocumentPath) -> Int {
    let number = free.popLast() ?? collections.count
    if number == collections.count {
      collections.append(StoredCollection(path: path))
    } else {
      collections[number] = StoredCollection(path: path)
    }
    numbers[path] = number
    children[path.documentAbove, default: OrderedChunks()].set(CollectionName(key: path.id))
    groups[path.id, default: OrderedChunks()].set(GroupMember(key: path, number: number))
    return number
  }

  /// Removes a missing document without collections, and everything above it that existed only because of it.
  private mutating func prune(_ path: DocumentPath) {
    var path = path
    while !path.segments.isEmpty, children[path] == nil {
      let collection = path.collectionPath
      guard let number = numbers[collection] else { return }
      guard let entry = collections[number].entries[key: path.id], entry.document == nil
      else { return }
      collections[number].entries.remove(path.id)
      if !collections[number].entries.isEmpty { return }
      unregister(collection, number: number)
      path = collection.documentAbove
    }
  }

  private mutating func unregister(_ path: DocumentPath, number: Int) {
    numbers[path] = nil
    free.append(number)
    children[path.documentAbove]?.remove(path.id)
    if children[path.documentAbove]?.isEmpty == true { children[path.documentAbove] = nil }
    groups[path.id]?.remove(path)
    if groups[path.id]?.isEmpty == true { groups[path.id] = nil }
  }
}
