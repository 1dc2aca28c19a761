/// The header blocks of a call's response.
enum AnswerBlocks {
  /// The headers before the first message.
  static let initial: [UInt8] = block(of: common)

  /// The trailers of a successful call.
  private static let success = block(of: [HTTPHeader("grpc-status", "0")])

  private static let common = [
    HTTPHeader(":status", "200"), HTTPHeader("content-type", "application/grpc"),
  ]

  /// Returns the trailers after the last message.
  static func trailers(
    _ status: CallStatus, extra: [HTTPHeader], limits: TransportLimits
  ) -> [UInt8] {
    if status == .ok, extra.isEmpty { return success }
    return block(of: fields(of: status, limits: limits) + extra)
  }

  /// Returns the headers of a response without messages, which are also its trailers.
  static func trailersOnly(
    _ status: CallStatus, extra: [HTTPHeader], limits: TransportLimits
  ) -> [UInt8] {
    block(of: common + fields(of: status, limits: limits) + extra)
  }

  /// Returns the headers of the response to a request that is not a gRPC call. Some clients check the gRPC
  /// status first.
  static func refusal(
    httpStatus: Int, _ status: CallStatus, limits: TransportLimits
  ) -> [UInt8] {
    block(
      of: [
        HTTPHeader(":status", "\(httpStatus)"),
        HTTPHeader("content-type", "text/plain; charset=utf-8"),
      ] + fields(of: status, limits: limits))
  }

  private static func fields(
    of status: CallStatus, limits: TransportLimits
  ) -> [HTTPHeader] {
    let code = HTTPHeader("grpc-status", "\(status.code.rawValue)")
    guard !status.message.isEmpty else { return [code] }
    let message = PercentEncoding.statusMessage(status.message, limit: limits.statusText)
    return [code, HTTPHeader("grpc-message", message)]
  }

  private static func block(of headers: [HTTPHeader]) -> [UInt8] {
    var block: [UInt8] = []
    for header in headers { HPACKEncoder.append(header, to: &block) }
    return block
  }
}
