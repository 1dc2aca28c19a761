/// Status codes of gRPC.
public enum StatusCode: Int, Sendable, CaseIterable {
  /// No error.
  case ok = 0
  /// The call was cancelled, usually by the client.
  case cancelled = 1
  /// No other code fits; SDKs retry.
  case unknown = 2
  /// The request is invalid regardless of the state of the database.
  case invalidArgument = 3
  /// The deadline expired; SDKs retry.
  case deadlineExceeded = 4
  /// A document or another resource is missing.
  case notFound = 5
  /// A document or another resource exists already.
  case alreadyExists = 6
  /// Rules deny the request.
  case permissionDenied = 7
  /// A quota is exhausted; SDKs retry.
  case resourceExhausted = 8
  /// The stored state does not allow the request.
  case failedPrecondition = 9
  /// A concurrent transaction won; SDKs retry the transaction.
  case aborted = 10
  /// An argument is out of range.
  case outOfRange = 11
  /// The method or an option of it does not exist.
  case unimplemented = 12
  /// The server or the protocol has a fault; SDKs retry.
  case `internal` = 13
  /// The server is not available; SDKs retry.
  case unavailable = 14
  /// Data is lost.
  case dataLoss = 15
  /// The token is missing or invalid; SDKs fetch another one and retry.
  case unauthenticated = 16

  /// The name in REST errors, such as `PERMISSION_DENIED`.
  public var name: String {
    switch self {
    case .ok: "OK"
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internal: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }
}

/// The status with which a call ended.
public struct CallStatus: Error, Sendable, Equatable {
  /// The code.
  public var code: StatusCode
  /// The message, not escaped; it may be empty.
  public var message: String

  /// Creates a status.
  public init(_ code: StatusCode, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// The status of a successful call.
  public static let ok = CallStatus(.ok)
}
