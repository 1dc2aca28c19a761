import RulesEval
import RulesLang

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Rules {
  /// One request of a client.
  ///
  /// Requests are made by factory methods, `.update("/users/alice", data: ["name": "A"], as: "alice")`; paths
  /// are those of documents, for a query that of its collection. Data can contain variables, or be an
  /// `Encodable` value: `.create("/users/alice", from: profile, as: "alice")`. A request is checked only when
  /// the rules decide it.
  public struct Request: Hashable, Sendable {
    /// The client.
    public let client: Client
    /// The request in words, without the client.
    private let phrase: String
    /// The members of the request as a test of a suite.
    private(set) var notation: Notation

    private init(client: Client, phrase: String, _ notation: Notation) {
      self.client = client
      self.phrase = phrase
      self.notation = notation
    }

    /// Creates a request of members of a test, without the client's.
    fileprivate init(
      _ members: [JSON.Member], as client: some ClientConvertible, saying phrase: String
    ) {
      let client = client.rulesClient
      self.init(
        client: client, phrase: phrase,
        Notation(members + [JSON.Member("as", value: client.notation.json)]))
    }

    fileprivate init(_ write: Write, as client: some ClientConvertible) {
      self.init(write.notation.members, as: client, saying: write.description)
    }

    /// Returns the request at another time, in the form of RFC 3339: the value of `request.time`.
    public func at(_ time: String) -> Request {
      let others = notation.members.filter { member in member.key != "time" }
      return Request(
        client: client, phrase: phrase,
        Notation(others + [JSON.Member("time", value: Notation(time).json)]))
    }

    /// Returns the request at another time: the value of `request.time`.
    public func at(_ time: Date) -> Request {
      guard case .object(let members) = FieldValue(time).notation.json.kind,
        case .string(let text)? = members.first?.value.kind
      else { return self }
      return at(String(text))
    }
  }
}

extension Rules.Request: CustomStringConvertible {
  /// The request as a sentence: `mallory updates /users/alice with {"fcmToken":"x"}`.
  public var description: String {
    let time = notation.members.first { $0.key == "time" }.map { " at \(Notation($0.value).text)" }
    return "\(client) \(phrase)\(time ?? "")"
  }
}

extension Rules.Request {
  /// Reads a document.
  public static func get(_ path: String, as client: some Rules.ClientConvertible) -> Self {
    let member = JSON.Member("get", value: Notation(path).json)
    return Self([member], as: client, saying: "reads \(path)")
  }

  /// Queries the documents of a collection.
  public static func list(
    _ collection: String, where filters: [Rules.Filter] = [], orderBy orders: [Rules.Order] = [],
    limit: Int? = nil, as client: some Rules.ClientConvertible
  ) -> Self {
    Self(
      .query(of: collection, filters, orders, limit: limit), as: client,
      saying: "lists \(collection)" + .limits(filters, orders, limit: limit))
  }

  /// Queries the documents of all collections with an ID, at any depth.
  public static func list(
    collectionGroup id: String, where filters: [Rules.Filter] = [],
    orderBy orders: [Rules.Order] = [], limit: Int? = nil, as client: some Rules.ClientConvertible
  ) -> Self {
    let group = JSON.Member("collectionGroup", value: JSON(.bool(true)))
    return Self(
      .query(of: id, filters, orders, limit: limit) + [group], as: client,
      saying: "lists the collection group \(id)" + .limits(filters, orders, limit: limit))
  }

  /// Deletes a document.
  public static func delete(_ path: String, as client: some Rules.ClientConvertible) -> Self {
    Self(.delete(path), as: client)
  }

  /// Commits writes together, so that with `getAfter` each sees the effect of the others.
  public static func batch(_ writes: [Rules.Write], as client: some Rules.ClientConvertible) -> Self
  {
    let notations = Notation(writes.map { write in write.notation })
    let words = writes.map { write in write.description }.joined(separator: ", ")
    return Self(
      [JSON.Member("batch", value: notations.json)], as: client, saying: "together \(words)")
  }
}

// MARK: Requests with data

extension Rules.Request {
  /// Creates a document, which must not exist.
  public static func create(
    _ path: String, data: [String: Rules.FieldValue], as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.create(path, data: data), as: client)
  }

  /// Creates a document, which must not exist, of fields that can be variables.
  @_disfavoredOverload
  public static func create(
    _ path: String, data: [String: (any Encodable)?], as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.create(path, data: data), as: client)
  }

  /// Creates a document, which must not exist, of the properties of a value.
  public static func create(
    _ path: String, from value: some Encodable, as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.create(path, from: value), as: client)
  }

  /// Sets a document, whether it exists or not; with `merge`, fields that are not named stay.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false,
    as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.set(path, data: data, merge: merge), as: client)
  }

  /// Sets a document to fields that can be variables; with `merge`, fields that are not named stay.
  @_disfavoredOverload
  public static func set(
    _ path: String, data: [String: (any Encodable)?], merge: Bool = false,
    as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.set(path, data: data, merge: merge), as: client)
  }

  /// Sets a document to the properties of a value; with `merge`, fields that are not named stay.
  public static func set(
    _ path: String, from value: some Encodable, merge: Bool = false,
    as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.set(path, from: value, merge: merge), as: client)
  }

  /// Updates fields of an existing document; a name may be a field path, `profile.name`.
  public static func update(
    _ path: String, data: [String: Rules.FieldValue], as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.update(path, data: data), as: client)
  }

  /// Updates fields of an existing document to values that can be variables; a name may be a field path.
  @_disfavoredOverload
  public static func update(
    _ path: String, data: [String: (any Encodable)?], as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.update(path, data: data), as: client)
  }

  /// Updates the fields of an existing document that are properties of a value.
  public static func update(
    _ path: String, from value: some Encodable, as client: some Rules.ClientConvertible
  ) -> Self {
    Self(.update(path, from: value), as: client)
  }
}

// MARK: Notation

extension [JSON.Member] {
  /// Returns the members of a query.
  fileprivate static func query(
    of collection: String, _ filters: [Rules.Filter], _ orders: [Rules.Order], limit: Int?
  ) -> Self {
    var query: [JSON.Member] = []
    if !filters.isEmpty {
      let conditions = Notation(filters.map { filter in filter.notation })
      query.append(JSON.Member("where", value: conditions.json))
    }
    if !orders.isEmpty {
      let keys = Notation(orders.map { order in order.notation })
      query.append(JSON.Member("orderBy", value: keys.json))
    }
    if let limit { query.append(JSON.Member("limit", value: JSON(.number("\(limit)")))) }
    let list = JSON.Member("list", value: Notation(collection).json)
    return query.isEmpty ? [list] : [list, JSON.Member("query", value: JSON(.object(query)))]
  }
}

extension String {
  /// Returns the limits of a query in words.
  fileprivate static func limits(
    _ filters: [Rules.Filter], _ orders: [Rules.Order], limit: Int?
  ) -> String {
    var words = ""
    if !filters.isEmpty {
      words += " where " + filters.map { $0.description }.joined(separator: " and ")
    }
    if !orders.isEmpty {
      words += " sorted by " + orders.map { $0.description }.joined(separator: ", ")
    }
    if let limit { words += ", at most \(limit)" }
    return words
  }
}
