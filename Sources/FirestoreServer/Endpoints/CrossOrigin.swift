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

  /// Adds the headers that the origin of a request to WebChannel needs, and those of all its answers: no
  /// cache keeps them, and no browser takes them for something else.
  static func allowChannel(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
    var response = allow(response, for: request)
    response.headers.append(HTTPHeader("cache-control", "private, max-age=0"))
    response.headers.append(HTTPHeader("x-content-type-options", "nosniff"))
    guard request.value(of: "origin") != nil else { return response }
    response.headers.append(HTTPHeader("vary", "Origin"))
    response.headers.append(HTTPHeader("access-control-expose-headers", channelHeaders))
    return response
  }

  /// Headers that WebChannel's clients look for.
  private static let channelHeaders =
    "x-client-wire-protocol, x-http-session-id, x-http-initial-response"

  /// Returns the answer to a browser's preflight request, without the headers of `allow`.
  static func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse(status: 200, text: "")
    if let headers = request.value(of: "access-control-request-headers") {
      response.headers.append(HTTPHeader("access-control-allow-headers", headers))
    }
    return response
  }
}
