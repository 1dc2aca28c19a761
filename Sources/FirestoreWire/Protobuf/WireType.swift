/// The wire type of a protobuf field: the lower three bits of its tag.
enum WireType: UInt8, Sendable {
  case varint, fixed64, delimited, groupStart, groupEnd, fixed32
}

/// The tag of a field: its number and wire type.
struct WireTag: Sendable, Equatable {
  /// The number shifted by three, and the wire type.
  let bits: UInt32

  /// Creates a tag from its bits.
  init(bits: UInt32) { self.bits = bits }

  /// Creates the tag of a field.
  init(_ number: UInt32, _ type: WireType) { bits = number << 3 | UInt32(type.rawValue) }

  /// The number of the field.
  var number: UInt32 { bits >> 3 }
  /// The wire type; nil for the two undefined ones.
  var type: WireType? { WireType(rawValue: UInt8(bits & 7)) }
}

extension WireTag {
  // The members of google.firestore.v1.Value.
  /// A bool.
  static let booleanValue = WireTag(1, .varint)
  /// An int.
  static let integerValue = WireTag(2, .varint)
  /// A float.
  static let doubleValue = WireTag(3, .fixed64)
  /// A reference.
  static let referenceValue = WireTag(5, .delimited)
  /// A map.
  static let mapValue = WireTag(6, .delimited)
  /// A point.
  static let geoPointValue = WireTag(8, .delimited)
  /// A list.
  static let arrayValue = WireTag(9, .delimited)
  /// A time.
  static let timestampValue = WireTag(10, .delimited)
  /// Null.
  static let nullValue = WireTag(11, .varint)
  /// A string.
  static let stringValue = WireTag(17, .delimited)
  /// Bytes.
  static let bytesValue = WireTag(18, .delimited)

  /// The elements of an `ArrayValue`, the entries of a `MapValue` and of any map field.
  static let elements = WireTag(1, .delimited)
  /// The key of an entry.
  static let key = WireTag(1, .delimited)
  /// The value of an entry.
  static let entryValue = WireTag(2, .delimited)

  // google.protobuf.Timestamp and google.type.LatLng.
  /// Seconds since 1970.
  static let seconds = WireTag(1, .varint)
  /// Nanoseconds after the seconds.
  static let nanos = WireTag(2, .varint)
  /// Degrees to the north.
  static let latitude = WireTag(1, .fixed64)
  /// Degrees to the east.
  static let longitude = WireTag(2, .fixed64)
}
