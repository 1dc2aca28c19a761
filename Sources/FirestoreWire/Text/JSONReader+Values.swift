import RulesEval
import RulesLang

extension JSONReader {
  /// Reads a value from an object with a single member, which is that of its type.
  mutating func value(_ json: JSON) throws(WireProblem) -> Value {
    var result: Value?
    for member in try enter(json) {
      guard let kind = ValueKind(named: member.key) else {
        throw WireProblem.json("google.firestore.v1.Value has no such field")
          .inside(String(member.key))
      }
      if case .null = member.value.kind, kind != .null { continue }
      guard result == nil else {
        throw WireProblem.json("a value has more than one type").inside(String(member.key))
      }
      do { result = try content(member.value, of: kind) } catch {
        throw error.inside(String(member.key))
      }
    }
    leave()
    guard let result else { throw .unsetValue }
    return result
  }

  /// Reads a map of values from an object with one member for each key.
  mutating func fields(_ json: JSON) throws(WireProblem) -> MapValue {
    var map = MapValue()
    for member in try enter(json) {
      do { map[WireText.repaired(member.key)] = try value(member.value) } catch {
        throw error.inside(String(member.key))
      }
    }
    leave()
    return map
  }

  private mutating func content(_ json: JSON, of kind: ValueKind) throws(WireProblem) -> Value {
    switch kind {
    case .null: return try Self.null(json)
    case .boolean: return .bool(try Self.bool(json))
    case .integer: return .int(try Self.int64(json))
    case .double: return .float(try Self.double(json))
    case .timestamp: return .timestamp(try Self.timestamp(json))
    case .string: return .string(try Self.text(json))
    case .bytes: return .bytes(try Self.octets(json))
    case .reference: return .path(try references.path(of: try Self.text(json)))
    case .geoPoint: return .latlng(try point(json))
    case .array: return .list(try array(json))
    case .map: return VectorMap.value(of: try map(json))
    }
  }

  /// Reads null, as such or as the name or number of its enumeration.
  private static func null(_ json: JSON) throws(WireProblem) -> Value {
    switch json.kind {
    case .null, .string("NULL_VALUE"): return .null
    case .number, .bool, .array, .object, .string:
      guard case .number = json.kind, try int32(json) == 0 else { throw wrong(json, "null") }
      return .null
    }
  }

  private mutating func array(_ json: JSON) throws(WireProblem) -> [Value] {
    guard let list = try only("values", of: json) else { return [] }
    do {
      return try elements(list) { reader, json throws(WireProblem) in try reader.value(json) }
    } catch {
      throw error.inside("values")
    }
  }

  private mutating func map(_ json: JSON) throws(WireProblem) -> MapValue {
    guard let entries = try only("fields", of: json) else { return MapValue() }
    do { return try fields(entries) } catch { throw error.inside("fields") }
  }

  /// Returns the only allowed member of an object; nil if the object is empty.
  private mutating func only(_ name: Text, of json: JSON) throws(WireProblem) -> JSON? {
    var found: JSON?
    for member in try enter(json) {
      guard member.key == name else {
        throw WireProblem.json("the message has no such field").inside(String(member.key))
      }
      if case .null = member.value.kind { continue }
      found = member.value
    }
    leave()
    return found
  }

  private mutating func point(_ json: JSON) throws(WireProblem) -> LatLng {
    var point = LatLng(latitude: 0, longitude: 0)
    for member in try enter(json) {
      let number: Double
      if case .null = member.value.kind {
        number = 0
      } else {
        number = try Self.double(member.value)
      }
      switch member.key {
      case "latitude": point.latitude = number
      case "longitude": point.longitude = number
      default:
        throw WireProblem.json("google.type.LatLng has no such field").inside(String(member.key))
      }
    }
    leave()
    return point
  }
}
