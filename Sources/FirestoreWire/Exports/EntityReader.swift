import RulesEval
import RulesLang

// Reading the records of an export as documents (Docs/Emulator.md, Exports).

extension ExportedDocument {
  /// Reads an EntityProto.
  init(entity bytes: [UInt8]) throws(WireProblem) {
    var reader = ProtobufReader(bytes, project: Text())
    var key: ExportedKey?
    var fields = FieldCollector()
    while !reader.isAtEnd {
      let tag = try reader.tag()
      switch tag {
      case .entityKey: key = try reader.key()
      case .property, .rawProperty: try reader.property(into: &fields, depth: 0)
      default: try reader.skip(tag)
      }
    }
    guard let key, !key.path.isEmpty else { throw .protobuf("the entity has no key") }
    self.init(
      project: key.project, database: key.database, path: DocumentPath(key.path), data: fields.map)
  }
}

/// The key of an entity, or a reference to one.
struct ExportedKey {
  /// The project.
  var project = Text()
  /// The database.
  var database = DatabaseName.standard
  /// The segments of the path.
  var path: [Text] = []

  /// Sets the project from the name of an application, which is the project with a prefix.
  mutating func setApp(_ app: Text) {
    let tilde = app.bytes.firstIndex(of: UInt8(ascii: "~"))
    project = Text(wellFormed: Array(app.bytes[(tilde.map { $0 + 1 } ?? 0)...]))
  }

  /// Sets the database from its name, which is empty for `(default)`.
  mutating func setDatabase(_ name: Text) throws(WireProblem) {
    if name.isEmpty { return }
    database = DatabaseName(name)
    if let problem = database.problem {
      throw .protobuf("the database \(String(name)): \(problem)")
    }
  }

  /// The path of a reference, `/projects/P/databases/D/documents/a/b`.
  var reference: PathValue {
    PathValue(plain: ["projects", project, "databases", database.text, "documents"] + path)
  }
}

extension ProtobufReader {
  /// Reads the key of an entity.
  fileprivate mutating func key() throws(WireProblem) -> ExportedKey {
    var key = ExportedKey()
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .keyPath:
        let path = try enter()
        while !isAtEnd {
          let tag = try self.tag()
          if tag == .keyElement {
            key.path += try element(.key, of: tag.number)
          } else {
            try skip(tag)
          }
        }
        leave(to: path)
      default: try part(of: &key, tag)
      }
    }
    leave(to: outer)
    return key
  }

  /// Reads a field that both keys and references have.
  private mutating func part(of key: inout ExportedKey, _ tag: WireTag) throws(WireProblem) {
    switch tag {
    case .app: key.setApp(try text())
    case .databaseID: try key.setDatabase(try text())
    case .namespace:
      if !(try text()).isEmpty {
        throw .protobuf("there is a namespace, so this is an export of Datastore, not of Firestore")
      }
    default: try skip(tag)
    }
  }

  /// Reads an element of a path up to the end of its group, and returns the collection and the ID.
  private mutating func element(
    _ tags: PathElementTags, of group: UInt32
  ) throws(WireProblem) -> [Text] {
    var kind: Text?
    var name: Text?
    while let tag = try fieldTag(of: group) {
      switch tag {
      case tags.kind: kind = try text()
      case tags.id: name = Text("__id\(try int64())__")
      case tags.name: name = try text()
      default: try skip(tag)
      }
    }
    guard let kind, let name else { throw .protobuf("an element of a key has no kind or no ID") }
    return [kind, name]
  }

  /// Reads the tag of the next field of a group; nil at the end of the group.
  private mutating func fieldTag(of group: UInt32) throws(WireProblem) -> WireTag? {
    let tag = try tag()
    return tag == WireTag(group, .groupEnd) ? nil : tag
  }

  // MARK: Properties

  /// The content of a value before its meaning is applied.
  private enum Content {
    case none
    case int(Int64)
    case bool(Bool)
    case string([UInt8])
    case double(Double)
    case point(LatLng)
    case reference(PathValue)
  }

  /// Reads a property of an entity at a nesting depth.
  fileprivate mutating func property(
    into fields: inout FieldCollector, depth: Int
  ) throws(WireProblem) {
    var meaning: Int64 = 0
    var name = Text()
    var isMultiple = false
    var content = Content.none
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .meaning: meaning = try int64()
      case .propertyName: name = try text()
      case .isMultiple: isMultiple = try bool()
      case .propertyValue: content = try self.content()
      default: try skip(tag)
      }
    }
    leave(to: outer)
    guard let meaning = ExportMeaning(rawValue: meaning) else {
      throw WireProblem.protobuf("a value has the unknown meaning \(meaning)").inside(String(name))
    }
    do throws(WireProblem) {
      let value = try Self.value(of: content, meaning, depth: depth)
      let kind: FieldCollector.Kind =
        meaning == .vector ? .vector : isMultiple || meaning == .emptyList ? .list : .single
      try fields.add(value, to: name, as: kind)
    } catch {
      throw error.inside(String(name))
    }
  }

  /// Reads the content of a value; the last of several is used.
  private mutating func content() throws(WireProblem) -> Content {
    var content = Content.none
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .intContent: content = .int(try int64())
      case .boolContent: content = .bool(try bool())
      case .stringContent: content = .string(try octets())
      case .doubleContent: content = .double(try double())
      case .pointContent: content = .point(try pointGroup())
      case .referenceContent: content = .reference(try referenceGroup())
      case .userContent: throw .protobuf("a value is a Google account, which Firestore has not")
      default: try skip(tag)
      }
    }
    leave(to: outer)
    return content
  }

  private mutating func pointGroup() throws(WireProblem) -> LatLng {
    var point = LatLng(latitude: 0, longitude: 0)
    while let tag = try fieldTag(of: WireTag.pointContent.number) {
      switch tag {
      case .pointLatitude: point.latitude = try double()
      case .pointLongitude: point.longitude = try double()
      default: try skip(tag)
      }
    }
    return point
  }

  private mutating func referenceGroup() throws(WireProblem) -> PathValue {
    var key = ExportedKey()
    while let tag = try fieldTag(of: WireTag.referenceContent.number) {
      if tag == .pathElement {
        key.path += try element(.value, of: tag.number)
      } else {
        try part(of: &key, tag)
      }
    }
    return key.reference
  }

  /// Returns the value of a content with a meaning; nil for an empty list.
  private static func value(
    of content: Content, _ meaning: ExportMeaning, depth: Int
  ) throws(WireProblem) -> Value? {
    switch (meaning, content) {
    case (.emptyList, .none): return nil
    case (.plain, .none), (.text, .none): return .null
    case (.plain, .int(let number)): return .int(number)
    case (.plain, .bool(let flag)): return .bool(flag)
    case (.plain, .double(let number)), (.vector, .double(let number)): return .float(number)
    case (.plain, .reference(let path)): return .path(path)
    case (.plain, .point(let point)), (.point, .point(let point)): return .latlng(point)
    case (.plain, .string(let bytes)), (.text, .string(let bytes)):
      guard UTF8Check.firstInvalidByte(in: bytes) == nil else {
        throw .protobuf("a text is not UTF-8")
      }
      return .string(Text(wellFormed: bytes))
    case (.blob, .string(let bytes)), (.byteString, .string(let bytes)): return .bytes(bytes)
    case (.entity, .string(let bytes)): return .map(try map(ofEntity: bytes, depth: depth + 1))
    case (.time, .int(let microseconds)):
      guard let time = Timestamp(microseconds: microseconds) else {
        throw .protobuf("the time of \(microseconds) microseconds is out of range")
      }
      return .timestamp(time)
    case (.plain, _), (.text, _), (.blob, _), (.byteString, _), (.entity, _), (.time, _),
      (.point, _), (.vector, _), (.emptyList, _):
      throw .protobuf("a value of the meaning \(meaning.rawValue) has another content")
    }
  }

  /// Reads a map, an EntityProto without a key.
  private static func map(
    ofEntity bytes: [UInt8], depth: Int
  ) throws(WireProblem) -> MapValue {
    guard depth <= Impossibility.greatestDepth else {
      throw .protobuf("maps are nested more than \(Impossibility.greatestDepth) deep")
    }
    var reader = ProtobufReader(bytes, project: Text())
    var fields = FieldCollector()
    while !reader.isAtEnd {
      let tag = try reader.tag()
      if tag == .property || tag == .rawProperty {
        try reader.property(into: &fields, depth: depth)
      } else {
        try reader.skip(tag)
      }
    }
    return fields.map
  }
}

extension Timestamp {
  /// Creates an instant from microseconds since 1970; nil outside the range.
  init?(microseconds: Int64) {
    let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let isBefore = rest < 0
    self.init(
      epochSeconds: isBefore ? quotient - 1 : quotient,
      nanos: (isBefore ? rest + 1_000_000 : rest) * 1000)
  }
}
