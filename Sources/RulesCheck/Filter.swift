import RulesEval
import RulesLang

extension Rules {
  /// A condition of a query, named as in the SDKs: `.field("owner", isEqualTo: "alice")`.
  ///
  /// Values can be variables.
  public struct Filter: Hashable, Sendable, CustomStringConvertible {
    /// The condition in the notation of suites.
    let notation: Notation
    /// The condition in words: `owner == "alice"`.
    public let description: String

    private init(_ field: String, comparison: Query.Comparison, value: (any Encodable)?) {
      self.init(field, comparison, FieldValue(variable: value))
    }

    private init(_ field: String, comparison: Query.Comparison, values: [(any Encodable)?]) {
      let elements = FieldValue.elements(values).map { element in element.notation }
      self.init(field, comparison, FieldValue(Notation(elements)))
    }

    private init(_ field: String, _ comparison: Query.Comparison, _ value: FieldValue) {
      notation = Notation([Notation(field), Notation(comparison.symbol), value.notation])
      description = "\(field) \(comparison.symbol) \(value)"
    }
  }

  /// A sort key of a query.
  public struct Order: Hashable, Sendable, CustomStringConvertible {
    /// The sort key in the notation of suites.
    let notation: Notation
    /// The sort key in words: `name, descending`.
    public let description: String

    /// Sorts by a field.
    public init(by field: String, descending: Bool = false) {
      notation = Notation([Notation(field), Notation(descending ? "desc" : "asc")])
      description = descending ? "\(field), descending" : field
    }
  }
}

extension Rules.Filter {
  /// Selects documents whose field equals the value.
  public static func field(_ field: String, isEqualTo value: (any Encodable)?) -> Self {
    Self(field, comparison: .equal, value: value)
  }

  /// Selects documents whose field exists and does not equal the value.
  public static func field(_ field: String, isNotEqualTo value: (any Encodable)?) -> Self {
    Self(field, comparison: .notEqual, value: value)
  }

  /// Selects documents whose field is less than the value.
  public static func field(_ field: String, isLessThan value: (any Encodable)?) -> Self {
    Self(field, comparison: .less, value: value)
  }

  /// Selects documents whose field is less than the value or equals it.
  public static func field(_ field: String, isLessThanOrEqualTo value: (any Encodable)?) -> Self {
    Self(field, comparison: .lessEqual, value: value)
  }

  /// Selects documents whose field is greater than the value.
  public static func field(_ field: String, isGreaterThan value: (any Encodable)?) -> Self {
    Self(field, comparison: .greater, value: value)
  }

  /// Selects documents whose field is greater than the value or equals it.
  public static func field(
    _ field: String, isGreaterThanOrEqualTo value: (any Encodable)?
  ) -> Self {
    Self(field, comparison: .greaterEqual, value: value)
  }

  /// Selects documents whose field is a list that contains the value.
  public static func field(_ field: String, arrayContains value: (any Encodable)?) -> Self {
    Self(field, comparison: .arrayContains, value: value)
  }

  /// Selects documents whose field is a list that contains one of the values.
  public static func field(_ field: String, arrayContainsAny values: [(any Encodable)?]) -> Self {
    Self(field, comparison: .arrayContainsAny, values: values)
  }

  /// Selects documents whose field equals one of the values.
  public static func field(_ field: String, in values: [(any Encodable)?]) -> Self {
    Self(field, comparison: .in, values: values)
  }

  /// Selects documents whose field exists and equals none of the values.
  public static func field(_ field: String, notIn values: [(any Encodable)?]) -> Self {
    Self(field, comparison: .notIn, values: values)
  }
}
