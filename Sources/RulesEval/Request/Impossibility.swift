public import RulesLang

// The properties that no request can have. The official emulator refuses such documents and paths as
// malformed (400) before any rule is evaluated, and a token is JSON.

/// A reason why a document, path or token cannot exist.
public enum Impossibility: Error, Hashable, Sendable {
  /// A list is directly inside a list.
  case listInList
  /// A field has no name, or one of the form `__x__`, or one of more than 1500 bytes.
  case fieldName(Text)
  /// Maps and lists are nested too deep.
  case depth
  /// A vector has no numbers, more than 2048 of them, or a NaN, or is directly inside a list.
  case vector
  /// A value of this type cannot be stored in a document.
  case notStored(ValueType)
  /// A document or collection is called `.`, `..`, `__x__`, or by more than 1500 bytes.
  case identifier(Text)
  /// A path has the wrong length for a document's: that is an even number of segments, at least two.
  case pathLength(Int)
  /// A token is JSON: it has no NaN, no infinity, no whole number that is a float, and no value of
  /// another type than JSON's.
  case notJSON
  /// A text has a lone surrogate, half of a pair. It has no UTF-8 form, in which texts are sent and stored.
  case halfCharacter
  /// A text or bytes value exceeds the maximum size of a field.
  case longValue
  /// The field names, texts and bytes alone exceed the maximum size of a document.
  case size(Int)

  /// The reason in a sentence.
  public var sentence: String {
    switch self {
    case .listInList: return "no document has a list directly inside a list"
    case .fieldName(let name) where name.isEmpty: return "no field has an empty name"
    case .fieldName(let name):
      return name.isReserved
        ? "no field is called `\(String(name))`: names like that are reserved"
        : "no field has a name of more than \(Self.longestName) bytes"
    case .depth:
      return "no document has more than \(Self.greatestDepth) maps and lists inside each other"
    case .vector:
      return
        "no document has a vector in a list, or one with no numbers, with a NaN, or with more than "
        + "\(Self.greatestDimension) numbers"
    case .notStored(let type): return "no document has a \(type.word)"
    case .identifier(let name):
      return name.bytes.count > Self.longestName
        ? "no identifier has more than \(Self.longestName) bytes"
        : "no document or collection is called `\(String(name))`"
    case .pathLength(let count):
      return "no document has a path of \(count) segments"
    case .notJSON:
      return "tokens are JSON, without NaN, infinities, and floats that are whole numbers"
    case .halfCharacter: return "no document, path or token has half a character"
    case .longValue: return "no field has a text or bytes of more than \(Self.longestValue) bytes"
    case .size(let count):
      return "no document has more than \(Self.greatestSize) bytes: the names, texts and bytes of "
        + "this one alone have \(count)"
    }
  }

  /// Maximum nesting of maps and lists below the document's own map.
  package static let greatestDepth = 20
  /// Maximum numbers of a vector.
  package static let greatestDimension = 2048
  /// Maximum bytes of a name.
  package static let longestName = 1500
  /// Maximum bytes of a text in UTF-8, or of a bytes value; the emulator states it when it refuses one.
  package static let longestValue = 1_048_487
  /// Maximum bytes of a document: 1 MiB.
  static let greatestSize = 1_048_576
}

extension MapValue {
  /// Checks that the map can be the data of a document; throws the reason if not.
  public func checkStorable() throws(Impossibility) { try checkFields(depth: 0) }

  fileprivate func checkFields(depth: Int) throws(Impossibility) {
    for (name, value) in self {
      if name.hasHalfCharacter { throw .halfCharacter }
      if !name.canNameField { throw .fieldName(name) }
      try value.checkField(depth: depth)
    }
  }

  /// Checks that the map can be the claims of a token; throws the reason if not.
  public func checkClaims() throws(Impossibility) {
    for (name, value) in self {
      if name.hasHalfCharacter { throw .halfCharacter }
      try value.checkClaim()
    }
  }
}

extension MapValue {
  /// A lower bound of the size that Firestore counts: the bytes of all names, texts and bytes values inside.
  package var leastStoredSize: Int {
    reduce(0) { $0 + $1.0.bytes.count + $1.1.leastStoredSize }
  }
}

extension Value {
  fileprivate var leastStoredSize: Int {
    switch self {
    case .string(let text): text.bytes.count
    case .bytes(let bytes): bytes.count
    case .list(let elements): elements.reduce(0) { $0 + $1.leastStoredSize }
    case .map(let map): map.leastStoredSize
    case .null, .bool, .int, .float, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      0
    }
  }

  /// Checks that the value can be that of a field with this name; throws the reason if not.
  public func checkStorable(as name: Text) throws(Impossibility) {
    if name.hasHalfCharacter { throw .halfCharacter }
    if !name.canNameField { throw .fieldName(name) }
    try checkField(depth: 0)
  }

  /// Checks that the value can be that of a claim with this name; throws the reason if not.
  public func checkClaim(as name: Text) throws(Impossibility) {
    if name.hasHalfCharacter { throw .halfCharacter }
    try checkClaim()
  }

  fileprivate func checkField(depth: Int) throws(Impossibility) {
    switch self {
    case .null, .bool, .int, .float, .timestamp, .latlng, .path: break
    case .bytes(let bytes): if bytes.count > Impossibility.longestValue { throw .longValue }
    case .vector(let numbers):
      let isPossible =
        !numbers.isEmpty && numbers.count <= Impossibility.greatestDimension
        && !numbers.contains { $0.isNaN }
      if !isPossible { throw .vector }
    case .string(let text):
      if text.bytes.count > Impossibility.longestValue { throw .longValue }
      if text.hasHalfCharacter { throw .halfCharacter }
    case .list(let elements):
      if depth == Impossibility.greatestDepth { throw .depth }
      for element in elements {
        switch element {
        case .list: throw .listInList
        case .vector: throw .vector
        default: break
        }
        try element.checkField(depth: depth + 1)
      }
    case .map(let map):
      if depth == Impossibility.greatestDepth { throw .depth }
      try map.checkFields(depth: depth + 1)
    case .set, .duration, .mapDiff, .constraint: throw .notStored(type)
    }
  }

  fileprivate func checkClaim() throws(Impossibility) {
    switch self {
    case .null, .bool, .int: break
    case .string(let text): if text.hasHalfCharacter { throw .halfCharacter }
    case .float(let number):
      // Whole numbers that an int can hold are ints, however they are written.
      guard number.isFinite, Int64(exactly: number) == nil else { throw .notJSON }
    case .list(let elements): for element in elements { try element.checkClaim() }
    case .map(let map): try map.checkClaims()
    case .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector, .constraint:
      throw .notJSON
    }
  }
}

extension DocumentPath {
  /// Checks that the path can be that of a document or a collection; throws the reason if not.
  public func checkIdentifiers() throws(Impossibility) {
    for (place, segment) in segments.enumerated() {
      if segment.hasHalfCharacter { throw .halfCharacter }
      let isDocument = !place.isMultiple(of: 2)
      if segment.bytes.contains(UInt8(ascii: "/")) { throw .identifier(segment) }
      if !segment.canBeSegment || !isDocument && segment.isNumericID { throw .identifier(segment) }
    }
  }
}

extension DocumentPath {
  /// Checks that the path can be that of a document, its length included; throws the reason if not.
  public func checkDocument() throws(Impossibility) {
    if segments.isEmpty || !segments.count.isMultiple(of: 2) {
      throw .pathLength(segments.count)
    }
    try checkIdentifiers()
  }
}

extension FieldPath {
  /// Checks that the path can lead to a field; throws the reason if not.
  func checkNames() throws(Impossibility) {
    for name in names {
      if name.hasHalfCharacter { throw .halfCharacter }
      if !name.canNameField { throw .fieldName(name) }
    }
  }
}

extension Principal {
  /// The principal as its token is decoded: whole numbers that fit an int are ints, however they are written.
  public var asSent: Principal {
    var sent = self
    sent.token = token.asClaims
    return sent
  }
}

extension MapValue {
  fileprivate var asClaims: MapValue { MapValue(map { ($0.0, $0.1.asClaim) }) }
}

extension Value {
  fileprivate var asClaim: Value {
    switch self {
    case .float(let number): Int64(exactly: number).map { .int($0) } ?? self
    case .list(let elements): .list(elements.map { $0.asClaim })
    case .map(let map): .map(map.asClaims)
    case .null, .bool, .int, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      self
    }
  }
}

extension Text {
  /// True if a field can have the name.
  public var canNameField: Bool {
    !isEmpty && !isReserved && bytes.count <= Impossibility.longestName
  }

  /// True if a document or collection can have the name, slashes aside.
  public var canBeSegment: Bool {
    (canNameField || isNumericID) && !isDots
  }

  /// True if the text is `.` or `..`.
  package var isDots: Bool {
    bytes.count < 3 && !isEmpty && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// True if the text is a numeric document ID: `__id5__`, with any number of 64 bits except 0. Of the
  /// reserved names `__x__` only these are valid, for documents but not for collections.
  fileprivate var isNumericID: Bool { numericID != nil }

  /// The number of a numeric document ID, by which such IDs are sorted; nil for other texts.
  package var numericID: Int64? {
    guard isReserved else { return nil }
    let text = String(self)
    guard text.hasPrefix("__id"), text.hasSuffix("__") else { return nil }
    let digits = text.dropFirst("__id".count).dropLast("__".count)
    return Int64(digits).flatMap { $0 != 0 && "\($0)" == digits ? $0 : nil }
  }

  /// True if the text has a lone surrogate, which is kept as three bytes.
  package var hasHalfCharacter: Bool {
    var place = bytes.place(of: 0xED, in: 0..<bytes.count)
    while place + 1 < bytes.count {
      if bytes[place + 1] >= 0xA0 { return true }
      place = bytes.place(of: 0xED, in: place + 1..<bytes.count)
    }
    return false
  }

  /// True if the name is reserved by Firestore: `__x__`, with anything between.
  package var isReserved: Bool {
    let edge = UInt8(ascii: "_")
    let count = bytes.count
    return count > 4 && bytes[0] == edge && bytes[1] == edge && bytes[count - 2] == edge
      && bytes[count - 1] == edge
  }
}
