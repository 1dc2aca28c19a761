import RulesEval
import RulesLang

extension Rules {
  /// A condition of a query, named as in the SDKs: `.field("owner", isEqualTo: "alice")`.
  public struct Filter: Sendable {
    /// The condition in the notation of suites.
    let json: JSON

    private init(_ field: String, comparison: Query.Comparison, value: FieldValue) {
      json = JSON(
        .array([
          JSON(.string(Text(field))), JSON(.string(Text(comparison.symbol))), value.json,
        ]))
    }
  }

  /// By what a query sorts.
  public struct Order: Sendable {
    /// The order in the notation of suites.
    let json: JSON

    /// Sorts by a field.
    public init(by field: String, descending: Bool = false) {
      json = JSON(
        .array([JSON(.string(Text(field))), JSON(.string(descending ? "desc" : "asc"))]))
    }
  }
}

extension Rules.Filter {
  /// Documents whose field is this.
  public static func field(_ field: String, isEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .equal, value: value)
  }

  /// Documents whose field is there and something else.
  public static func field(_ field: String, isNotEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .notEqual, value: value)
  }

  /// Documents whose field is less.
  public static func field(_ field: String, isLessThan value: Rules.FieldValue) -> Self {
    Self(field, comparison: .less, value: value)
  }

  /// Documents whose field is less or this.
  public static func field(_ field: String, isLessThanOrEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .lessEqual, value: value)
  }

  /// Documents whose field is greater.
  public static func field(_ field: String, isGreaterThan value: Rules.FieldValue) -> Self {
    Self(field, comparison: .greater, value: value)
  }

  /// Documents whose field is greater or this.
  public static func field(
    _ field: String, isGreaterThanOrEqualTo value: Rules.FieldValue
  ) -> Self {
    Self(field, comparison: .greaterEqual, value: value)
  }

  /// Documents whose field is a list with this element.
  public static func field(_ field: String, arrayContains value: Rules.FieldValue) -> Self {
    Self(field, comparison: .arrayContains, value: value)
  }

  /// Documents whose field is a list with one of these elements.
  public static func field(_ field: String, arrayContainsAny values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .arrayContainsAny, value: Rules.FieldValue(values))
  }

  /// Documents whose field is one of these.
  public static func field(_ field: String, in values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .in, value: Rules.FieldValue(values))
  }

  /// Documents whose field is there and none of these.
  public static func field(_ field: String, notIn values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .notIn, value: Rules.FieldValue(values))
  }
}
