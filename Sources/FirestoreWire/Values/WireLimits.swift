/// Limits on the cost of reading any message.
enum WireLimits {
  /// Maximum nesting of messages in protobuf and JSON, the default of Google's libraries. A map in a map
  /// takes three levels of protobuf, so up to 33 nested maps can be read; the store refuses more than 20.
  static let depth = 100
  /// Maximum number of messages in a message, without values. A message with a field takes at least four
  /// bytes in protobuf and up to 320 in memory, so a request takes at most 160 MB besides its values.
  static let messages = 500_000
}
