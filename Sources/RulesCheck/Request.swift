import RulesEval
import RulesLang

extension Rules {
  /// One request, as a client sends it: what, by whom, and on request when.
  ///
  /// Requests are made by name, `.update("/users/alice", data: ["name": "A"], as: "alice")`; paths are
  /// those of documents, of a query that of its collection. Nothing is checked before the rules are
  /// asked.
  public struct Request: Sendable {
    /// The request as a test of a suite.
    private(set) var members: [JSON.Member]

    /// A request with a verb of suites, and what stands beside it.
    init(_ verb: Text, value: JSON, as client: Client?, _ companions: [JSON.Member] = []) {
      members = [JSON.Member(verb, value: value)]
      if let client { members.append(JSON.Member("as", value: client.json)) }
      members += companions
    }

    private init(_ verb: Text, at path: String, as client: Client?, _ others: [JSON.Member] = []) {
      self.init(verb, value: JSON(.string(Text(path))), as: client, others)
    }

    /// The same request at another time, in the form of RFC 3339: the value of `request.time`.
    public func at(_ time: String) -> Request {
      var other = self
      other.members.removeAll { member in member.key == "time" }
      other.members.append(JSON.Member("time", value: JSON(.string(Text(time)))))
      return other
    }
  }

  /// One of the writes that a client commits together.
  public struct Write: Sendable {
    /// The write as an element of a batch.
    let json: JSON

    private init(_ request: Request) { json = JSON(.object(request.members)) }
  }
}

extension Rules.Request {
  /// Reads a document.
  public static func get(_ path: String, as client: Rules.Client) -> Self {
    Self("get", at: path, as: client)
  }

  /// Asks for the documents of a collection, or with `inGroup` of all collections of that name.
  public static func list(
    _ collection: String, where filters: [Rules.Filter] = [], orderBy orders: [Rules.Order] = [],
    limit: Int? = nil, inGroup: Bool = false, as client: Rules.Client
  ) -> Self {
    var query: [JSON.Member] = []
    if !filters.isEmpty {
      let conditions = filters.map { filter in filter.json }
      query.append(JSON.Member("where", value: JSON(.array(conditions))))
    }
    if !orders.isEmpty {
      query.append(JSON.Member("orderBy", value: JSON(.array(orders.map { order in order.json }))))
    }
    if let limit { query.append(JSON.Member("limit", value: JSON(.number("\(limit)")))) }
    var others: [JSON.Member] = []
    if !query.isEmpty { others.append(JSON.Member("query", value: JSON(.object(query)))) }
    if inGroup { others.append(JSON.Member("collectionGroup", value: JSON(.bool(true)))) }
    return Self("list", at: collection, as: client, others)
  }

  /// Writes a document that is not stored yet.
  public static func create(
    _ path: String, data: [String: Rules.FieldValue], as client: Rules.Client
  ) -> Self {
    Self("create", at: path, as: client, [.data(data)])
  }

  /// Writes a document whether it is stored or not; with `merge` it keeps the fields that are not named.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false, as client: Rules.Client
  ) -> Self {
    Self("set", at: path, as: client, [.data(data)] + (merge ? [.merge] : []))
  }

  /// Changes fields of a document that is stored; a name may be a path, `profile.name`.
  public static func update(
    _ path: String, data: [String: Rules.FieldValue], as client: Rules.Client
  ) -> Self {
    Self("update", at: path, as: client, [.data(data)])
  }

  /// Deletes a document.
  public static func delete(_ path: String, as client: Rules.Client) -> Self {
    Self("delete", at: path, as: client)
  }

  /// Writes that are committed together, so that each sees with `getAfter` what the others do.
  public static func batch(_ writes: [Rules.Write], as client: Rules.Client) -> Self {
    Self("batch", value: JSON(.array(writes.map { write in write.json })), as: client)
  }
}

extension Rules.Write {
  /// Writes a document that is not stored yet.
  public static func create(_ path: String, data: [String: Rules.FieldValue]) -> Self {
    Self(.init("create", at: path, [.data(data)]))
  }

  /// Writes a document whether it is stored or not; with `merge` it keeps the fields that are not named.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false
  ) -> Self {
    Self(.init("set", at: path, [.data(data)] + (merge ? [.merge] : [])))
  }

  /// Changes fields of a document that is stored.
  public static func update(_ path: String, data: [String: Rules.FieldValue]) -> Self {
    Self(.init("update", at: path, [.data(data)]))
  }

  /// Deletes a document.
  public static func delete(_ path: String) -> Self { Self(.init("delete", at: path, [])) }
}

extension Rules.Request {
  fileprivate init(_ verb: Text, at path: String, _ others: [JSON.Member]) {
    self.init(verb, value: JSON(.string(Text(path))), as: nil, others)
  }
}

extension JSON.Member {
  /// What a write writes.
  fileprivate static func data(_ fields: [String: Rules.FieldValue]) -> JSON.Member {
    JSON.Member("data", value: Rules.FieldValue.object(fields))
  }

  /// Whether a write keeps the fields that it does not name.
  fileprivate static let merge = JSON.Member("merge", value: JSON(.bool(true)))
}
