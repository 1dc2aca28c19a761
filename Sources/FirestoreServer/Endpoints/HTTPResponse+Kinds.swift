import FirestoreTransport
import RulesEval

// HTTP responses in the official format.

extension HTTPResponse {
  /// The header of JSON bodies.
  private static let jsonType = HTTPHeader("content-type", "application/json; charset=UTF-8")
  private static let pageType = HTTPHeader("content-type", "text/html; charset=UTF-8")
  private static let textType = HTTPHeader("content-type", "text/plain; charset=UTF-8")

  /// The response for paths that do not exist.
  static let notFound = HTTPResponse(status: 404, headers: [textType], text: "Not Found\n")

  /// An empty object.
  static let emptyObject = HTTPResponse(headers: [jsonType], text: "{\n}\n")

  /// Returns a response with a JSON text that ends in a line feed.
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [jsonType], text: text)
  }

  /// Returns a response with a page for a browser.
  static func page(_ text: String) -> HTTPResponse { HTTPResponse(headers: [pageType], text: text) }

  /// Returns a response with a plain text.
  static func plain(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [textType], text: text)
  }

  /// Returns a response with a plain text in UTF-8.
  static func plain(_ text: [UInt8]) -> HTTPResponse {
    HTTPResponse(headers: [textType], body: text)
  }

  /// Returns a status as an error of REST, on one line.
  static func error(_ status: CallStatus) -> HTTPResponse {
    let code = status.code.httpStatus
    var members: [(String, JSONText)] = [("code", .int(code))]
    if !status.message.isEmpty { members.append(("message", .string(status.message))) }
    members.append(("status", .string(status.code.name)))
    let text = JSONText.object([("error", .object(members))]).compact
    var body: [UInt8] = []
    for byte in text.utf8 {
      // Slashes occur in strings only.
      if byte == UInt8(ascii: "/") { body.append(UInt8(ascii: "\\")) }
      body.append(byte)
    }
    return HTTPResponse(status: code, headers: [jsonType], body: body)
  }

  /// The response to a body that is not valid JSON, or not the expected JSON.
  static let invalidPayload = error(.invalid("Payload isn't valid for request."))
}

extension StatusCode {
  /// The corresponding HTTP status.
  var httpStatus: Int {
    switch self {
    case .ok: 200
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internal, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }
}
