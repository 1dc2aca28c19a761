public import RulesLang

/// The path of a field inside a document: names separated by dots, unusual names in back-quotes.
public struct FieldPath: Hashable, Sendable {
  /// The names from the top.
  public var names: [Text]

  /// Creates a path of names.
  public init(_ names: [Text]) { self.names = names }

  /// Maximum names of a path: values cannot be nested deeper.
  private static let maximumLength = 100

  /// Parses `a.b` or `` `a.b`.c ``; nil if a name is empty, a back-quote is not closed, or there are more
  /// than 100 names.
  public init?(_ text: Text) {
    var names: [Text] = []
    var bytes = text.bytes[...]
    while true {
      guard let name = Self.takeName(&bytes), !name.isEmpty else { return nil }
      names.append(Text(wellFormed: name))
      guard let next = bytes.popFirst() else { break }
      guard next == UInt8(ascii: ".") else { return nil }
    }
    if names.count > Self.maximumLength { return nil }
    self.names = names
  }

  private static func takeName(_ bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
    var name: [UInt8] = []
    guard bytes.first == UInt8(ascii: "`") else {
      while let byte = bytes.first, byte != UInt8(ascii: ".") {
        name.append(byte)
        bytes.removeFirst()
      }
      return name
    }
    bytes.removeFirst()
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "`") { return name }
      if byte == UInt8(ascii: "\\"), let escaped = bytes.popFirst() {
        name.append(escaped)
      } else {
        name.append(byte)
      }
    }
    return nil
  }

  /// The path in the notation of suites: a name that has a dot or begins with a back-quote is in back-quotes.
  public var notation: Text {
    var result = Text()
    for (index, name) in names.enumerated() {
      if index > 0 { result.append(Text(".")) }
      result.append(Self.isPlain(name) ? name : Text(wellFormed: Self.quoted(name)))
    }
    return result
  }

  private static func isPlain(_ name: Text) -> Bool {
    name.bytes.first != UInt8(ascii: "`") && !name.bytes.contains(UInt8(ascii: "."))
  }

  private static func quoted(_ name: Text) -> [UInt8] {
    var quoted = [UInt8(ascii: "`")]
    for byte in name.bytes {
      if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\\") {
        quoted.append(UInt8(ascii: "\\"))
      }
      quoted.append(byte)
    }
    return quoted + [UInt8(ascii: "`")]
  }

  /// The path in the notation of `request.transforms` and messages.
  public var text: Text {
    var result = Text()
    for (index, name) in names.enumerated() {
      if index > 0 { result.append(Text(".")) }
      result.append(name)
    }
    return result
  }
}

extension MapValue {
  /// The value at a field path, if every step exists.
  public func value(at path: FieldPath) -> Value? { value(at: path.names[...]) }

  private func value(at names: ArraySlice<Text>) -> Value? {
    guard let first = names.first, let value = self[first] else { return nil }
    if names.count == 1 { return value }
    guard case .map(let inner) = value else { return nil }
    return inner.value(at: names.dropFirst())
  }

  /// Sets or, with nil, removes the value at a field path, making maps on the way as needed.
  public mutating func set(_ value: Value?, at path: FieldPath) { set(value, at: path.names[...]) }

  private mutating func set(_ value: Value?, at names: ArraySlice<Text>) {
    guard let first = names.first else { return }
    guard names.count > 1 else {
      self[first] = value
      return
    }
    var inner = MapValue()
    if case .map(let existing) = self[first] {
      inner = existing
    } else if value == nil {
      // Without a map there is nothing to remove.
      return
    }
    // Given up here while it changes, so that it is changed in place and not copied.
    self[first] = .null
    inner.set(value, at: names.dropFirst())
    self[first] = .map(inner)
  }
}
