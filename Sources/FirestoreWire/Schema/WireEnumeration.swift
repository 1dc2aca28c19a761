/// An enumeration of the protos.
///
/// Enumerations of protobuf are open: a message keeps a number without a case, and returns it as the case of
/// zero.
public protocol WireEnumeration: FieldContent, PresentContent, RawRepresentable, CaseIterable
where RawValue == Int32 {
  /// The enumeration in the table.
  static var type: EnumType { get }
  /// The case with the number zero.
  static var zero: Self { get }
}

extension WireEnumeration {
  /// Creates the content from a stored field; the default if it is unset.
  public init(kept: FieldValue) { self = Self(present: kept) ?? Self.zero }
  /// The stored field; `.unset` for the default.
  public var kept: FieldValue { rawValue == 0 ? .unset : present }
  /// Creates the content from a stored field; nil if it is unset.
  public init?(present: FieldValue) {
    guard case .int(let number) = present else { return nil }
    self = Self(rawValue: Int32(truncatingIfNeeded: number)) ?? Self.zero
  }
  /// The stored field, which is set even for the default.
  public var present: FieldValue { .int(Int64(rawValue)) }
}

/// The enumerations of the table, with the JSON names of their numbers.
public enum EnumType: Sendable, CaseIterable {
  case direction, compositeOperator, fieldOperator, unaryOperator, distanceMeasure
  case targetChangeType, serverValue, concurrencyMode

  /// The numbers with their names.
  public var names: [(number: Int32, name: StaticString)] {
    switch self {
    case .direction: Self.directions
    case .compositeOperator: Self.compositeOperators
    case .fieldOperator: Self.fieldOperators
    case .unaryOperator: Self.unaryOperators
    case .distanceMeasure: Self.distanceMeasures
    case .targetChangeType: Self.targetChangeTypes
    case .serverValue: Self.serverValues
    case .concurrencyMode: Self.concurrencyModes
    }
  }

  private typealias Names = [(number: Int32, name: StaticString)]

  private static let directions: Names = [
    (0, "DIRECTION_UNSPECIFIED"), (1, "ASCENDING"), (2, "DESCENDING"),
  ]
  private static let compositeOperators: Names = [
    (0, "OPERATOR_UNSPECIFIED"), (1, "AND"), (2, "OR"),
  ]
  private static let fieldOperators: Names = [
    (0, "OPERATOR_UNSPECIFIED"), (1, "LESS_THAN"), (2, "LESS_THAN_OR_EQUAL"),
    (3, "GREATER_THAN"), (4, "GREATER_THAN_OR_EQUAL"), (5, "EQUAL"), (6, "NOT_EQUAL"),
    (7, "ARRAY_CONTAINS"), (8, "IN"), (9, "ARRAY_CONTAINS_ANY"), (10, "NOT_IN"),
  ]
  private static let unaryOperators: Names = [
    (0, "OPERATOR_UNSPECIFIED"), (2, "IS_NAN"), (3, "IS_NULL"), (4, "IS_NOT_NAN"),
    (5, "IS_NOT_NULL"),
  ]
  private static let distanceMeasures: Names = [
    (0, "DISTANCE_MEASURE_UNSPECIFIED"), (1, "EUCLIDEAN"), (2, "COSINE"), (3, "DOT_PRODUCT"),
  ]
  private static let targetChangeTypes: Names = [
    (0, "NO_CHANGE"), (1, "ADD"), (2, "REMOVE"), (3, "CURRENT"), (4, "RESET"),
  ]
  private static let serverValues: Names = [
    (0, "SERVER_VALUE_UNSPECIFIED"), (1, "REQUEST_TIME"),
  ]
  private static let concurrencyModes: Names = [
    (0, "CONCURRENCY_MODE_UNSPECIFIED"), (1, "OPTIMISTIC"), (2, "PESSIMISTIC"),
  ]
}

/// `StructuredQuery.Direction`.
public enum Direction: Int32, Sendable, WireEnumeration {
  case unspecified, ascending, descending

  /// The enumeration in the table.
  public static var type: EnumType { .direction }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `StructuredQuery.CompositeFilter.Operator`.
public enum CompositeOperator: Int32, Sendable, WireEnumeration {
  case unspecified, and, or

  /// The enumeration in the table.
  public static var type: EnumType { .compositeOperator }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `StructuredQuery.FieldFilter.Operator`.
public enum FieldOperator: Int32, Sendable, WireEnumeration {
  case unspecified, lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual
  case arrayContains, `in`, arrayContainsAny, notIn

  /// The enumeration in the table.
  public static var type: EnumType { .fieldOperator }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `StructuredQuery.UnaryFilter.Operator`.
public enum UnaryOperator: Int32, Sendable, WireEnumeration {
  case unspecified = 0
  case isNaN = 2
  case isNull, isNotNaN, isNotNull

  /// The enumeration in the table.
  public static var type: EnumType { .unaryOperator }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `StructuredQuery.FindNearest.DistanceMeasure`.
public enum DistanceMeasure: Int32, Sendable, WireEnumeration {
  case unspecified, euclidean, cosine, dotProduct

  /// The enumeration in the table.
  public static var type: EnumType { .distanceMeasure }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `TargetChange.TargetChangeType`.
public enum TargetChangeType: Int32, Sendable, WireEnumeration {
  case noChange, add, remove, current, reset

  /// The enumeration in the table.
  public static var type: EnumType { .targetChangeType }
  /// The case with the number zero.
  public static var zero: Self { .noChange }
}

/// `DocumentTransform.FieldTransform.ServerValue`.
public enum ServerValue: Int32, Sendable, WireEnumeration {
  case unspecified, requestTime

  /// The enumeration in the table.
  public static var type: EnumType { .serverValue }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}

/// `TransactionOptions.ConcurrencyMode`.
public enum ConcurrencyMode: Int32, Sendable, WireEnumeration {
  case unspecified, optimistic, pessimistic

  /// The enumeration in the table.
  public static var type: EnumType { .concurrencyMode }
  /// The case with the number zero.
  public static var zero: Self { .unspecified }
}
