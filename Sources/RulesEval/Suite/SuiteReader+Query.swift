import RulesLang

// List requests. What a query can say but is not modelled is not guessed: the test is marked
// unsupported, and fails.

extension SuiteReader {
  /// The keys of a query.
  static let queryKeys = ["where", "orderBy", "limit", "offset"]
  /// Parts of a query that rules do not see: they change nothing (Docs/Language.md §9).
  static let invisibleKeys = ["startAt", "startAfter", "endAt", "endBefore", "select"]
  /// Parts of a query that are not supported.
  static let unmodelledKeys = ["limitToLast", "findNearest", "aggregate", "having"]
  /// The keys of a composite condition.
  static let conditionKeys = ["or", "and"]
  /// The comparisons of filters, by their symbol.
  static let comparisons: [(String, Query.Comparison)] = [
    ("==", .equal), ("!=", .notEqual), ("<", .less), ("<=", .lessEqual), (">", .greater),
    (">=", .greaterEqual), ("in", .in), ("not-in", .notIn), ("array-contains", .arrayContains),
    ("array-contains-any", .arrayContainsAny),
  ]

  mutating func list(_ json: JSON, in object: Object) -> Scripted? {
    guard let text = string(json, as: "the collection") else { return nil }
    guard let path = DocumentPath(text, in: database), !path.isDocument,
      !Self.isOfDatabase(path)
    else {
      if reportDatabase(text, at: json.range) { return nil }
      report(
        "\"\(String(text))\" is not a collection path", at: json.range,
        help: "a collection has an odd number of segments, none empty: \"/users\"")
      return nil
    }
    warnOfPath(path, at: json.range)
    warnOfPattern(path, at: json.range)
    var query = Query(parent: DocumentPath(Array(path.segments.dropLast())), collection: path.id)
    var unsupported: String?
    if let group = object["collectionGroup"] {
      query.isCollectionGroup = bool(group, as: "collectionGroup") ?? false
    }
    if let given = object["query"] {
      guard read(given, into: &query, unsupported: &unsupported) else { return nil }
    }
    unsupported = unsupported ?? query.refusal(in: database)
    return Scripted(
      operation: .list(query), verb: "list", path: String(path.text), unsupported: unsupported)
  }

  /// Reads `{"where": …, "orderBy": …, "limit": …, "offset": …}`; false if something in it is wrong.
  private mutating func read(
    _ json: JSON, into query: inout Query, unsupported: inout String?
  ) -> Bool {
    if case .object(let members) = json.kind,
      let member = members.first(where: { $0.key == "collectionGroup" })
    {
      report(
        "\"collectionGroup\" belongs beside \"query\"", at: member.keyRange,
        help: "\"list\": \"/posts\", \"collectionGroup\": true, \"query\": {...}")
      return false
    }
    let known = Self.queryKeys + Self.invisibleKeys + Self.unmodelledKeys
    guard let object = object(json, as: "a query", known: known) else { return false }
    let before = diagnostics.count
    for key in Self.unmodelledKeys where object[Text(key)] != nil {
      unsupported = "the query's \"\(key)\" is not modelled"
    }
    if let conditions = object["where"] { query.filter = filter(all: conditions, query) }
    if let order = object["orderBy"] { query.orderBy = orders(order) }
    if let limit = object["limit"] { query.limit = int(limit, as: "limit") }
    if let offset = object["offset"] { query.offset = int(offset, as: "offset") ?? 0 }
    return diagnostics.count == before
  }

  /// Reads a list of conditions that must all hold.
  mutating func filter(all json: JSON, _ query: Query) -> Query.Filter? {
    guard let elements = array(json, as: "where") else { return nil }
    let parts = elements.compactMap { filter($0, of: query) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Reads `[field, comparison, value]`, `{"or": […]}` or `{"and": […]}`.
  private mutating func filter(_ json: JSON, of query: Query) -> Query.Filter? {
    if case .object = json.kind {
      guard let object = object(json, as: "a condition", known: Self.conditionKeys),
        let member = object.members.first
      else { return nil }
      guard let elements = array(member.value, as: String(member.key)) else { return nil }
      let parts = elements.compactMap { filter($0, of: query) }
      return member.key == "or" ? .or(parts) : .and(parts)
    }
    guard case .array(let parts) = json.kind, parts.count == 3 else {
      report("a condition is [field, comparison, value]", at: json.range)
      return nil
    }
    guard let name = string(parts[0], as: "the field"),
      let symbol = string(parts[1], as: "the comparison")
    else { return nil }
    guard let field = FieldPath(name) else {
      report("\"\(String(name))\" is not a field path", at: parts[0].range)
      return nil
    }
    warnOfQueried(field, at: parts[0].range)
    guard let comparison = comparison(symbol, at: parts[1].range) else { return nil }
    guard let value = filterValue(parts[2], for: field, comparison: comparison, in: query) else {
      return nil
    }
    return .field(field, comparison, value)
  }

  private mutating func comparison(_ symbol: Text, at range: SourceRange) -> Query.Comparison? {
    for (known, comparison) in Self.comparisons where Text(known) == symbol { return comparison }
    let all = Self.comparisons.map { $0.0 }
    let nearest = Spelling.nearest(to: String(symbol), among: all)
    report(
      "\"\(String(symbol))\" is not a comparison", at: range,
      help: nearest.map { "did you mean \"\($0)\"?" } ?? all.joined(separator: " "))
    return nil
  }

  private mutating func filterValue(
    _ json: JSON, for field: FieldPath, comparison: Query.Comparison, in query: Query
  ) -> Value? {
    guard var value = value(json) else { return nil }
    switch comparison {
    case .in, .notIn, .arrayContainsAny:
      guard case .list(let elements) = value else {
        report("this comparison takes a list", at: json.range)
        return nil
      }
      if field == Query.nameField { value = .list(elements.map { documentName($0, in: query) }) }
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains:
      if field == Query.nameField { value = documentName(value, in: query) }
    }
    warnOfFilter(value, comparison: comparison, at: json.range)
    return value
  }

  /// Returns the operand of a filter on `__name__`: like client libraries it accepts the ID of a document in
  /// the collection, or a path.
  private func documentName(_ value: Value, in query: Query) -> Value {
    guard case .string(let text) = value, let path = DocumentPath(text, in: database) else {
      return value
    }
    let below =
      query.isCollectionGroup ? query.parent.segments : query.parent.segments + [query.collection]
    let whole = path.segments.count == 1 ? below + path.segments : path.segments
    return .path(DocumentPath(whole).value(in: database))
  }

  private mutating func orders(_ json: JSON) -> [Query.Order] {
    guard let elements = array(json, as: "orderBy") else { return [] }
    return elements.compactMap { element in
      var name = element
      var isDescending = false
      if case .array(let parts) = element.kind, (1...2).contains(parts.count) {
        name = parts[0]
        if parts.count == 2 { isDescending = self.isDescending(parts[1]) }
      }
      guard let text = string(name, as: "the field of an order") else { return nil }
      guard let field = FieldPath(text) else {
        report("\"\(String(text))\" is not a field path", at: name.range)
        return nil
      }
      warnOfQueried(field, at: name.range)
      return Query.Order(field, isDescending: isDescending)
    }
  }

  private mutating func isDescending(_ json: JSON) -> Bool {
    guard let word = string(json, as: "the direction") else { return false }
    if word != "asc", word != "desc" {
      report("the direction is \"asc\" or \"desc\"", at: json.range)
    }
    return word == "desc"
  }
}
