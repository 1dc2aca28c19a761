/// A reason why compressed bytes cannot be read.
enum CompressionProblem: Error, Equatable {
  /// The bytes are malformed or end too early.
  case damaged
  /// The content exceeds the limit.
  case tooLarge
}
