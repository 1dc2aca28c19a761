import RulesEval
import RulesLang

/// A row of the table of fields: number, name and type of a field, as declared in the protos.
public struct FieldSpec: Sendable {
  /// The number in protobuf.
  public let number: UInt32
  /// The name in the proto, such as `update_mask`.
  public let name: StaticString
  /// The type of the field, or of one element.
  public let kind: FieldKind
  /// True if the field is a list. Maps are not lists.
  public let isRepeated: Bool
  /// The oneof that contains the field; nil if there is none.
  public let oneof: StaticString?
  /// The message of the field's constant.
  let message: MessageType
  /// The slot of the field's constant.
  let slot: Int
  /// The number of the oneof within the message, counted from 1; 0 for none. `MessageSpec` sets it.
  var group: UInt8 = 0

  private init<Content>(
    _ field: Field<Content>, _ number: UInt32, _ name: StaticString, _ kind: FieldKind,
    isRepeated: Bool = false, in oneof: StaticString? = nil
  ) {
    self.number = number
    self.name = name
    self.kind = kind
    self.isRepeated = isRepeated
    self.oneof = oneof
    message = field.message
    slot = field.slot
  }

  /// The name in JSON: that of the proto in lower camel case, such as `updateMask`.
  public var jsonName: String {
    var bytes: [UInt8] = []
    var isStart = false
    for byte in name.description.utf8 {
      if byte == UInt8(ascii: "_") {
        isStart = true
      } else {
        // All letters in names are lower-case.
        bytes.append(isStart ? byte & ~0x20 : byte)
        isStart = false
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True if a message distinguishes the default of the field from its absence.
  public var hasPresence: Bool {
    if oneof != nil { return true }
    switch kind {
    case .bool, .int32, .int64, .string, .bytes, .enumeration, .fields, .labels: return false
    case .message, .timestamp, .value, .int32Value, .int64Value, .doubleValue: return !isRepeated
    }
  }
}

// Each type has its own function, so that the types of a constant and of its row cannot differ.
extension FieldSpec {
  /// A bool.
  static func bool(_ field: Field<Bool>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .bool)
  }

  /// A bool of a oneof.
  static func optionalBool(
    _ field: Field<Bool?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString
  ) -> Self { Self(field, number, name, .bool, in: oneof) }

  /// An int32.
  static func int32(_ field: Field<Int32>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .int32)
  }

  /// An int32 of a oneof.
  static func optionalInt32(
    _ field: Field<Int32?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString
  ) -> Self { Self(field, number, name, .int32, in: oneof) }

  /// A list of int32.
  static func int32s(_ field: Field<[Int32]>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .int32, isRepeated: true)
  }

  /// An int64.
  static func int64(_ field: Field<Int64>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .int64)
  }

  /// A string.
  static func text(_ field: Field<Text>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .string)
  }

  /// A string of a oneof.
  static func optionalText(
    _ field: Field<Text?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString
  ) -> Self { Self(field, number, name, .string, in: oneof) }

  /// A list of strings.
  static func texts(_ field: Field<[Text]>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .string, isRepeated: true)
  }

  /// Bytes.
  static func bytes(_ field: Field<[UInt8]>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .bytes)
  }

  /// Bytes of a oneof.
  static func optionalBytes(
    _ field: Field<[UInt8]?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString
  ) -> Self { Self(field, number, name, .bytes, in: oneof) }

  /// An enumeration.
  static func enumeration<Content: WireEnumeration>(
    _ field: Field<Content>, _ number: UInt32, _ name: StaticString
  ) -> Self { Self(field, number, name, .enumeration(Content.type)) }

  /// An enumeration of a oneof.
  static func optionalEnumeration<Content: WireEnumeration>(
    _ field: Field<Content?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString
  ) -> Self { Self(field, number, name, .enumeration(Content.type), in: oneof) }

  /// A message.
  static func message(
    _ field: Field<WireMessage?>, _ number: UInt32, _ name: StaticString, of type: MessageType,
    in oneof: StaticString? = nil
  ) -> Self { Self(field, number, name, .message(type), in: oneof) }

  /// A list of messages.
  static func messages(
    _ field: Field<[WireMessage]>, _ number: UInt32, _ name: StaticString, of type: MessageType
  ) -> Self { Self(field, number, name, .message(type), isRepeated: true) }

  /// A `google.protobuf.Timestamp`.
  static func timestamp(
    _ field: Field<Timestamp?>, _ number: UInt32, _ name: StaticString,
    in oneof: StaticString? = nil
  ) -> Self { Self(field, number, name, .timestamp, in: oneof) }

  /// A value.
  static func value(
    _ field: Field<Value?>, _ number: UInt32, _ name: StaticString, in oneof: StaticString? = nil
  ) -> Self { Self(field, number, name, .value, in: oneof) }

  /// A list of values.
  static func values(_ field: Field<[Value]>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .value, isRepeated: true)
  }

  /// A map of values.
  static func fields(_ field: Field<MapValue>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .fields)
  }

  /// A map of strings.
  static func labels(
    _ field: Field<[RequestLabel]>, _ number: UInt32, _ name: StaticString
  ) -> Self { Self(field, number, name, .labels) }

  /// A `google.protobuf.Int32Value`.
  static func int32Value(_ field: Field<Int32?>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .int32Value)
  }

  /// A `google.protobuf.Int64Value`.
  static func int64Value(_ field: Field<Int64?>, _ number: UInt32, _ name: StaticString) -> Self {
    Self(field, number, name, .int64Value)
  }

  /// A `google.protobuf.DoubleValue`.
  static func doubleValue(
    _ field: Field<Double?>, _ number: UInt32, _ name: StaticString
  ) -> Self { Self(field, number, name, .doubleValue) }
}
