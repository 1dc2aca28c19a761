import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// Reads the requests of the conformance data, which are in the form of Firestore's REST calls.
struct ConformanceRequest {
  private var reader = SuiteReader(in: .standard)

  /// A text of the data that cannot be read: a mistake in the data or in this reader.
  struct Unreadable: Error {
    var text: String
  }

  /// The time of every request; the data leave out what depends on it.
  static let time = Timestamp(epochSeconds: 1_795_000_000, nanos: 123_000_000) ?? .epoch

  /// The stored documents of a case.
  static func documents(_ json: JSON) throws -> Documents {
    var request = Self()
    guard case .object(let members) = json.kind else { throw Unreadable(text: "documents") }
    var documents: [(DocumentPath, MapValue)] = []
    for member in members {
      documents.append((try path(member.key), try request.map(member.value)))
    }
    return Documents(documents)
  }

  /// The request of a case; `exact` tokens have only the claims that are written.
  ///
  /// With `isEncoded` the path is written as in a request line.
  static func request(_ json: JSON, isEncoded: Bool = false) throws -> Request {
    var request = Self()
    if isEncoded, let path = json["path"]?.text {
      let segments = path.bytes.split(separator: UInt8(ascii: "/"))
      // In a request line a `+` stands for itself.
      let decoded = segments.map { segment in
        Text(urlDecoding: segment.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] })
      }
      return Request(
        principal: try request.principal(json["auth"]), time: time,
        operation: .get([DocumentPath(decoded)]))
    }
    return Request(
      principal: try request.principal(json["auth"]), time: time,
      operation: try request.operation(json))
  }

  // MARK: Principals

  private mutating func principal(_ json: JSON?) throws -> Principal? {
    guard let json, !json.isNull else { return nil }
    if let uid = json.text { return Principal(uid: uid, claims: Self.identities) }
    if let token = json["token"] { return Principal(exactClaims: try map(token)) }
    var claims = try map(json)
    guard case .string(let uid) = claims["uid"] else { throw Unreadable(text: "auth") }
    claims["uid"] = nil
    if claims["firebase"] == nil { claims["firebase"] = Self.identities["firebase"] }
    return Principal(uid: uid, claims: claims)
  }

  /// What the measured tokens had beside the sign-in provider.
  private static let identities = MapValue([
    (
      "firebase",
      .map(
        MapValue([
          ("sign_in_provider", .string("custom")), ("identities", .map(MapValue())),
        ]))
    )
  ])

  // MARK: Operations

  private mutating func operation(_ json: JSON) throws -> Request.Operation {
    let method = json["method"]?.string ?? ""
    switch method {
    case "get": return .get([try Self.path(json["path"]?.text ?? "")])
    case "batchGet":
      return .get(try (json["path"]?.elements ?? []).map { try Self.path($0.text ?? "") })
    case "list":
      let path = try Self.path(json["path"]?.text ?? "")
      var query = Query(parent: DocumentPath(Array(path.segments.dropLast())), collection: path.id)
      query.limit = 30  // The page size of the call when none is given.
      return .list(query)
    case "query":
      let parent = json["path"]?.text ?? ""
      return .list(
        try query(
          json["query"], parent: parent.isEmpty ? DocumentPath([]) : try Self.path(parent)))
    case "commit": return .commit(try (json["writes"]?.elements ?? []).map { try write($0, nil) })
    default: return .commit([try write(json, method)])
    }
  }

  private mutating func write(_ json: JSON, _ verb: String?) throws -> Write {
    let verb = verb ?? json["op"]?.string ?? ""
    let path = try Self.path(json["path"]?.text ?? "")
    if verb == "delete" { return Write(to: path, .delete) }
    let data = try json["data"].map { try map($0) } ?? MapValue()
    let mask = try json["mask"].flatMap { mask in
      mask.isNull ? nil : try mask.elements.map { try Self.field($0.text) }
    }
    let conditions: [String: Write.Precondition] = [
      "create": .missing, "update": .exists, "set": .none,
    ]
    guard let precondition = conditions[verb] else { throw Unreadable(text: verb) }
    var write = Write(to: path, .set(data, mask: mask), precondition: precondition)
    for transform in json["transforms"]?.elements ?? [] {
      write.transforms.append(
        (try Self.field(transform["fieldPath"]?.text), try self.transform(transform)))
    }
    return write
  }

  private func transform(_ json: JSON) throws -> Transform {
    if json["setToServerValue"] != nil { return .serverTimestamp }
    if let value = json["increment"] { return .increment(try rest(value)) }
    if let value = json["maximum"] { return .maximum(try rest(value)) }
    if let value = json["minimum"] { return .minimum(try rest(value)) }
    if let list = json["appendMissingElements"] {
      return .arrayUnion(try (list["values"]?.elements ?? []).map { try rest($0) })
    }
    if let list = json["removeAllFromArray"] {
      return .arrayRemove(try (list["values"]?.elements ?? []).map { try rest($0) })
    }
    throw Unreadable(text: "transform")
  }

  // MARK: Queries

  /// A structured query.
  func query(_ json: JSON?, parent: DocumentPath) throws -> Query {
    guard let json, let from = json["from"]?.elements.first, let id = from["collectionId"]?.text
    else { throw Unreadable(text: "query") }
    var query = Query(parent: parent, collection: id)
    query.isCollectionGroup = from["allDescendants"]?.isTrue ?? false
    query.filter = try json["where"].map { try filter($0) }
    for order in json["orderBy"]?.elements ?? [] {
      let field = try Self.field(order["field"]?["fieldPath"]?.text)
      query.orderBy.append(
        Query.Order(field, isDescending: order["direction"]?.string == "DESCENDING"))
    }
    query.limit = json["limit"]?.int
    query.offset = json["offset"]?.int ?? 0
    return query
  }

  private static let comparisons: [String: Query.Comparison] = [
    "EQUAL": .equal, "NOT_EQUAL": .notEqual, "LESS_THAN": .less,
    "LESS_THAN_OR_EQUAL": .lessEqual, "GREATER_THAN": .greater,
    "GREATER_THAN_OR_EQUAL": .greaterEqual, "ARRAY_CONTAINS": .arrayContains, "IN": .in,
    "ARRAY_CONTAINS_ANY": .arrayContainsAny, "NOT_IN": .notIn,
  ]
  private static let unary: [String: (Query.Comparison, Value)] = [
    "IS_NULL": (.equal, .null), "IS_NOT_NULL": (.notEqual, .null),
    "IS_NAN": (.equal, .float(.nan)), "IS_NOT_NAN": (.notEqual, .float(.nan)),
  ]

  private func filter(_ json: JSON) throws -> Query.Filter {
    if let unary = json["unaryFilter"] {
      let field = try Self.field(unary["field"]?["fieldPath"]?.text)
      guard let (comparison, value) = Self.unary[unary["op"]?.string ?? ""] else {
        throw Unreadable(text: "unary filter")
      }
      return .field(field, comparison, value)
    }
    if let filter = json["fieldFilter"], let value = filter["value"] {
      let field = try Self.field(filter["field"]?["fieldPath"]?.text)
      guard let comparison = Self.comparisons[filter["op"]?.string ?? ""] else {
        throw Unreadable(text: "field filter")
      }
      return .field(field, comparison, try rest(value))
    }
    guard let composite = json["compositeFilter"] else { throw Unreadable(text: "filter") }
    let parts = try (composite["filters"]?.elements ?? []).map { try filter($0) }
    return composite["op"]?.string == "OR" ? .or(parts) : .and(parts)
  }

  // MARK: Values

  private mutating func map(_ json: JSON) throws -> MapValue {
    guard let map = reader.documentData(json, as: "data") else {
      throw Unreadable(text: reader.diagnostics.last?.message ?? "data")
    }
    return map
  }

  /// A value in the form of the REST interface: `{"integerValue": "1"}`.
  private func rest(_ json: JSON) throws -> Value {
    guard case .object(let members) = json.kind, let member = members.first else {
      throw Unreadable(text: "value")
    }
    let value = member.value
    switch String(member.key) {
    case "nullValue": return .null
    case "booleanValue": return .bool(value.isTrue)
    case "integerValue": return .int(Int64(value.string ?? value.number ?? "") ?? 0)
    case "doubleValue":
      return .float(FloatText.value(of: Text(value.string ?? value.number ?? "")) ?? 0)
    case "stringValue": return .string(value.text ?? "")
    case "timestampValue":
      guard let time = Timestamp(rfc3339: value.text ?? "") else { throw Unreadable(text: "time") }
      return .timestamp(time)
    case "bytesValue": return .bytes(Base64.standard.octets(of: value.text ?? "") ?? [])
    case "referenceValue":
      // Below `@ROOT@`, which stands for the database.
      let path = (value.string ?? "").split(separator: "/").dropFirst()
      return .path(DocumentPath(path.map { Text(String($0)) }).value(in: .standard))
    case "geoPointValue":
      let parts = ["latitude", "longitude"].map { Double(value[Text($0)]?.number ?? "0") ?? 0 }
      return .latlng(LatLng(latitude: parts[0], longitude: parts[1]))
    case "arrayValue": return .list(try (value["values"]?.elements ?? []).map { try rest($0) })
    case "mapValue":
      guard case .object(let fields) = value["fields"]?.kind else { return .map(MapValue()) }
      return .map(MapValue(try fields.map { ($0.key, try rest($0.value)) }))
    case let other: throw Unreadable(text: other)
    }
  }

  private static func path(_ text: Text) throws -> DocumentPath {
    guard let path = DocumentPath(text) else { throw Unreadable(text: String(text)) }
    return path
  }

  private static func field(_ text: Text?) throws -> FieldPath {
    guard let text, let field = FieldPath(text) else { throw Unreadable(text: "field path") }
    return field
  }
}
