/// A header field of a request or a response, or an entry of a call's metadata.
public struct HTTPHeader: Sendable, Equatable {
  /// The name in lower case, as in HTTP/2; names in HTTP/1 are converted.
  public var name: String
  /// The value without surrounding spaces. Invalid UTF-8 is U+FFFD.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// Returns the value of the last field with a lower-case name; nil if there is none.
  public func value(of name: String) -> String? {
    last { $0.name == name }?.value
  }
}
