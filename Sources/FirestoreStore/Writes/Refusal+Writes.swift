import RulesEval
import RulesLang

// The official emulator's messages about writes (Docs/Emulator.md, Writes and Values).

extension Refusal {
  /// Creates the refusal of data that no document can have.
  init(_ part: ImpossiblePart, of data: MapValue) {
    self = .invalidArgument(Self.message(part, of: data))
  }

  private static func message(_ part: ImpossiblePart, of data: MapValue) -> String {
    let names = part.steps.compactMap { step -> Text? in
      if case .field(let name) = step { name } else { nil }
    }
    let property = quoting(names.first ?? Text())
    switch part.reason {
    case .listInList: return "Cannot convert an array value in an array value."
    case .vector: return vectorMessage(data.value(at: part.steps))
    case .fieldName(let name) where name.isReserved:
      return names.count > 1
        ? "field name '\(quoting(name))' is reserved." : "field name \(quoting(name)) is reserved"
    // The message does not distinguish the fields inside a map.
    case .longValue where names.count > 1, .fieldName where names.count > 1, .depth:
      return nested(property)
    case .fieldName(let name):
      return name.isEmpty
        ? "The property.name is the empty string."
        : "The property.name is longer than \(Impossibility.longestName) bytes."
    case .longValue:
      return "The value of property \"\(property)\" is longer than "
        + "\(Impossibility.longestValue) bytes."
    case .notStored, .identifier, .pathLength, .notJSON, .halfCharacter, .size:
      return "The value of property \"\(property)\" is invalid: \(part.reason.sentence)."
    }
  }

  private static func nested(_ property: String) -> String {
    "Property \(property) contains an invalid nested entity."
  }

  private static func vectorMessage(_ value: Value?) -> String {
    guard case .vector(let numbers)? = value else {
      return "Cannot convert a vector value in an array value."
    }
    return vectorProblem(numbers) ?? "Vector cannot contain NaN values."
  }

  /// Returns the message about a vector with too few or too many numbers; nil if the number is valid.
  static func vectorProblem(_ numbers: [Double]) -> String? {
    if numbers.isEmpty { return "Cannot have a zero length vector." }
    if numbers.count <= Impossibility.greatestDimension { return nil }
    return "Vectors must be at most \(Impossibility.greatestDimension) dimensions."
  }

  /// Returns the refusal of a property that is nested too deeply.
  static func tooDeep(_ property: Text) -> Refusal {
    .invalidArgument(nested(quoting(property)))
  }

  /// Returns the refusal of a coordinate that is out of range.
  static func outside(_ coordinate: String, _ degrees: Double, limit: Double) -> Refusal {
    .invalidArgument(
      "Geo point \(coordinate) '\(String(FloatText.text(of: degrees)))' outside permitted range "
        + "-\(limit) to \(limit).")
  }

  /// Returns the refusal of two conflicting writes of a document in one commit, described by their verbs.
  static func conflict(_ first: String, then second: String) -> Refusal {
    .invalidArgument("Cannot \(first) then \(second) an entity in the same request.")
  }

  /// The refusal of a batch that writes a document twice.
  public static let writtenTwice = invalidArgument(
    "the same document cannot be written more than once in a single request")

  /// The refusal of a document that a commit verifies twice.
  public static let verifiedTwice = invalidArgument(
    "the same document cannot be verified more than once in a single request")

  /// Returns the refusal of a document that a commit both verifies and writes, in either order.
  public static func verifiedAndWritten(isWrittenFirst: Bool) -> Refusal {
    let verbs = isWrittenFirst ? ("written", "verified") : ("verified", "written")
    return .invalidArgument(
      "the same document cannot be \(verbs.0) and then \(verbs.1) in a single request")
  }

  /// Returns the refusal of two writes of a document that require different versions of it.
  static func versions(_ first: Timestamp?, _ second: Timestamp) -> Refusal {
    func words(_ time: Timestamp?) -> String {
      guard let time else { return "null" }
      return "VersionPrecondition{exactBaseVersion=\(time.microseconds), maxBaseVersion=null}"
    }
    return .invalidArgument(
      "Cannot collapse mutations with different version preconditions "
        + "(\(words(first)) and \(words(second)))")
  }

  /// The refusal of a document that would be too large.
  static let largeDocument = invalidArgument(
    "maximum entity size is \(StoredDocument.greatestSize) bytes")

  /// Returns the refusal of a write that requires a missing document to be stored.
  static func missing(_ path: DocumentPath, in id: DatabaseID) -> Refusal {
    .notFound("no entity to update: " + entity(path, in: id))
  }

  /// Returns the refusal of a write that requires a version later than the stored one.
  static func laterVersion(_ path: DocumentPath, in id: DatabaseID) -> Refusal {
    .invalidArgument(
      "Invalid base version, it is greater than the stored version: " + entity(path, in: id))
  }

  /// Returns a document's name in the text format of old protocol buffers.
  private static func entity(_ path: DocumentPath, in id: DatabaseID) -> String {
    var text = "app: \(escaped("dev~" + id.project))\npath <\n"
    for place in stride(from: 0, to: path.segments.count - 1, by: 2) {
      let id = path.segments[place + 1]
      let name = id.numericID.map { "id: \($0)" } ?? "name: \(escaped(id))"
      text += "  Element {\n    type: \(escaped(path.segments[place]))\n    \(name)\n  }\n"
    }
    text += ">\n"
    if !id.database.isStandard { text += "database_id: \(escaped(id.database.text))\n" }
    return text
  }

  /// Returns the refusal of a write that requires a stored document to be missing.
  static func stored(_ path: DocumentPath, in id: DatabaseID) -> Refusal {
    let database = id.database.isStandard ? "" : "#" + String(id.database.text)
    let segments = path.segments.map { id in
      "/" + (id.numericID.map { "\($0)L" } ?? String(id))
    }
    return .alreadyExists(
      "entity already exists: EntityRef{partitionRef=dev~\(String(id.project))\(database), "
        + "path=\(segments.joined())}")
  }

  /// Returns the refusal of a write that requires a version other than the stored one, which is 0 if the
  /// document is missing.
  static func version(_ stored: Int64, insteadOf required: Timestamp) -> Refusal {
    .failedPrecondition(
      "the stored version (\(stored)) does not match the required base version "
        + "(\(required.microseconds))")
  }

  /// Returns a quoted text in the text format of old protocol buffers: UTF-16 units beyond ASCII up to U+00FF
  /// as octal digits, others as hexadecimal digits.
  private static func escaped(_ text: Text) -> String {
    var result = "\""
    for unit in String(text).utf16 {
      switch unit {
      case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      case 0x20..<0x7F: result += String(UnicodeScalar(UInt8(unit)))
      case 0..<0x100: result += "\\" + digits(unit, radix: 8, count: 3)
      default: result += "\\u" + digits(unit, radix: 16, count: 4)
      }
    }
    return result + "\""
  }

  private static func digits(_ unit: UInt16, radix: Int, count: Int) -> String {
    let digits = String(unit, radix: radix)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}

extension MapValue {
  /// Returns the value at some steps.
  fileprivate func value(at steps: [ImpossiblePart.Step]) -> Value? {
    var value = Value.map(self)
    for step in steps {
      switch (step, value) {
      case (.field(let name), .map(let map)):
        guard let inner = map[name] else { return nil }
        value = inner
      case (.element(let place), .list(let list)) where list.indices.contains(place):
        value = list[place]
      default: return nil
      }
    }
    return value
  }
}
