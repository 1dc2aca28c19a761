import RulesEval
import RulesLang

@testable import RulesProof

/// A random request for one document of an audited path.
struct RandomAccess {
  var document: DocumentPath
  var principal: Principal?
  var method: Method
  var before: MapValue?
  var after: MapValue?
  /// For a list.
  var query: Query?
  /// What is stored beside the document.
  var others: [(DocumentPath, MapValue)] = []

  private static let ids: [Text] = ["alice", "bob", "carol"]
  private static let values: [Value] = [
    .string("alice"), .string("bob"), .string("open"), .string("shut"), .string("boss"),
    .string("editor"), .bool(true), .bool(false), .int(1), .null, .list([.string("staff")]),
    .map(MapValue([("a", .int(1))])),
  ]

  /// Makes a request about a path, by a client with some of the claims that the path's rules ask for.
  init(
    _ path: AccessMatrix.Path, _ method: Method, using random: inout some RandomNumberGenerator
  ) {
    self.method = method
    document = Self.document(path.path, &random)
    principal = Self.principal(path.columns.marks, &random)
    let fields = Self.fields(path) + ["zz"]
    let isThere = method == .update || method == .list || Bool.random(using: &random)
    if method != .create, isThere { before = Self.data(fields, &random) }
    if method == .create { after = Self.data(fields, &random) }
    if method == .update { after = Self.changed(before ?? MapValue(), fields, &random) }
    if Bool.random(using: &random), document.segments.count > 2 {
      let above = DocumentPath(Array(document.segments.dropLast(2)))
      others = [(above, Self.data(fields, &random))]
    }
    if method == .list { query = Self.query(document, before ?? MapValue(), &random) }
  }

  /// What is stored.
  var documents: Documents { Documents((before.map { [(document, $0)] } ?? []) + others) }

  /// The request.
  var request: Request {
    let operation: Request.Operation =
      switch method {
      case .get: .get([document])
      case .list: .list(query ?? Query(parent: document, collection: ""))
      case .create: .commit([write(.missing)])
      case .update: .commit([write(.exists)])
      case .delete: .commit([Write(to: document, .delete)])
      }
    return Request(principal: principal, time: .epoch, operation: operation)
  }

  private func write(_ precondition: Write.Precondition) -> Write {
    Write(to: document, .set(after ?? MapValue(), mask: nil), precondition: precondition)
  }

  /// The fields that differ between before and after.
  var changed: Set<Text> {
    let (old, new) = (before ?? MapValue(), after ?? MapValue())
    let names = old.map { $0.0 } + new.map { $0.0 }
    return Set(
      names.filter { name in
        switch (old[name], new[name]) {
        case (.some(let one), .some(let other)): !Value.areIdentical(one, other)
        default: true
        }
      })
  }

  // MARK: Parts

  private static func fields(_ path: AccessMatrix.Path) -> [Text] {
    path.rows.compactMap { row in
      if case .update(let name) = row.operation { return name }
      return nil
    }
  }

  private static func document(
    _ path: ClaimPath, _ random: inout some RandomNumberGenerator
  ) -> DocumentPath {
    var segments: [Text] = []
    let fixed = path.steps.count { !$0.isGlob }
    for step in path.steps {
      switch step {
      case .literal(let text): segments.append(text)
      case .capture: segments.append(ids.randomElement(using: &random) ?? "alice")
      case .glob:
        let length = (fixed.isMultiple(of: 2) ? 0 : 1) + 2 * Int.random(in: 0...1, using: &random)
        let run = fixed == 0 ? max(2, length) : length
        for _ in 0..<run {
          segments.append((ids + ["public", "users"]).randomElement(using: &random) ?? "alice")
        }
      }
    }
    return DocumentPath(segments)
  }

  private static func principal(
    _ marks: [Mark], _ random: inout some RandomNumberGenerator
  ) -> Principal? {
    if Int.random(in: 0..<5, using: &random) == 0 { return nil }
    var claims = MapValue()
    for case .role(let role) in marks where Int.random(in: 0..<3, using: &random) == 0 {
      let wanted: Value =
        switch role.test {
        case .isTrue: .bool(true)
        case .equals(let literal): Value(literal)
        case .lists(let literal), .contains(let literal): .list([Value(literal)])
        }
      let isWanted = Int.random(in: 0..<3, using: &random) > 0
      claims[role.claim[0]] = isWanted ? wanted : values.randomElement(using: &random)
    }
    return Principal(uid: ids.randomElement(using: &random) ?? "alice", claims: claims)
  }

  private static func data(
    _ fields: [Text], _ random: inout some RandomNumberGenerator
  ) -> MapValue {
    var data = MapValue()
    for name in fields where Bool.random(using: &random) {
      data[name] = values.randomElement(using: &random)
    }
    return data
  }

  /// Often only one field differs, so that narrow statements get their turn.
  private static func changed(
    _ old: MapValue, _ fields: [Text], _ random: inout some RandomNumberGenerator
  ) -> MapValue {
    if Int.random(in: 0..<4, using: &random) == 0 { return data(fields, &random) }
    var new = old
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      guard let name = fields.randomElement(using: &random) else { continue }
      new[name] = Bool.random(using: &random) ? values.randomElement(using: &random) : nil
    }
    return new
  }

  private static func query(
    _ document: DocumentPath, _ data: MapValue, _ random: inout some RandomNumberGenerator
  ) -> Query {
    let segments = document.segments
    var query = Query(
      parent: DocumentPath(Array(segments.dropLast(2))), collection: segments[segments.count - 2])
    var filters: [Query.Filter] = []
    for (name, value) in data where Int.random(in: 0..<3, using: &random) == 0 {
      filters.append(.field(FieldPath([name]), .equal, value))
    }
    let kind = Int.random(in: 0..<5, using: &random)
    if kind == 1 || kind > 2 {
      query.isCollectionGroup = true
      if kind < 4 { query.parent = DocumentPath([]) } else { filters = [] }
    }
    if kind == 0 || kind > 2 {
      filters.append(.field(FieldPath(["__name__"]), .equal, .path(document.value(in: .standard))))
    }
    query.filter = filters.isEmpty ? nil : filters.count == 1 ? filters[0] : .and(filters)
    return query
  }
}

extension RandomAccess {
  /// True if a filter of the query is on the document's name.
  private var namesDocument: Bool {
    switch query?.filter {
    case .field(let field, _, _): field == FieldPath(["__name__"])
    case .and(let parts):
      parts.contains { part in
        if case .field(FieldPath(["__name__"]), _, _) = part { return true }
        return false
      }
    case .or, nil: false
    }
  }

  /// The kind of client, found without the conditions that the audit makes.
  func client(among columns: ClientColumns, on path: ClaimPath) -> Client? {
    guard let principal, case .string(let uid) = principal.uid else { return .signedOut }
    let own = columns.marks.filter { mark in
      switch mark {
      case .owner(let name): Self.segment(name, of: path, document) == uid
      case .role(let role): principal.has(role)
      case .relation(let relation): isNamed(uid, by: relation, on: path)
      }
    }
    if own.isEmpty { return columns.marks.isEmpty ? .signedIn : .stranger }
    return columns.clients.contains(.marked(own)) ? .marked(own) : .mixed
  }

  /// Whether a document names the client as a relation says.
  private func isNamed(_ uid: Text, by relation: Relation, on path: ClaimPath) -> Bool {
    var data = method == .create ? after : before
    if let steps = relation.document {
      let segments = steps.map { step in
        switch step {
        case .literal(let text): text
        case .wildcard(let name): Self.segment(name, of: path, document) ?? Text()
        case .uid: uid
        }
      }
      data = documents[DocumentPath(segments)]
    }
    guard let data else { return false }
    if relation.kind == .existence { return true }
    guard let value = data[relation.field] else { return false }
    switch (relation.kind, value) {
    case (.owner, .string(let text)): return text == uid
    case (.member, .list(let elements)):
      return elements.contains { Value.areEqual($0, .string(uid)) }
    case (.member, .map(let map)): return map[uid] != nil
    case (.role(let literal), _): return Value.areEqual(value, Value(literal))
    default: return false
    }
  }

  private static func segment(
    _ name: Text, of path: ClaimPath, _ document: DocumentPath
  ) -> Text? {
    guard let place = path.steps.firstIndex(where: { $0.name == name }) else { return nil }
    let isBehind = path.steps[..<place].contains { $0.isGlob }
    let index = isBehind ? document.segments.count - (path.steps.count - place) : place
    return document.segments[index]
  }

  /// Whether the request does what a row is about.
  func isMeant(by operation: AccessMatrix.Operation) -> Bool {
    switch operation {
    case .get, .create, .delete: operation.method == method
    case .createWith(let name): method == .create && after?[name] != nil
    case .list: method == .list && (query?.isCollectionGroup == false || namesDocument)
    case .listGroup: method == .list && query?.isCollectionGroup == true
    case .update(let name): method == .update && changed.contains(name)
    case .updateOther(let names): method == .update && !changed.isSubset(of: Set(names))
    }
  }
}

extension Principal {
  fileprivate func has(_ role: Role) -> Bool {
    var value: Value? = .map(token)
    for name in role.claim {
      guard case .map(let map) = value else { return false }
      value = map[name]
    }
    guard let value else { return false }
    switch role.test {
    case .isTrue: return Value.areEqual(value, .bool(true))
    case .equals(let literal): return Value.areEqual(value, Value(literal))
    case .lists(let literal), .contains(let literal):
      if case .list(let elements) = value {
        return elements.contains { Value.areIdentical($0, Value(literal)) }
      }
      guard case .contains = role.test, case .map(let map) = value,
        case .string(let name) = literal
      else { return false }
      return map[name] != nil
    }
  }
}
