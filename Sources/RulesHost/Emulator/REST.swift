import RulesEval
import RulesLang

/// Values, writes and queries in Firestore's REST format.
enum REST {
  /// Returns a value, such as `{"integerValue": "1"}`. `root` is the name of the database's documents.
  static func value(_ value: Value, under root: String) -> JSONText {
    switch value {
    case .null: .object([("nullValue", .null)])
    case .bool(let flag): .object([("booleanValue", .bool(flag))])
    case .int(let number): .object([("integerValue", .string("\(number)"))])
    case .float(let number): .object([("doubleValue", double(number))])
    case .string(let text): .object([("stringValue", .string(String(text)))])
    case .bytes(let octets):
      .object([("bytesValue", .string(String(Base64.standard.text(of: octets))))])
    case .timestamp(let time): .object([("timestampValue", .string(time.description))])
    case .latlng(let point):
      .object([
        (
          "geoPointValue",
          .object([
            ("latitude", double(point.latitude)), ("longitude", double(point.longitude)),
          ])
        )
      ])
    case .path(let path): .object([("referenceValue", .string(name(path, under: root)))])
    case .vector(let numbers): vector(numbers, under: root)
    case .list(let elements): list(elements, under: root)
    case .set(let set): list(set.elements, under: root)
    case .map(let map): .object([("mapValue", .object([("fields", fields(map, under: root))]))])
    case .duration, .mapDiff, .constraint: .object([("nullValue", .null)])  // Never stored.
    }
  }

  /// Returns the fields of a document.
  static func fields(_ map: MapValue, under root: String) -> JSONText {
    .object(map.map { (String($0.0), value($0.1, under: root)) })
  }

  private static func list(_ elements: [Value], under root: String) -> JSONText {
    .object([
      ("arrayValue", .object([("values", .array(elements.map { value($0, under: root) }))]))
    ])
  }

  private static func vector(_ numbers: [Double], under root: String) -> JSONText {
    let map = MapValue([
      ("__type__", .string("__vector__")), ("value", .list(numbers.map { .float($0) })),
    ])
    return value(.map(map), under: root)
  }

  private static func double(_ number: Double) -> JSONText {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    return .number("\(number)")
  }

  /// Returns the full name of the document at a path.
  private static func name(_ path: PathValue, under root: String) -> String {
    let all = String(path.text).split(separator: "/").dropFirst(DatabaseName.rootCount)
    return root + "/" + all.joined(separator: "/")
  }

  // MARK: Writes

  /// Returns a write of a commit.
  static func write(_ write: Write, under root: String) -> JSONText {
    let name = JSONText.string(root + String(write.path.text))
    guard case .set(let data, let mask) = write.change else { return .object([("delete", name)]) }
    var members: [(String, JSONText)] = [
      ("update", .object([("name", name), ("fields", fields(data, under: root))]))
    ]
    if let mask {
      let paths = mask.map { JSONText.string(quoted($0)) }
      members.append(("updateMask", .object([("fieldPaths", .array(paths))])))
    }
    if !write.transforms.isEmpty {
      let transforms = write.transforms.map {
        transform(of: $0.path, by: $0.transform, under: root)
      }
      members.append(("updateTransforms", .array(transforms)))
    }
    switch write.precondition {
    case .none: break
    case .exists: members.append(("currentDocument", .object([("exists", .bool(true))])))
    case .missing: members.append(("currentDocument", .object([("exists", .bool(false))])))
    }
    return .object(members)
  }

  /// Returns a field path, with names that are not identifiers in back-quotes.
  private static func quoted(_ path: FieldPath) -> String {
    path.names.map { name in
      let text = String(name)
      let isPlain = text.utf8.allSatisfy {
        $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
      if isPlain, let first = text.utf8.first, !(0x30...0x39).contains(first) { return text }
      let escaped = text.map { "`\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return "`\(escaped)`"
    }.joined(separator: ".")
  }

  private static func transform(
    of path: FieldPath, by transform: Transform, under root: String
  ) -> JSONText {
    let effect: (String, JSONText)
    switch transform {
    case .serverTimestamp: effect = ("setToServerValue", .string("REQUEST_TIME"))
    case .increment(let step): effect = ("increment", value(step, under: root))
    case .maximum(let bound): effect = ("maximum", value(bound, under: root))
    case .minimum(let bound): effect = ("minimum", value(bound, under: root))
    case .arrayUnion(let elements):
      effect = ("appendMissingElements", values(elements, under: root))
    case .arrayRemove(let elements): effect = ("removeAllFromArray", values(elements, under: root))
    }
    return .object([("fieldPath", .string(quoted(path))), effect])
  }

  private static func values(_ elements: [Value], under root: String) -> JSONText {
    .object([("values", .array(elements.map { value($0, under: root) }))])
  }

  // MARK: Queries

  /// Returns a structured query.
  static func query(_ query: Query, under root: String) -> JSONText {
    var from: [(String, JSONText)] = [("collectionId", .string(String(query.collection)))]
    if query.isCollectionGroup { from.append(("allDescendants", .bool(true))) }
    var members: [(String, JSONText)] = [("from", .array([.object(from)]))]
    if let filter = query.filter { members.append(("where", self.filter(filter, under: root))) }
    if !query.orderBy.isEmpty {
      let orders = query.orderBy.map { order in
        JSONText.object([
          ("field", field(order.field)),
          ("direction", .string(order.isDescending ? "DESCENDING" : "ASCENDING")),
        ])
      }
      members.append(("orderBy", .array(orders)))
    }
    if let limit = query.limit { members.append(("limit", .number("\(limit)"))) }
    if query.offset != 0 { members.append(("offset", .number("\(query.offset)"))) }
    return .object(members)
  }

  private static func field(_ path: FieldPath) -> JSONText {
    .object([("fieldPath", .string(quoted(path)))])
  }

  private static func filter(_ filter: Query.Filter, under root: String) -> JSONText {
    switch filter {
    case .and(let parts): return composite("AND", of: parts, under: root)
    case .or(let parts): return composite("OR", of: parts, under: root)
    case .field(let path, let comparison, let operand):
      if let unary = unary(comparison, with: operand) {
        return .object([
          ("unaryFilter", .object([("field", field(path)), ("op", .string(unary))]))
        ])
      }
      return .object([
        (
          "fieldFilter",
          .object([
            ("field", field(path)), ("op", .string(name(comparison))),
            ("value", value(operand, under: root)),
          ])
        )
      ])
    }
  }

  private static func composite(
    _ op: String, of parts: [Query.Filter], under root: String
  ) -> JSONText {
    let filters = JSONText.array(parts.map { filter($0, under: root) })
    return .object([("compositeFilter", .object([("op", .string(op)), ("filters", filters)]))])
  }

  /// Returns the unary operator for a comparison with null or NaN; nil for others.
  private static func unary(_ comparison: Query.Comparison, with value: Value) -> String? {
    switch (comparison, value) {
    case (.equal, .null): return "IS_NULL"
    case (.notEqual, .null): return "IS_NOT_NULL"
    case (.equal, .float(let number)) where number.isNaN: return "IS_NAN"
    case (.notEqual, .float(let number)) where number.isNaN: return "IS_NOT_NAN"
    default: return nil
    }
  }

  private static func name(_ comparison: Query.Comparison) -> String {
    switch comparison {
    case .equal: "EQUAL"
    case .notEqual: "NOT_EQUAL"
    case .less: "LESS_THAN"
    case .lessEqual: "LESS_THAN_OR_EQUAL"
    case .greater: "GREATER_THAN"
    case .greaterEqual: "GREATER_THAN_OR_EQUAL"
    case .arrayContains: "ARRAY_CONTAINS"
    case .in: "IN"
    case .arrayContainsAny: "ARRAY_CONTAINS_ANY"
    case .notIn: "NOT_IN"
    }
  }
}
