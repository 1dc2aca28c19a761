public import RulesEval
public import RulesLang

/// The content type of a field.
public protocol FieldContent: Sendable {
  /// Creates the content from a stored field; the default if it is unset.
  init(kept: FieldValue)
  /// The stored field; `.unset` for the default.
  var kept: FieldValue { get }
}

/// The content type of a field with presence, wrapped in an optional.
public protocol PresentContent: Sendable {
  /// Creates the content from a stored field; nil if it is unset.
  init?(present: FieldValue)
  /// The stored field, which is set even for the default.
  var present: FieldValue { get }
}

/// The element type of a repeated field.
public protocol ListedContent: Sendable {
  /// Returns the list in a stored field; empty if it is unset.
  static func list(kept: FieldValue) -> [Self]
  /// Returns the stored field of a list that is not empty.
  static func kept(_ list: [Self]) -> FieldValue
}

extension Optional: FieldContent where Wrapped: PresentContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Wrapped(present: kept) }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { self?.present ?? .unset }
}

extension Array: FieldContent where Element: ListedContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Element.list(kept: kept) }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { isEmpty ? .unset : Element.kept(self) }
}

// MARK: Scalars

extension Bool: FieldContent, PresentContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Bool(present: kept) ?? false }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { self ? .bool(true) : .unset }
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .bool(let flag) = present else { return nil }
    self = flag
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .bool(self) }
}

extension Int32: FieldContent, PresentContent, ListedContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Int32(present: kept) ?? 0 }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { self == 0 ? .unset : present }
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .int(let number) = present else { return nil }
    self = Int32(truncatingIfNeeded: number)
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .int(Int64(self)) }
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [Int32] {
    if case .int32s(let numbers) = kept { return numbers }
    return []
  }
  /// Returns the stored field of a list that is not empty.
  public static func kept(_ list: [Int32]) -> FieldValue { .int32s(list) }
}

extension Int64: FieldContent, PresentContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Int64(present: kept) ?? 0 }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { self == 0 ? .unset : present }
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .int(let number) = present else { return nil }
    self = number
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .int(self) }
}

extension Double: PresentContent {
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .double(let number) = present else { return nil }
    self = number
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .double(self) }
}

extension Text: FieldContent, PresentContent, ListedContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Text(present: kept) ?? Text() }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { isEmpty ? .unset : .text(self) }
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .text(let text) = present else { return nil }
    self = text
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .text(self) }
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [Text] {
    if case .texts(let texts) = kept { return texts }
    return []
  }
  /// Returns the stored field of a list that is not empty.
  public static func kept(_ list: [Text]) -> FieldValue { .texts(list) }
}

extension UInt8: ListedContent {
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [UInt8] {
    if case .bytes(let octets) = kept { return octets }
    return []
  }
  /// Returns the stored field of a list that is not empty.
  public static func kept(_ list: [UInt8]) -> FieldValue { .bytes(list) }
}

extension Array: PresentContent where Element == UInt8 {
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .bytes(let octets) = present else { return nil }
    self = octets
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .bytes(self) }
}

// MARK: Messages

extension Timestamp: PresentContent {
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .timestamp(let time) = present else { return nil }
    self = time
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .timestamp(self) }
}

extension Value: PresentContent, ListedContent {
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .value(let value) = present else { return nil }
    self = value
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .value(self) }
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [Value] {
    if case .values(let values) = kept { return values }
    return []
  }
  /// Returns the stored field of a list that is not empty.
  public static func kept(_ list: [Value]) -> FieldValue { .values(list) }
}

extension MapValue: FieldContent {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) {
    if case .fields(let map) = kept { self = map } else { self = MapValue() }
  }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { count == 0 ? .unset : .fields(self) }
}

extension WireMessage: PresentContent, ListedContent {
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .message(let message) = present else { return nil }
    self = message
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .message(self) }
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [WireMessage] {
    if case .messages(let messages) = kept { return messages }
    return []
  }
  /// Returns the stored field of a list that is not empty.
  public static func kept(_ list: [WireMessage]) -> FieldValue { .messages(list) }
}

extension RequestLabel: ListedContent {
  /// Returns the list in a stored field; empty if it is unset.
  public static func list(kept: FieldValue) -> [RequestLabel] {
    guard case .labels(let labels) = kept else { return [] }
    return labels.entries.compactMap { entry in
      guard case .string(let value) = entry.value else { return nil }
      return RequestLabel(entry.key, value)
    }
  }
  /// Returns the stored field of a list that is not empty; the last of labels with one key is used.
  public static func kept(_ list: [RequestLabel]) -> FieldValue {
    .labels(MapValue(list.map { ($0.key, .string($0.value)) }))
  }
}
