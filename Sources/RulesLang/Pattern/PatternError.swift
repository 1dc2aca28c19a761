/// The reason why a pattern is refused, with its place.
public struct PatternError: Error, Hashable, Sendable {
  /// The reasons.
  public enum Reason: Hashable, Sendable {
    /// More than 4,096 UTF-16 units.
    case tooLong
    /// More than 100 opening parentheses.
    case tooManyGroups
    /// More than 20 parentheses open at once.
    case groupsTooDeep
    /// A parenthesis without its partner; those in classes and after `\Q` count too.
    case unbalancedParenthesis
    /// A repetition with nothing before it, as in `*a`.
    case nothingToRepeat
    /// A repetition of a repetition, as in `a**`.
    case doubleRepetition
    /// A count over 1,000, or a least count above the greatest.
    case badCount
    /// A `[` without its `]`.
    case unclosedClass
    /// A range of a class that ends before it starts, or whose end is not one code point.
    case badRange
    /// A `\` before something that has no meaning there.
    case badEscape
    /// A category or script that the engine does not know.
    case unknownProperty
    /// A class `[:name:]` that does not exist.
    case unknownNamedClass
    /// Something else than flags or a name after `(?`.
    case badGroup
    /// A group name that was used before.
    case duplicateGroupName
    /// A pattern that the emulator accepts, but whose program would be larger than we allow.
    case tooLarge
  }

  /// The reason.
  public let reason: Reason
  /// The place: a byte offset into the pattern.
  public let offset: UInt32

  /// Creates an error.
  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = UInt32(offset)
  }
}

extension PatternError {
  /// The evaluation error that the emulator reports for `pattern` (Docs/Language.md §8).
  public func message(for pattern: Text) -> Text {
    Text(wording) + " Pattern: " + pattern + "."
  }

  private var wording: String {
    switch reason {
    case .tooLong:
      "Regular expression too long. Maximum allowed length: 4096"
    case .tooManyGroups:
      "Regular expression too many groupings. Maximum allowed groupings: 100"
    case .groupsTooDeep:
      "Regular expression too many nested groupings. Maximum allowed nested groupings: 20"
    case .tooLarge:
      "Regular expression too large."
    case .unbalancedParenthesis, .nothingToRepeat, .doubleRepetition, .badCount, .unclosedClass,
      .badRange, .badEscape, .unknownProperty, .unknownNamedClass, .badGroup, .duplicateGroupName:
      "Invalid regular expression pattern."
    }
  }
}
