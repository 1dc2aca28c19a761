import RulesEval
import RulesLang

extension Rules {
  /// The value of a field, written as a literal: `["name": "Alice", "age": 7, "tags": ["a", nil]]`.
  ///
  /// An integer literal is an int, one with a point a float. Variables become values by `.init(x)`: any
  /// `Encodable` does, `Date` as a timestamp and `Data` as bytes. Other values have factory methods:
  /// `.geoPoint(latitude: 1, longitude: 2)`, and in written data the SDKs' field values, `.serverTimestamp`,
  /// `.delete`, `.increment(1)`, `.arrayUnion(["a"])`.
  public struct FieldValue: Hashable, Sendable {
    /// The value in the notation of suites.
    let notation: Notation

    /// Creates a value of its notation in suites.
    init(_ notation: Notation) { self.notation = notation }

    /// Creates the value of a variable: a string, number, bool, `Date`, `Data`, `URL`, an array, a
    /// dictionary, or any other `Encodable` as a map of its properties.
    ///
    /// Every request with something that cannot be a value, such as an integer above 2⁶³ − 1, fails.
    public init(_ value: some Encodable) { notation = FieldEncoder.notation(of: value) }

    /// Creates the value of a variable that may be nil, which is null.
    init(variable: (any Encodable)?) {
      if let variable { self.init(variable) } else { self.init(nilLiteral: ()) }
    }
  }
}

extension Rules.FieldValue: CustomStringConvertible {
  /// The value in the notation of suites.
  public var description: String { notation.text }
}

// MARK: Documents

extension Rules.FieldValue {
  /// Returns the fields of a document sorted by name, because a dictionary has no order.
  static func object(_ fields: [String: Rules.FieldValue]) -> Notation {
    let sorted = fields.sorted { $0.key < $1.key }
    return Notation(sorted.map { JSON.Member(Text($0.key), value: $0.value.notation.json) })
  }

  /// Returns the values of fields that are variables; nil is null.
  static func fields(_ variables: [String: (any Encodable)?]) -> [String: Rules.FieldValue] {
    variables.mapValues { Rules.FieldValue(variable: $0) }
  }

  /// Returns the values of variables; nil is null.
  static func elements(_ variables: [(any Encodable)?]) -> [Rules.FieldValue] {
    variables.map { Rules.FieldValue(variable: $0) }
  }

  /// Returns the fields of a value that encodes as a map.
  static func object(encoding value: some Encodable) -> Notation {
    let notation = FieldEncoder.notation(of: value)
    guard case .object(let members) = notation.json.kind else {
      return .unencodable("a document is a map of fields; \(type(of: value)) encodes as no map")
    }
    guard members.count == 1, members[0].key.bytes.first == UInt8(ascii: "$") else {
      return notation
    }
    if Notation.failure(in: notation.json) != nil { return notation }
    if members[0].key == "$map" { return Notation(members[0].value) }
    return .unencodable("a document is a map of fields; \(type(of: value)) encodes as no map")
  }

  /// Returns a map of fields as a value. One whose only key begins with `$` is marked as a map.
  static func map(_ fields: Notation) -> Notation {
    guard case .object(let members) = fields.json.kind, members.count == 1,
      members[0].key.bytes.first == UInt8(ascii: "$")
    else { return fields }
    return Notation(directive: "$map", fields)
  }
}

// MARK: Values without a literal

extension Rules.FieldValue {
  /// Returns a timestamp, given in the form of RFC 3339.
  public static func timestamp(_ text: String) -> Self {
    Self(Notation(directive: "$timestamp", Notation(text)))
  }

  /// Returns bytes, given in base64.
  public static func bytes(base64 text: String) -> Self {
    Self(Notation(directive: "$bytes", Notation(text)))
  }

  /// Returns a point on earth, in degrees.
  public static func geoPoint(latitude: Double, longitude: Double) -> Self {
    Self(Notation(directive: "$latlng", Notation([.float(latitude), .float(longitude)])))
  }

  /// Returns a reference to a document, such as `/users/alice`.
  public static func reference(_ path: String) -> Self {
    Self(Notation(directive: "$ref", Notation(path)))
  }

  /// Returns a vector, for vector search.
  public static func vector(_ numbers: [Double]) -> Self {
    Self(Notation(directive: "$vector", Notation(numbers.map { .float($0) })))
  }

  /// In written data: the time of the request.
  public static var serverTimestamp: Self {
    Self(Notation(directive: "$serverTimestamp", Notation(JSON(.bool(true)))))
  }

  /// In the data of an update or a merge: removes the field.
  public static var delete: Self {
    Self(Notation(directive: "$delete", Notation(JSON(.bool(true)))))
  }

  /// In written data: adds to the stored number.
  public static func increment(_ number: some Encodable) -> Self {
    Self(Notation(directive: "$increment", Self(number).notation))
  }

  /// In written data: appends those of the elements that the stored list lacks.
  public static func arrayUnion(_ elements: [Self]) -> Self {
    Self(Notation(directive: "$arrayUnion", Notation(elements.map { $0.notation })))
  }

  /// In written data: appends those of the elements, some of them variables, that the stored list lacks.
  @_disfavoredOverload
  public static func arrayUnion(_ elements: [(any Encodable)?]) -> Self {
    arrayUnion(Self.elements(elements))
  }

  /// In written data: removes the elements from the stored list.
  public static func arrayRemove(_ elements: [Self]) -> Self {
    Self(Notation(directive: "$arrayRemove", Notation(elements.map { $0.notation })))
  }

  /// In written data: removes the elements, some of them variables, from the stored list.
  @_disfavoredOverload
  public static func arrayRemove(_ elements: [(any Encodable)?]) -> Self {
    arrayRemove(Self.elements(elements))
  }
}

// MARK: Literals

extension Rules.FieldValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates null.
  public init(nilLiteral: ()) { self.init(Notation(JSON(.null))) }

  /// Creates a bool.
  public init(booleanLiteral flag: Bool) { self.init(Notation(JSON(.bool(flag)))) }

  /// Creates an integer.
  public init(integerLiteral number: Int) { self.init(Notation(JSON(.number("\(number)")))) }

  /// Creates a floating-point number.
  public init(floatLiteral number: Double) { self.init(Notation.float(number)) }

  /// Creates a text.
  public init(stringLiteral text: String) { self.init(Notation(text)) }

  /// Creates a list.
  public init(arrayLiteral elements: Rules.FieldValue...) {
    self.init(Notation(elements.map { element in element.notation }))
  }

  /// Creates a map; of several fields with one name the last counts.
  public init(dictionaryLiteral fields: (String, Rules.FieldValue)...) {
    let last = Dictionary(fields) { _, last in last }
    self.init(Self.map(Self.object(last)))
  }
}

extension Notation {
  /// Creates the notation of a float; a whole one stays a float to the rules.
  static func float(_ number: Double) -> Notation { Notation(SuiteWriter.json(.float(number))) }
}
