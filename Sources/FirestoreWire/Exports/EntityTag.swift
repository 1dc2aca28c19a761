// The fields of Datastore's older messages, the records of an export. Groups are messages between two tags,
// without a length.

extension WireTag {
  // EntityProto: a document, or a map in a document.
  /// The key.
  static let entityKey = WireTag(13, .delimited)
  /// A property that is not indexed.
  static let rawProperty = WireTag(14, .delimited)
  /// A property that is indexed.
  static let property = WireTag(15, .delimited)
  /// A copy of the first element of the path.
  static let entityGroup = WireTag(16, .delimited)

  // Property: a field, or an element of a list.
  /// The kind of value, if the content does not determine it (`ExportMeaning`).
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
  /// A user of a Google account, which exists only in Datastore.
  static let userContent = WireTag(8, .groupStart)
  /// A reference, a group.
  static let referenceContent = WireTag(12, .groupStart)

  // Reference: a message in a key, and a group in a value, where it contains the elements of its path
  // directly.
  /// The project behind a prefix: `dev~P`.
  static let app = WireTag(13, .delimited)
  /// The path of a key.
  static let keyPath = WireTag(14, .delimited)
  /// An element of the path of a value, a group.
  static let pathElement = WireTag(14, .groupStart)
  /// A namespace, which exists only in Datastore.
  static let namespace = WireTag(20, .delimited)
  /// The database; absent for `(default)`.
  static let databaseID = WireTag(23, .delimited)

  // An element of a path: a group, whose field numbers differ between keys and values.
  /// An element of the path of a key, a group.
  static let keyElement = WireTag(1, .groupStart)
}

/// The field numbers of an element of a path.
struct PathElementTags {
  /// The collection.
  let kind: WireTag
  /// A numeric ID.
  let id: WireTag
  /// An ID.
  let name: WireTag

  /// The tags in a key.
  static let key = PathElementTags(
    kind: WireTag(2, .delimited), id: WireTag(3, .varint), name: WireTag(4, .delimited))
  /// The tags in a value.
  static let value = PathElementTags(
    kind: WireTag(15, .delimited), id: WireTag(16, .varint), name: WireTag(17, .delimited))
}

/// The kinds of values that the content does not determine.
enum ExportMeaning: Int64 {
  /// The kind is that of the content.
  case plain = 0
  /// A time, in microseconds.
  case time = 7
  /// A point.
  case point = 9
  /// Bytes.
  case blob = 14
  /// A text that is not indexed.
  case text = 15
  /// Bytes that are indexed.
  case byteString = 16
  /// A map.
  case entity = 19
  /// An empty list.
  case emptyList = 24
  /// A number of a vector.
  case vector = 31
}
