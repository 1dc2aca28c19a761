import RulesEval
import RulesLang

/// A document of a collection, or a missing document that has collections.
struct CollectionEntry: OrderedElement {
  /// The ID of the document.
  var key: Text
  /// The document; nil if it is missing.
  var document: StoredDocument?

  /// True if one key precedes another.
  static func precedes(_ one: Text, _ other: Text) -> Bool { Text.documentPrecedes(one, other) }
}

/// A collection that is not empty.
struct StoredCollection: Sendable {
  /// The path of the collection, an odd number of segments.
  var path: DocumentPath
  /// The documents, and the missing ones that have collections, by ID. Not empty.
  var entries = OrderedChunks<CollectionEntry>()
}

/// A collection of a document, by its ID.
struct CollectionName: OrderedElement {
  /// The ID.
  var key: Text

  /// True if one key precedes another.
  static func precedes(_ one: Text, _ other: Text) -> Bool { Text.precedesByCodePoint(one, other) }
}

/// A collection of a collection group, by its path.
struct GroupMember: OrderedElement {
  /// The path of the collection.
  var key: DocumentPath
  /// The number of the collection, by which the tree finds it.
  var number: Int

  /// True if one key precedes another.
  static func precedes(_ one: DocumentPath, _ other: DocumentPath) -> Bool {
    DocumentPath.precedes(one, other)
  }
}
