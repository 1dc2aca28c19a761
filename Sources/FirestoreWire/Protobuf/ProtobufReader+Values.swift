import RulesEval
import RulesLang

// Reading google.firestore.v1.Value directly as the evaluator's value, without a message in between.

extension ProtobufReader {
  /// Reads a value. The last of several members is used; two consecutive maps, lists, times or points are
  /// merged, as protobuf merges messages.
  mutating func value(merging old: Value?) throws(WireProblem) -> Value {
    var result = old
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .stringValue: result = .string(try text())
      case .integerValue: result = .int(try int64())
      case .booleanValue: result = .bool(try bool())
      case .doubleValue: result = .float(try double())
      case .nullValue:
        _ = try varint()
        result = .null
      case .bytesValue: result = .bytes(try octets())
      case .referenceValue: result = .path(try references.path(of: try text()))
      case .timestampValue:
        result = .timestamp(try timestamp(merging: Self.time(of: result)))
      case .geoPointValue: result = .latlng(try point(merging: result))
      case .mapValue: result = try map(merging: result)
      case .arrayValue: result = try list(merging: result)
      default: try skip(tag)
      }
    }
    leave(to: outer)
    guard let result else { throw .unsetValue }
    return result
  }

  private static func time(of value: Value?) -> Timestamp? {
    if case .timestamp(let time) = value { return time }
    return nil
  }

  private mutating func map(merging old: Value?) throws(WireProblem) -> Value {
    var map = MapValue()
    if case .map(let entries) = old { map = entries }
    if case .vector(let numbers) = old { map = VectorMap.map(of: numbers) }
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      if tag == .elements { try entry(into: &map) } else { try skip(tag) }
    }
    leave(to: outer)
    return VectorMap.value(of: map)
  }

  /// Reads an entry of a map of values; a repeated key replaces the value.
  mutating func entry(into map: inout MapValue) throws(WireProblem) {
    var key = Text()
    var result: Value?
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .key: key = try text()
      case .entryValue:
        do { result = try value(merging: result) } catch { throw error.inside(String(key)) }
      default: try skip(tag)
      }
    }
    leave(to: outer)
    guard let result else { throw WireProblem.unsetValue.inside(String(key)) }
    map[key] = result
  }

  private mutating func list(merging old: Value?) throws(WireProblem) -> Value {
    var list: [Value] = []
    if case .list(let elements) = old { list = elements }
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      if tag == .elements {
        do { list.append(try value(merging: nil)) } catch {
          throw error.inside(elementAt: list.count)
        }
      } else {
        try skip(tag)
      }
    }
    leave(to: outer)
    return .list(list)
  }

  /// Reads a `google.protobuf.Timestamp`.
  mutating func timestamp(merging old: Timestamp?) throws(WireProblem) -> Timestamp {
    var seconds = old?.epochSeconds ?? 0
    var nanos = old?.nanos ?? 0
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .seconds: seconds = try int64()
      case .nanos: nanos = try int32()
      default: try skip(tag)
      }
    }
    leave(to: outer)
    guard let time = Timestamp(epochSeconds: seconds, nanos: Int64(nanos)) else {
      throw .argument("Timestamp of \(seconds) seconds and \(nanos) nanoseconds is out of range.")
    }
    return time
  }

  private mutating func point(merging old: Value?) throws(WireProblem) -> LatLng {
    var point = LatLng(latitude: 0, longitude: 0)
    if case .latlng(let known) = old { point = known }
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .latitude: point.latitude = try double()
      case .longitude: point.longitude = try double()
      default: try skip(tag)
      }
    }
    leave(to: outer)
    return point
  }
}
