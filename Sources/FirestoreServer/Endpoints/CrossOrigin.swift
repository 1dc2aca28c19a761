import FirestoreTransport

/// Headers by which browsers let pages of other origins read answers (CORS). Every origin may, as on the
/// official emulator.
enum CrossOrigin {
  private static let methods = "DELETE,GET,HEAD,PATCH,POST,PUT"

  /// Adds the headers that the origin of a request needs.
  static func allow(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
    guard let origin = request.value(of: "origin") else { return response }
    var response = response
    response.headers.append(HTTPHeader("access-control-allow-origin", origin))
    response.headers.append(HTTPHeader("access-control-allow-methods", methods))
    response.headers.append(HTTPHeader("access-control-allow-credentials", "true"))
    return response
  }

  /// The answer to a browser that asks what it may send, without the headers of `allow`.
  static func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse(status: 200, text: "")
    if let headers = request.value(of: "access-control-request-headers") {
      response.headers.append(HTTPHeader("access-control-allow-headers", headers))
    }
    return response
  }
}
