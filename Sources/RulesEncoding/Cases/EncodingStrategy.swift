/// The limits of the encoding, in the order in which a condition meets them.
///
/// Beyond a limit an expression is taken for a function of its arguments, so that a claim can become
/// undecided and nothing else. For the figures see `SearchStrategy`.
enum EncodingStrategy {
  /// Maximum cases of a value, combinations of the cases of operands, and parts of a path. Without the
  /// limit `never` of the file "questions" takes 1,081 MB and 60,000,000 steps instead of 17 MB; no
  /// answer about the 89 files meets it.
  static let cases = 24
  /// Maximum parts of values that are compared, counting shared parts each time. Without the limit `never` of
  /// the file "lists" takes 5 s instead of 0.1.
  static let weight = 4000
  /// Maximum computed keys of a map, constants that a map is compared with, and other writes of a
  /// commit, each of which adds axioms. Without the limit 26 of 2,059 answers are lost for want of
  /// memory, in four times the time; with 1, one is lost.
  static let parts = 4
}
