public import RulesEval
public import RulesLang

/// The stored content of a field, in its slot of a message.
public enum FieldValue: Sendable {
  /// No value, which is read as the default. A default is stored so as well, unless the field has presence.
  case unset
  case bool(Bool)
  /// An int32, an int64 or the number of an enumeration.
  case int(Int64)
  case double(Double)
  case text(Text)
  case bytes([UInt8])
  case timestamp(Timestamp)
  case value(Value)
  case fields(MapValue)
  case message(WireMessage)
  case int32s([Int32])
  case texts([Text])
  case values([Value])
  case messages([WireMessage])
  /// The labels of a request: texts by key, with unique keys.
  case labels(MapValue)

  /// True if the field has its default.
  var isUnset: Bool {
    if case .unset = self { return true }
    return false
  }
}

/// An entry of the `labels` of a request.
public struct RequestLabel: Sendable, Equatable {
  /// The key.
  public var key: Text
  /// The value.
  public var value: Text

  /// Creates an entry.
  public init(_ key: Text, _ value: Text) {
    self.key = key
    self.value = value
  }
}
