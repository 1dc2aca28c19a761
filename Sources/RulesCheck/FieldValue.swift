import RulesEval
import RulesLang

extension Rules {
  /// The value of a field, written as a literal: `["name": "Alice", "age": 7, "tags": ["a", nil]]`.
  ///
  /// An integer literal is an int, one with a point a float. What Swift has no literal for is made by
  /// name: `.timestamp("2025-10-21T09:00:00Z")`, and in written data what the SDKs call field values,
  /// `.serverTimestamp`, `.delete`, `.increment(1)`, `.arrayUnion(["a"])`.
  public struct FieldValue: Sendable {
    /// The value in the notation of suites.
    let json: JSON

    /// A value that is in this notation already.
    init(json: JSON) { self.json = json }
  }
}

extension Rules.FieldValue {
  /// A text.
  public init(_ text: String) { json = JSON(.string(Text(text))) }

  /// An integer.
  public init(_ number: Int) { json = JSON(.number("\(number)")) }

  /// A floating-point number; a whole one stays a float to the rules.
  public init(_ number: Double) { json = SuiteWriter.json(.float(number)) }

  /// True or false.
  public init(_ flag: Bool) { json = JSON(.bool(flag)) }

  /// A list.
  public init(_ elements: [Rules.FieldValue]) {
    json = JSON(.array(elements.map { element in element.json }))
  }

  /// A map.
  public init(_ fields: [String: Rules.FieldValue]) {
    let object = Self.object(fields)
    let isDirective = fields.keys.allSatisfy { $0.utf8.first == UInt8(ascii: "$") }
    let isMarked = fields.count == 1 && isDirective
    json = isMarked ? Self.directive("$map", saying: object) : object
  }

  /// The fields of a document, in the order of their names: a dictionary has none.
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
  /// A moment, in the form of RFC 3339.
  public static func timestamp(_ text: String) -> Self {
    Self(json: directive("$timestamp", saying: JSON(.string(Text(text)))))
  }

  /// Bytes, in base64.
  public static func bytes(base64 text: String) -> Self {
    Self(json: directive("$bytes", saying: JSON(.string(Text(text)))))
  }

  /// A place on earth, in degrees.
  public static func geoPoint(latitude: Double, longitude: Double) -> Self {
    let degrees = [Self(latitude), Self(longitude)].map { $0.json }
    return Self(json: directive("$latlng", saying: JSON(.array(degrees))))
  }

  /// A reference to a document, such as `/users/alice`.
  public static func reference(_ path: String) -> Self {
    Self(json: directive("$ref", saying: JSON(.string(Text(path)))))
  }

  /// A vector, as vector searches compare it.
  public static func vector(_ numbers: [Double]) -> Self {
    Self(json: directive("$vector", saying: Self(numbers.map { Self($0) }).json))
  }

  /// In written data: the time of the request.
  public static var serverTimestamp: Self {
    Self(json: directive("$serverTimestamp", saying: JSON(.bool(true))))
  }

  /// In the data of an update or a merge: takes the field away.
  public static var delete: Self { Self(json: directive("$delete", saying: JSON(.bool(true)))) }

  /// In written data: adds to the number that is stored.
  public static func increment(_ number: Self) -> Self {
    Self(json: directive("$increment", saying: number.json))
  }

  /// In written data: adds what the stored list lacks.
  public static func arrayUnion(_ elements: [Self]) -> Self {
    Self(json: directive("$arrayUnion", saying: Self(elements).json))
  }

  /// In written data: takes these out of the stored list.
  public static func arrayRemove(_ elements: [Self]) -> Self {
    Self(json: directive("$arrayRemove", saying: Self(elements).json))
  }
}

// MARK: Literals

extension Rules.FieldValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Null.
  public init(nilLiteral: ()) { json = JSON(.null) }

  /// True or false.
  public init(booleanLiteral flag: Bool) { self.init(flag) }

  /// An integer.
  public init(integerLiteral number: Int) { self.init(number) }

  /// A floating-point number.
  public init(floatLiteral number: Double) { self.init(number) }

  /// A text.
  public init(stringLiteral text: String) { self.init(text) }

  /// A list.
  public init(arrayLiteral elements: Rules.FieldValue...) { self.init(elements) }

  /// A map; of fields with one name the last counts.
  public init(dictionaryLiteral fields: (String, Rules.FieldValue)...) {
    self.init(Dictionary(fields) { _, last in last })
  }
}
