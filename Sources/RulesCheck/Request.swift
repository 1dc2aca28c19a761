import RulesEval
import RulesLang

extension Rules {
  /// One request of a client.
  ///
  /// Requests are made by factory methods, `.update("/users/alice", data: ["name": "A"], as: "alice")`; paths
  /// are those of documents, for a query that of its collection. A request is checked only when the rules
  /// decide it.
  public struct Request: Sendable {
    /// The members of the request as a test of a suite.
    private(set) var members: [JSON.Member]

    /// Creates a request of a suite's verb and the keys beside it.
    init(_ verb: Text, value: JSON, as client: Client?, _ companions: [JSON.Member] = []) {
      members = [JSON.Member(verb, value: value)]
      if let client { members.append(JSON.Member("as", value: client.json)) }
      members += companions
    }

    private init(_ verb: Text, at path: String, as client: Client?, _ others: [JSON.Member] = []) {
      self.init(verb, value: JSON(.string(Text(path))), as: client, others)
    }

    /// Returns the request at another time, in the form of RFC 3339: the value of `request.time`.
    public func at(_ time: String) -> Request {
      var other = self
      other.members.removeAll { member in member.key == "time" }
      other.members.append(JSON.Member("time", value: JSON(.string(Text(time)))))
      return other
    }
  }

  /// One write of a batch.
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

  /// Queries the documents of a collection; with `inGroup` of a collection group.
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

  /// Creates a document, which must not exist.
  public static func create(
    _ path: String, data: [String: Rules.FieldValue], as client: Rules.Client
  ) -> Self {
    Self("create", at: path, as: client, [.data(data)])
  }

  /// Sets a document, whether it exists or not; with `merge`, fields that are not named stay.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false, as client: Rules.Client
  ) -> Self {
    Self("set", at: path, as: client, [.data(data)] + (merge ? [.merge] : []))
  }

  /// Updates fields of an existing document; a name may be a field path, `profile.name`.
  public static func update(
    _ path: String, data: [String: Rules.FieldValue], as client: Rules.Client
  ) -> Self {
    Self("update", at: path, as: client, [.data(data)])
  }

  /// Deletes a document.
  public static func delete(_ path: String, as client: Rules.Client) -> Self {
    Self("delete", at: path, as: client)
  }

  /// Commits writes together, so that with `getAfter` each sees the effect of the others.
  public static func batch(_ writes: [Rules.Write], as client: Rules.Client) -> Self {
    Self("batch", value: JSON(.array(writes.map { write in write.json })), as: client)
  }
}

extension Rules.Write {
  /// Creates a document, which must not exist.
  public static func create(_ path: String, data: [String: Rules.FieldValue]) -> Self {
    Self(.init("create", at: path, [.data(data)]))
  }

  /// Sets a document, whether it exists or not; with `merge`, fields that are not named stay.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false
  ) -> Self {
    Self(.init("set", at: path, [.data(data)] + (merge ? [.merge] : [])))
  }

  /// Updates fields of an existing document.
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
  /// Returns the data of a write.
  fileprivate static func data(_ fields: [String: Rules.FieldValue]) -> JSON.Member {
    JSON.Member("data", value: Rules.FieldValue.object(fields))
  }

  /// The key by which fields that a write does not name stay.
  fileprivate static let merge = JSON.Member("merge", value: JSON(.bool(true)))
}
