import RulesEval
import RulesLang

extension JSONWriter {
  /// Writes a value as an object with a single member, which is that of its type.
  ///
  /// Values that documents cannot contain (sets, durations, map diffs and constraints) are written as null.
  mutating func value(_ value: Value) {
    object { writer in
      switch value {
      case .null, .set, .duration, .mapDiff, .constraint:
        writer.member("nullValue") { $0.raw("null") }
      case .bool(let flag): writer.member("booleanValue") { $0.bool(flag) }
      case .int(let number): writer.member("integerValue") { $0.quoted(number) }
      case .float(let number): writer.member("doubleValue") { $0.double(number) }
      case .string(let text): writer.member("stringValue") { $0.string(text) }
      case .bytes(let octets): writer.member("bytesValue") { $0.octets(octets) }
      case .timestamp(let time): writer.member("timestampValue") { $0.timestamp(time) }
      case .path(let path):
        writer.member("referenceValue") { $0.string($0.references.name(of: path)) }
      case .latlng(let point): writer.member("geoPointValue") { $0.point(point) }
      case .list(let elements): writer.member("arrayValue") { $0.array(elements) }
      case .map(let map): writer.member("mapValue") { $0.map(map) }
      case .vector(let numbers):
        writer.member("mapValue") { $0.map(VectorMap.map(of: numbers)) }
      }
    }
  }

  /// Writes a map of values as an object with one member for each key.
  mutating func fields(_ map: MapValue) {
    object { writer in
      var isFirst = true
      for entry in map.entries {
        writer.key(entry.key, isFirst: &isFirst)
        writer.value(entry.value)
      }
    }
  }

  private mutating func member(_ name: Text, _ body: (inout Self) -> Void) {
    var isFirst = true
    key(name, isFirst: &isFirst)
    body(&self)
  }

  private mutating func array(_ elements: [Value]) {
    object { writer in
      if elements.isEmpty { return }
      writer.member("values") { $0.list(elements) { $0.value($1) } }
    }
  }

  private mutating func map(_ map: MapValue) {
    object { writer in
      if map.entries.isEmpty { return }
      writer.member("fields") { $0.fields(map) }
    }
  }

  private mutating func point(_ point: LatLng) {
    object { writer in
      var isFirst = true
      if point.latitude.bitPattern != 0 {
        writer.key("latitude", isFirst: &isFirst)
        writer.double(point.latitude)
      }
      if point.longitude.bitPattern != 0 {
        writer.key("longitude", isFirst: &isFirst)
        writer.double(point.longitude)
      }
    }
  }
}
