import RulesEval
import RulesLang

extension ProtobufWriter {
  /// Writes a value, preceded by a tag and its length.
  ///
  /// Values that documents cannot contain (sets, durations, map diffs and constraints) are written as null.
  mutating func value(_ value: Value, tag outer: WireTag) {
    let mark = count
    switch value {
    case .null, .set, .duration, .mapDiff, .constraint:
      varint(0)
      tag(.nullValue)
    case .bool(let flag):
      bool(flag)
      tag(.booleanValue)
    case .int(let number):
      int(number)
      tag(.integerValue)
    case .float(let number):
      double(number)
      tag(.doubleValue)
    case .string(let text):
      self.text(text)
      tag(.stringValue)
    case .bytes(let octets):
      self.octets(octets)
      tag(.bytesValue)
    case .path(let path):
      text(references.name(of: path))
      tag(.referenceValue)
    case .timestamp(let time): timestamp(time, tag: .timestampValue)
    case .latlng(let point): self.point(point)
    case .list(let elements): list(elements)
    case .map(let map): self.map(map)
    case .vector(let numbers): map(VectorMap.map(of: numbers))
    }
    length(since: mark)
    tag(outer)
  }

  /// Writes the entries of a map in the map's order, each preceded by a tag.
  mutating func entries(of map: MapValue, tag outer: WireTag) {
    for entry in map.entries.reversed() {
      let mark = count
      value(entry.value, tag: .entryValue)
      text(entry.key)
      tag(.key)
      length(since: mark)
      tag(outer)
    }
  }

  /// Writes a `google.protobuf.Timestamp`, preceded by a tag.
  mutating func timestamp(_ time: Timestamp, tag outer: WireTag) {
    let mark = count
    if time.nanos != 0 {
      int(Int64(time.nanos))
      tag(.nanos)
    }
    if time.epochSeconds != 0 {
      int(time.epochSeconds)
      tag(.seconds)
    }
    length(since: mark)
    tag(outer)
  }

  private mutating func map(_ map: MapValue) {
    let mark = count
    entries(of: map, tag: .elements)
    length(since: mark)
    tag(.mapValue)
  }

  private mutating func list(_ elements: [Value]) {
    let mark = count
    for element in elements.reversed() { value(element, tag: .elements) }
    length(since: mark)
    tag(.arrayValue)
  }

  private mutating func point(_ point: LatLng) {
    let mark = count
    // Protobuf omits zero, but not negative zero.
    if point.longitude.bitPattern != 0 {
      double(point.longitude)
      tag(.longitude)
    }
    if point.latitude.bitPattern != 0 {
      double(point.latitude)
      tag(.latitude)
    }
    length(since: mark)
    tag(.geoPointValue)
  }
}
