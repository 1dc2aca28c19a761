import FirestoreTransport

/// The headers that let browsers give responses to pages of other origins (CORS). Every origin is allowed, as
/// on the official emulator.
enum CrossOrigin {
  private static let methods = "DELETE,GET,HEAD,PATCH,POST,PUT"

  /// Adds the headers for the origin of a request.
  static func allow(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
    guard let origin = request.value(of: "origin") else { return response }
    var response = response
    response.headers.append(HTTPHeader("access-control-allow-origin", origin))
    response.headers.append(HTTPHeader("access-control-allow-methods", methods))
    response.headers.append(HTTPHeader("access-control-allow-credentials", "true"))
    return response
  }

  /// Adds the headers for the origin of a WebChannel request, and those of all its responses, which forbid
  /// caching and content sniffing.
  static func allowChannel(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
    var response = allow(response, for: request)
    response.headers.append(HTTPHeader("cache-control", "private, max-age=0"))
    response.headers.append(HTTPHeader("x-content-type-options", "nosniff"))
    guard request.value(of: "origin") != nil else { return response }
    response.headers.append(HTTPHeader("vary", "Origin"))
    response.headers.append(HTTPHeader("access-control-expose-headers", channelHeaders))
    return response
  }

  /// Response headers that WebChannel clients read.
  private static let channelHeaders =
    "x-client-wire-protocol, x-http-session-id, x-http-initial-response"

  /// Returns the response to a browser's preflight request, without the headers of `allow`.
  static func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse(status: 200, text: "")
    if let headers = request.value(of: "access-control-request-headers") {
      response.headers.append(HTTPHeader("access-control-allow-headers", headers))
    }
    return response
  }
}
