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

  /// A sort key of a query.
  public struct Order: Sendable {
    /// The sort key in the notation of suites.
    let json: JSON

    /// Sorts by a field.
    public init(by field: String, descending: Bool = false) {
      json = JSON(
        .array([JSON(.string(Text(field))), JSON(.string(descending ? "desc" : "asc"))]))
    }
  }
}

extension Rules.Filter {
  /// Selects documents whose field equals the value.
  public static func field(_ field: String, isEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .equal, value: value)
  }

  /// Selects documents whose field exists and does not equal the value.
  public static func field(_ field: String, isNotEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .notEqual, value: value)
  }

  /// Selects documents whose field is less than the value.
  public static func field(_ field: String, isLessThan value: Rules.FieldValue) -> Self {
    Self(field, comparison: .less, value: value)
  }

  /// Selects documents whose field is less than the value or equals it.
  public static func field(_ field: String, isLessThanOrEqualTo value: Rules.FieldValue) -> Self {
    Self(field, comparison: .lessEqual, value: value)
  }

  /// Selects documents whose field is greater than the value.
  public static func field(_ field: String, isGreaterThan value: Rules.FieldValue) -> Self {
    Self(field, comparison: .greater, value: value)
  }

  /// Selects documents whose field is greater than the value or equals it.
  public static func field(
    _ field: String, isGreaterThanOrEqualTo value: Rules.FieldValue
  ) -> Self {
    Self(field, comparison: .greaterEqual, value: value)
  }

  /// Selects documents whose field is a list that contains the value.
  public static func field(_ field: String, arrayContains value: Rules.FieldValue) -> Self {
    Self(field, comparison: .arrayContains, value: value)
  }

  /// Selects documents whose field is a list that contains one of the values.
  public static func field(_ field: String, arrayContainsAny values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .arrayContainsAny, value: Rules.FieldValue(values))
  }

  /// Selects documents whose field equals one of the values.
  public static func field(_ field: String, in values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .in, value: Rules.FieldValue(values))
  }

  /// Selects documents whose field exists and equals none of the values.
  public static func field(_ field: String, notIn values: [Rules.FieldValue]) -> Self {
    Self(field, comparison: .notIn, value: Rules.FieldValue(values))
  }
}
