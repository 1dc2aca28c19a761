import RulesEval
import RulesLang

/// A document of a collection, or the place of a missing one that others are below.
struct CollectionEntry: OrderedElement {
  /// The ID of the document.
  var key: Text
  /// The document; nil if it is missing.
  var document: StoredDocument?

  /// True if one key precedes another.
  static func precedes(_ one: Text, _ other: Text) -> Bool { Text.documentPrecedes(one, other) }
}

/// A collection with something in it.
struct StoredCollection: Sendable {
  /// The path of the collection; an odd number of segments.
  var path: DocumentPath
  /// The documents, and the missing ones with documents below them, by ID. Not empty.
  var entries = OrderedChunks<CollectionEntry>()
}

/// A collection below a document, by its ID.
struct CollectionName: OrderedElement {
  /// The ID.
  var key: Text

  /// True if one key precedes another.
  static func precedes(_ one: Text, _ other: Text) -> Bool { Text.precedesByCodePoint(one, other) }
}

/// A collection of a group, by its path.
struct GroupMember: OrderedElement {
  /// The path of the collection.
  var key: DocumentPath
  /// The number of the collection.
  var number: Int

  /// True if one key precedes another.
  static func precedes(_ one: DocumentPath, _ other: DocumentPath) -> Bool {
    DocumentPath.precedes(one, other)
  }
}
