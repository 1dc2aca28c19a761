import RulesLang

/// The members of the oneof of `google.firestore.v1.Value`.
enum ValueKind: Sendable, CaseIterable {
  case null, boolean, integer, double, timestamp, string, bytes, reference, geoPoint, array, map

  /// The name in JSON.
  var jsonName: Text {
    switch self {
    case .null: "nullValue"
    case .boolean: "booleanValue"
    case .integer: "integerValue"
    case .double: "doubleValue"
    case .timestamp: "timestampValue"
    case .string: "stringValue"
    case .bytes: "bytesValue"
    case .reference: "referenceValue"
    case .geoPoint: "geoPointValue"
    case .array: "arrayValue"
    case .map: "mapValue"
    }
  }

  /// The name in the proto, which JSON allows as well.
  var protoName: Text {
    switch self {
    case .null: "null_value"
    case .boolean: "boolean_value"
    case .integer: "integer_value"
    case .double: "double_value"
    case .timestamp: "timestamp_value"
    case .string: "string_value"
    case .bytes: "bytes_value"
    case .reference: "reference_value"
    case .geoPoint: "geo_point_value"
    case .array: "array_value"
    case .map: "map_value"
    }
  }

  /// Creates the member with a name.
  init?(named name: Text) {
    for (kind, jsonName, protoName) in Self.names where jsonName == name || protoName == name {
      self = kind
      return
    }
    return nil
  }

  private static let names = allCases.map { ($0, $0.jsonName, $0.protoName) }
}
