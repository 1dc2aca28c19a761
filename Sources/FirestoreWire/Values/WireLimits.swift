/// Limits on the cost of reading any message.
enum WireLimits {
  /// The deepest nesting of messages, in protobuf and in JSON: the default of Google's libraries. A map
  /// inside a map takes three levels of protobuf, so 33 maps can be read, of which the store refuses 21.
  static let depth = 100
  /// The most messages in one message, not counting values. One with a field takes at least four bytes on the
  /// wire and up to 320 in memory, so a request takes at most 160 MB beside its values.
  static let messages = 500_000
}
