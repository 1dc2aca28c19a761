/// A reason why compressed bytes cannot be read.
enum CompressionProblem: Error, Equatable {
  /// The bytes are not of the form, or end too early.
  case damaged
  /// More would come out of them than is allowed.
  case tooLarge
}
