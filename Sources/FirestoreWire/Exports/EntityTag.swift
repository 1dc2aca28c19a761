// The fields of Datastore's older messages, of which the records of an export are made. Groups are messages
// between two tags instead of behind a length.

extension WireTag {
  // EntityProto: a document, or a map in one.
  /// The key.
  static let entityKey = WireTag(13, .delimited)
  /// A property that no index has.
  static let rawProperty = WireTag(14, .delimited)
  /// A property that indexes have.
  static let property = WireTag(15, .delimited)
  /// The first element of the path again.
  static let entityGroup = WireTag(16, .delimited)

  // Property: a field, or an element of a list.
  /// The kind of value, where that of the content does not say it: `ExportMeaning`.
  static let meaning = WireTag(1, .varint)
  /// The name of the field.
  static let propertyName = WireTag(3, .delimited)
  /// True for an element of a list.
  static let isMultiple = WireTag(4, .varint)
  /// The value.
  static let propertyValue = WireTag(5, .delimited)

  // PropertyValue.
  /// An int, or microseconds since 1970.
  static let intContent = WireTag(1, .varint)
  /// A bool.
  static let boolContent = WireTag(2, .varint)
  /// A text, bytes, or a map as an EntityProto.
  static let stringContent = WireTag(3, .delimited)
  /// A float.
  static let doubleContent = WireTag(4, .fixed64)
  /// A point, a group.
  static let pointContent = WireTag(5, .groupStart)
  /// A point's degrees to the north.
  static let pointLatitude = WireTag(6, .fixed64)
  /// A point's degrees to the east.
  static let pointLongitude = WireTag(7, .fixed64)
  /// A user of Google's accounts, which Datastore has and Firestore has not.
  static let userContent = WireTag(8, .groupStart)
  /// A reference, a group.
  static let referenceContent = WireTag(12, .groupStart)

  // Reference: in a key as a message, in a value as a group, which has the elements of its path directly.
  /// The project behind a prefix: `dev~P`.
  static let app = WireTag(13, .delimited)
  /// The path of a key.
  static let keyPath = WireTag(14, .delimited)
  /// An element of the path of a value, a group.
  static let pathElement = WireTag(14, .groupStart)
  /// A namespace, which Datastore has and Firestore has not.
  static let namespace = WireTag(20, .delimited)
  /// The database; none for `(default)`.
  static let databaseID = WireTag(23, .delimited)

  // An element of a path: a group in both, with numbers of its own in each.
  /// An element of the path of a key, a group.
  static let keyElement = WireTag(1, .groupStart)
}

/// The numbers of the fields of an element of a path.
struct PathElementTags {
  /// The collection.
  let kind: WireTag
  /// A numeric ID.
  let id: WireTag
  /// An ID.
  let name: WireTag

  /// Tags in a key.
  static let key = PathElementTags(
    kind: WireTag(2, .delimited), id: WireTag(3, .varint), name: WireTag(4, .delimited))
  /// Tags in a value.
  static let value = PathElementTags(
    kind: WireTag(15, .delimited), id: WireTag(16, .varint), name: WireTag(17, .delimited))
}

/// The kinds of values that the content alone does not tell.
enum ExportMeaning: Int64 {
  /// The kind of the content itself.
  case plain = 0
  /// A time, in microseconds.
  case time = 7
  /// A point.
  case point = 9
  /// Bytes.
  case blob = 14
  /// A text that no index has.
  case text = 15
  /// Bytes that indexes have.
  case byteString = 16
  /// A map.
  case entity = 19
  /// A list without elements.
  case emptyList = 24
  /// A number of a vector.
  case vector = 31
}
