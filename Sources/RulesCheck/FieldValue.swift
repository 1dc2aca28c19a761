import RulesEval
import RulesLang

extension Rules {
  /// The value of a field, written as a literal: `["name": "Alice", "age": 7, "tags": ["a", nil]]`.
  ///
  /// An integer literal is an int, one with a point a float. Other values have factory methods:
  /// `.timestamp("2025-10-21T09:00:00Z")`, and in written data the SDKs' field values, `.serverTimestamp`,
  /// `.delete`, `.increment(1)`, `.arrayUnion(["a"])`.
  public struct FieldValue: Sendable {
    /// The value in the notation of suites.
    let json: JSON

    /// Creates a value of its notation in suites.
    init(json: JSON) { self.json = json }
  }
}

extension Rules.FieldValue {
  /// Creates a text.
  public init(_ text: String) { json = JSON(.string(Text(text))) }

  /// Creates an integer.
  public init(_ number: Int) { json = JSON(.number("\(number)")) }

  /// Creates a floating-point number; a whole one stays a float to the rules.
  public init(_ number: Double) { json = SuiteWriter.json(.float(number)) }

  /// Creates a bool.
  public init(_ flag: Bool) { json = JSON(.bool(flag)) }

  /// Creates a list.
  public init(_ elements: [Rules.FieldValue]) {
    json = JSON(.array(elements.map { element in element.json }))
  }

  /// Creates a map.
  public init(_ fields: [String: Rules.FieldValue]) {
    let object = Self.object(fields)
    let isDirective = fields.keys.allSatisfy { $0.utf8.first == UInt8(ascii: "$") }
    let isMarked = fields.count == 1 && isDirective
    json = isMarked ? Self.directive("$map", saying: object) : object
  }

  /// Returns the fields of a document sorted by name, because a dictionary has no order.
  static func object(_ fields: [String: Rules.FieldValue]) -> JSON {
    let sorted = fields.sorted { $0.key < $1.key }
    return JSON(.object(sorted.map { JSON.Member(Text($0.key), value: $0.value.json) }))
  }

  private static func directive(_ name: Text, saying value: JSON) -> JSON {
    JSON(.object([JSON.Member(name, value: value)]))
  }
}

// MARK: Values without a literal

extension Rules.FieldValue {
  /// Returns a timestamp, given in the form of RFC 3339.
  public static func timestamp(_ text: String) -> Self {
    Self(json: directive("$timestamp", saying: JSON(.string(Text(text)))))
  }

  /// Returns bytes, given in base64.
  public static func bytes(base64 text: String) -> Self {
    Self(json: directive("$bytes", saying: JSON(.string(Text(text)))))
  }

  /// Returns a point on earth, in degrees.
  public static func geoPoint(latitude: Double, longitude: Double) -> Self {
    let degrees = [Self(latitude), Self(longitude)].map { $0.json }
    return Self(json: directive("$latlng", saying: JSON(.array(degrees))))
  }

  /// Returns a reference to a document, such as `/users/alice`.
  public static func reference(_ path: String) -> Self {
    Self(json: directive("$ref", saying: JSON(.string(Text(path)))))
  }

  /// Returns a vector, for vector search.
  public static func vector(_ numbers: [Double]) -> Self {
    Self(json: directive("$vector", saying: Self(numbers.map { Self($0) }).json))
  }

  /// In written data: the time of the request.
  public static var serverTimestamp: Self {
    Self(json: directive("$serverTimestamp", saying: JSON(.bool(true))))
  }

  /// In the data of an update or a merge: removes the field.
  public static var delete: Self { Self(json: directive("$delete", saying: JSON(.bool(true)))) }

  /// In written data: adds to the stored number.
  public static func increment(_ number: Self) -> Self {
    Self(json: directive("$increment", saying: number.json))
  }

  /// In written data: appends those of the elements that the stored list lacks.
  public static func arrayUnion(_ elements: [Self]) -> Self {
    Self(json: directive("$arrayUnion", saying: Self(elements).json))
  }

  /// In written data: removes the elements from the stored list.
  public static func arrayRemove(_ elements: [Self]) -> Self {
    Self(json: directive("$arrayRemove", saying: Self(elements).json))
  }
}

// MARK: Literals

extension Rules.FieldValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates null.
  public init(nilLiteral: ()) { json = JSON(.null) }

  /// Creates a bool.
  public init(booleanLiteral flag: Bool) { self.init(flag) }

  /// Creates an integer.
  public init(integerLiteral number: Int) { self.init(number) }

  /// Creates a floating-point number.
  public init(floatLiteral number: Double) { self.init(number) }

  /// Creates a text.
  public init(stringLiteral text: String) { self.init(text) }

  /// Creates a list.
  public init(arrayLiteral elements: Rules.FieldValue...) { self.init(elements) }

  /// Creates a map; of several fields with one name the last counts.
  public init(dictionaryLiteral fields: (String, Rules.FieldValue)...) {
    self.init(Dictionary(fields) { _, last in last })
  }
}
