import RulesEval
import RulesLang

// Writing documents as records of an export. Like `ProtobufWriter`, it writes from the end to the beginning.

extension ProtobufWriter {
  /// Writes a document as an EntityProto.
  mutating func entity(_ document: ExportedDocument) {
    let path = document.path.segments
    let mark = count
    element(path.prefix(2), tags: .key, group: WireTag.keyElement.number)
    length(since: mark)
    tag(.entityGroup)
    properties(document.data)
    let key = count
    if document.database != .standard {
      text(document.database.text)
      tag(.databaseID)
    }
    let elements = count
    for place in stride(from: path.count - 2, through: 0, by: -2) {
      element(path[place..<place + 2], tags: .key, group: WireTag.keyElement.number)
    }
    length(since: elements)
    tag(.keyPath)
    app(document.project)
    length(since: key)
    tag(.entityKey)
  }

  /// Writes a project as the emulator's application name.
  private mutating func app(_ project: Text) {
    text("dev~" + project)
    tag(.app)
  }

  /// Writes an element of a path as a group: a collection and an ID.
  private mutating func element(
    _ segments: ArraySlice<Text>, tags: PathElementTags, group: UInt32
  ) {
    guard let kind = segments.first, let id = segments.last else { return }
    tag(WireTag(group, .groupEnd))
    if let number = id.numericID {
      int(number)
      tag(tags.id)
    } else {
      text(id)
      tag(tags.name)
    }
    text(kind)
    tag(tags.kind)
    tag(WireTag(group, .groupStart))
  }

  // MARK: Fields

  private mutating func properties(_ map: MapValue) {
    for (name, value) in map.reversed() {
      switch value {
      case .list(let elements):
        if elements.isEmpty { property(name, value: .null, meaning: .emptyList) }
        for element in elements.reversed() { property(name, value: element, isMultiple: true) }
      case .vector(let numbers):
        for number in numbers.reversed() {
          property(name, value: .float(number), meaning: .vector, isMultiple: true)
        }
      case .null, .bool, .int, .float, .string, .bytes, .map, .set, .timestamp, .duration, .latlng,
        .path, .mapDiff, .constraint:
        property(name, value: value)
      }
    }
  }

  private mutating func property(
    _ name: Text, value: Value, meaning: ExportMeaning? = nil, isMultiple: Bool = false
  ) {
    let mark = count
    content(value)
    length(since: mark)
    tag(.propertyValue)
    bool(isMultiple)
    tag(.isMultiple)
    text(name)
    tag(.propertyName)
    let meaning = meaning ?? ExportMeaning(of: value)
    if meaning != .plain {
      int(meaning.rawValue)
      tag(.meaning)
    }
    length(since: mark)
    tag(meaning == .emptyList ? .rawProperty : .property)
  }

  /// Writes a value. Values that documents cannot contain (sets, durations, map diffs, constraints, and lists
  /// in lists) are written as null.
  private mutating func content(_ value: Value) {
    switch value {
    case .null, .list, .vector, .set, .duration, .mapDiff, .constraint: return
    case .bool(let flag):
      bool(flag)
      tag(.boolContent)
    case .int(let number):
      int(number)
      tag(.intContent)
    case .timestamp(let time):
      int(time.microseconds)
      tag(.intContent)
    case .float(let number):
      double(number)
      tag(.doubleContent)
    case .string(let text):
      self.text(text)
      tag(.stringContent)
    case .bytes(let bytes):
      octets(bytes)
      tag(.stringContent)
    case .latlng(let point):
      tag(WireTag(WireTag.pointContent.number, .groupEnd))
      double(point.longitude)
      tag(.pointLongitude)
      double(point.latitude)
      tag(.pointLatitude)
      tag(.pointContent)
    case .path(let path): reference(path)
    case .map(let map): entity(map)
    }
  }

  /// Writes a map as an entity with an empty key.
  private mutating func entity(_ map: MapValue) {
    let mark = count
    varint(0)
    tag(.entityGroup)
    properties(map)
    let key = count
    varint(0)
    tag(.keyPath)
    varint(0)
    tag(.app)
    length(since: key)
    tag(.entityKey)
    length(since: mark)
    tag(.stringContent)
  }

  /// Writes a reference, which either names its project or is in that of the document.
  private mutating func reference(_ path: PathValue) {
    var names = path.segments.map { if case .plain(let text) = $0 { text } else { Text() } }
    var project = references.project
    if names.count > 2, names[0] == "projects" {
      project = names[1]
      names.removeFirst(2)
    }
    tag(WireTag(WireTag.referenceContent.number, .groupEnd))
    // The path follows `databases`, the name of the database, and `documents`.
    let start = 3
    if names.count > start, DatabaseName(names[1]) != .standard {
      text(names[1])
      tag(.databaseID)
    }
    for place in stride(from: names.count - 2, through: start, by: -2) {
      element(names[place..<place + 2], tags: .value, group: WireTag.pathElement.number)
    }
    app(project)
    tag(.referenceContent)
  }
}

extension ExportMeaning {
  /// Creates the meaning of a value.
  fileprivate init(of value: Value) {
    switch value {
    case .timestamp: self = .time
    case .latlng: self = .point
    case .bytes: self = .blob
    case .map: self = .entity
    case .null, .bool, .int, .float, .string, .list, .path, .set, .duration, .mapDiff, .vector,
      .constraint:
      self = .plain
    }
  }
}
