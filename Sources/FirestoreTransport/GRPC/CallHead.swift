/// The beginning of a call.
public struct CallHead: Sendable, Equatable {
  /// Service and method without the leading slash, such as `google.firestore.v1.Firestore/Write`.
  public var path: String
  /// All header fields of the client except those of HTTP/2 itself (such as `:path`).
  public var metadata: [HTTPHeader]
  /// The client's deadline in nanoseconds; nil without `grpc-timeout`. The server enforces it by resetting
  /// the stream with code 8.
  public var timeout: UInt64?

  /// Creates a head.
  public init(path: String, metadata: [HTTPHeader] = [], timeout: UInt64? = nil) {
    self.path = path
    self.metadata = metadata
    self.timeout = timeout
  }
}

/// The result of validating the headers of a call.
enum CallOpening: Equatable {
  /// The call is valid; its messages have the coding.
  case accepted(CallHead, MessageCoding)
  /// The call is refused with an HTTP status and a gRPC status.
  case refused(httpStatus: Int, CallStatus)
  /// The stream is reset, because `grpc-timeout` is malformed.
  case badTimeout

  /// Validates content type, method, encoding and timeout, in this order.
  init(method: String, path: String, fields: [HTTPHeader]) {
    let type = fields.value(of: "content-type")
    guard let type, Self.isGRPC(type) else {
      let reason =
        type.map { "Content-Type '\($0)' is not supported" }
        ?? "Content-Type is missing from the request"
      self = .refused(httpStatus: 415, CallStatus(.internal, reason))
      return
    }
    guard method == "POST" else {
      self = .refused(
        httpStatus: 405, CallStatus(.internal, "Method '\(method)' is not supported"))
      return
    }
    let encoding = fields.value(of: "grpc-encoding") ?? "identity"
    guard let coding = MessageCoding(name: encoding) else {
      self = .refused(
        httpStatus: 200, CallStatus(.unimplemented, "Can't find decompressor for \(encoding)"))
      return
    }
    var head = CallHead(
      path: path.hasPrefix("/") ? String(path.dropFirst()) : path, metadata: fields)
    if let text = fields.value(of: "grpc-timeout") {
      guard let timeout = CallTimeout.nanoseconds(text) else {
        self = .badTimeout
        return
      }
      head.timeout = timeout
    }
    self = .accepted(head, coding)
  }

  /// True for `application/grpc`, optionally followed by `+proto` or parameters; false for
  /// `application/grpc-web`.
  private static func isGRPC(_ type: String) -> Bool {
    let lowered = type.lowercased()
    let name = "application/grpc"
    guard lowered.hasPrefix(name) else { return false }
    let rest = lowered.dropFirst(name.count)
    return rest.isEmpty || rest.hasPrefix("+") || rest.hasPrefix(";")
  }
}

/// Reads the header `grpc-timeout`.
enum CallTimeout {
  /// Returns the nanoseconds of one to eight digits and a unit (`H`, `M`, `S`, `m`, `u`, `n`), saturating at
  /// the largest number; nil for a malformed text.
  static func nanoseconds(_ text: String) -> UInt64? {
    let bytes = Array(text.utf8)
    guard (2...9).contains(bytes.count), let unit = bytes.last.flatMap(size(ofUnit:)),
      let number = bytes.dropLast().number(base: 10, limit: 99_999_999)
    else { return nil }
    let (product, overflows) = UInt64(number).multipliedReportingOverflow(by: unit)
    return overflows ? .max : product
  }

  private static func size(ofUnit unit: UInt8) -> UInt64? {
    switch unit {
    case UInt8(ascii: "H"): 3_600_000_000_000
    case UInt8(ascii: "M"): 60_000_000_000
    case UInt8(ascii: "S"): 1_000_000_000
    case UInt8(ascii: "m"): 1_000_000
    case UInt8(ascii: "u"): 1000
    case UInt8(ascii: "n"): 1
    default: nil
    }
  }
}
