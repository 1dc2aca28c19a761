public import RulesLang

/// Writes requests and values in the notation of suites: the inverse of `SuiteReader`.
public enum SuiteWriter {
  /// Writes a value.
  public static func json(_ value: Value) -> JSON {
    switch value {
    case .null: JSON(.null)
    case .bool(let flag): JSON(.bool(flag))
    case .int(let number): JSON(.number("\(number)"))
    case .float(let number): float(number)
    case .string(let text): JSON(.string(text))
    case .bytes(let octets): directive("$bytes", with: .string(Base64.standard.text(of: octets)))
    case .list(let elements): JSON(.array(elements.map { json($0) }))
    case .set(let set): JSON(.array(set.elements.map { json($0) }))
    case .map(let map): json(map)
    case .timestamp(let time): directive("$timestamp", with: .string(Text(time.description)))
    case .latlng(let point):
      directive("$latlng", with: .array([float(point.latitude), float(point.longitude)]))
    case .path(let path): directive("$ref", with: .string(reference(path)))
    case .vector(let numbers): directive("$vector", with: .array(numbers.map { float($0) }))
    case .duration(let length): JSON(.string(Text(length.description)))
    case .mapDiff, .constraint: JSON(.null)
    }
  }

  /// Writes a map; one whose only key begins with `$` is marked as a map.
  public static func json(_ map: MapValue) -> JSON {
    let members = map.map { JSON.Member($0.0, value: json($0.1)) }
    if members.count == 1, members[0].key.bytes.first == UInt8(ascii: "$") {
      return directive("$map", with: .object(members))
    }
    return JSON(.object(members))
  }

  private static func float(_ number: Double) -> JSON {
    if number.isNaN { return directive("$float", with: .string("NaN")) }
    if number.isInfinite {
      return directive("$float", with: .string(number < 0 ? "-Infinity" : "Infinity"))
    }
    return JSON(.number("\(number)"))
  }

  private static func directive(_ name: Text, with kind: JSON.Kind) -> JSON {
    JSON(.object([JSON.Member(name, value: JSON(kind))]))
  }

  private static func reference(_ path: PathValue) -> Text {
    let segments = (try? path.flattened()) ?? []
    return DocumentPath(Array(segments.dropFirst(DatabaseName.rootCount))).text
  }

  // MARK: Tests

  /// Writes a test as an element of a suite: client, operation, documents, and the expected decision.
  public static func test(
    name: String, _ request: Request, on documents: Documents, expect: Test.Expectation
  ) -> JSON {
    var members = [
      JSON.Member("name", value: JSON(.string(Text(name)))),
      JSON.Member("as", value: principal(request.principal)),
      JSON.Member("time", value: JSON(.string(Text(request.time.description)))),
    ]
    members += operation(request.operation, on: documents)
    let stored = documents.all.map { JSON.Member($0.path.text, value: json($0.data)) }
    if !stored.isEmpty { members.append(JSON.Member("documents", value: JSON(.object(stored)))) }
    members.append(JSON.Member("expect", value: JSON(.string(Text(expect.word)))))
    return JSON(.object(members))
  }

  /// Writes a principal, with the claims that a reader does not add by itself.
  public static func principal(_ principal: Principal?) -> JSON {
    guard let principal else { return JSON(.null) }
    var token = principal.token
    if case .string(let uid) = principal.uid {
      let plain = Principal(uid: uid)
      for (key, value) in plain.token {
        if let own = token[key], Value.areIdentical(own, value) { token[key] = nil }
      }
    }
    var members = [JSON.Member("uid", value: json(principal.uid))]
    if token.count > 0 { members.append(JSON.Member("token", value: json(token))) }
    return JSON(.object(members))
  }

  private static func operation(
    _ operation: Request.Operation, on documents: Documents
  ) -> [JSON.Member] {
    switch operation {
    case .get(let paths):
      return [JSON.Member("get", value: JSON(.string(paths.first?.text ?? Text())))]
    case .list(let query): return list(query)
    case .commit(let writes) where writes.count == 1:
      return write(writes[0], over: documents[writes[0].path])
    case .commit(let writes):
      let parts = writes.map { JSON(.object(write($0, over: documents[$0.path]))) }
      return [JSON.Member("batch", value: JSON(.array(parts)))]
    }
  }

  private static func write(_ write: Write, over old: MapValue?) -> [JSON.Member] {
    let path = JSON(.string(write.path.text))
    guard case .set(let data, _) = write.change else { return [JSON.Member("delete", value: path)] }
    switch write.precondition {
    case .missing:
      return [JSON.Member("create", value: path), JSON.Member("data", value: json(data))]
    case .none, .exists:
      if let old, let change = update(from: old, to: data) {
        return [JSON.Member("update", value: path), JSON.Member("data", value: change)]
      }
      return [JSON.Member("set", value: path), JSON.Member("data", value: json(data))]
    }
  }

  /// Writes the change of a whole document as the data of an update; nil if a key cannot be a field path.
  private static func update(from old: MapValue, to new: MapValue) -> JSON? {
    guard let keys = updatedKeys(from: old, to: new) else { return nil }
    let members = keys.map { key in
      JSON.Member(key, value: new[key].map { json($0) } ?? directive("$delete", with: .bool(true)))
    }
    return JSON(.object(members))
  }

  /// Returns the keys that an update has to name to change one document into another, as `changedKeys`; nil
  /// if one cannot be a field path as it is.
  public static func updatedKeys(from old: MapValue, to new: MapValue) -> [Text]? {
    let keys = changedKeys(from: old, to: new)
    let arePlain = keys.allSatisfy { key in
      guard let first = key.bytes.first, !(0x30...0x39).contains(first) else { return false }
      return key.bytes.allSatisfy {
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
    }
    return arePlain ? keys : nil
  }

  /// Returns the keys whose values differ between two documents: those of the new one first, then those that
  /// it lacks.
  public static func changedKeys(from old: MapValue, to new: MapValue) -> [Text] {
    let written = new.filter { entry in
      old[entry.0].map { !Value.areIdentical($0, entry.1) } ?? true
    }
    return written.map { $0.0 } + old.map { $0.0 }.filter { new[$0] == nil }
  }

  // MARK: Queries

  static func list(_ query: Query) -> [JSON.Member] {
    let collection = DocumentPath(query.parent.segments + [query.collection])
    var members = [JSON.Member("list", value: JSON(.string(collection.text)))]
    if query.isCollectionGroup {
      members.append(JSON.Member("collectionGroup", value: JSON(.bool(true))))
    }
    var parts: [JSON.Member] = []
    if let filter = query.filter {
      let conditions: [JSON]
      if case .and(let all) = filter {
        conditions = all.map { condition($0) }
      } else {
        conditions = [condition(filter)]
      }
      parts.append(JSON.Member("where", value: JSON(.array(conditions))))
    }
    if !query.orderBy.isEmpty {
      let orders = query.orderBy.map { order in
        JSON(
          .array([
            JSON(.string(order.field.text)), JSON(.string(order.isDescending ? "desc" : "asc")),
          ]))
      }
      parts.append(JSON.Member("orderBy", value: JSON(.array(orders))))
    }
    if let limit = query.limit {
      parts.append(JSON.Member("limit", value: JSON(.number("\(limit)"))))
    }
    if query.offset != 0 {
      parts.append(JSON.Member("offset", value: JSON(.number("\(query.offset)"))))
    }
    if !parts.isEmpty { members.append(JSON.Member("query", value: JSON(.object(parts)))) }
    return members
  }

  private static func condition(_ filter: Query.Filter) -> JSON {
    switch filter {
    case .and(let parts):
      JSON(.object([JSON.Member("and", value: JSON(.array(parts.map { condition($0) })))]))
    case .or(let parts):
      JSON(.object([JSON.Member("or", value: JSON(.array(parts.map { condition($0) })))]))
    case .field(let field, let comparison, let value):
      JSON(
        .array([
          JSON(.string(field.text)), JSON(.string(Text(comparison.symbol))), json(value),
        ]))
    }
  }
}

extension Query.Comparison {
  /// The comparison's symbol in suites.
  public var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessEqual: "<="
    case .greater: ">"
    case .greaterEqual: ">="
    case .arrayContains: "array-contains"
    case .in: "in"
    case .arrayContainsAny: "array-contains-any"
    case .notIn: "not-in"
    }
  }
}
