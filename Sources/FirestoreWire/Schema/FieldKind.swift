/// The type of a field in the protos, or of one element if the field is repeated.
public enum FieldKind: Sendable, Equatable {
  case bool, int32, int64, string, bytes
  case enumeration(EnumType)
  case message(MessageType)
  /// `google.protobuf.Timestamp`.
  case timestamp
  /// `google.firestore.v1.Value`.
  case value
  /// `map<string, google.firestore.v1.Value>`.
  case fields
  /// `map<string, string>`.
  case labels
  /// Wrappers of `google.protobuf`, which distinguish absence from zero.
  case int32Value, int64Value, doubleValue
}
