/// A header field of a request or an answer, or an item of a call's metadata.
public struct HTTPHeader: Sendable, Equatable {
  /// The name in lower case, as HTTP/2 has it; names of HTTP/1 are lowered when they are read.
  public var name: String
  /// The value without spaces around it. Bytes that are no UTF-8 are U+FFFD.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// Returns the value of the last field of a name in lower case, or nil.
  public func value(of name: String) -> String? {
    last { $0.name == name }?.value
  }
}
