public import RulesLang

/// One request of a log: client, operation, and the document before and after.
public struct LoggedRequest: Sendable {
  /// The client as the log has it; nil for signed out.
  public var principalName: Text?
  /// The method as the log has it.
  public var method: Method
  /// The path as the log has it.
  public var path: Text
  /// The request to decide.
  public var request: Request
  /// The stored documents.
  public var documents: Documents
}

extension SuiteReader {
  private static let logKeys = [
    "as", "time", "method", "path", "before", "after", "documents", "query", "collectionGroup",
  ]

  /// The members of a log entry that are documents.
  private static let logDocuments: [Text] = ["before", "after"]

  /// Parses a line of a log of requests to a database; nil, with reports, if something in it is wrong. `keys`
  /// is the cache of the lines before.
  public static func readLogged(
    _ bytes: [UInt8], in range: Range<Int>, now: Timestamp,
    database: DatabaseName = .standard, keys: inout JSONKeys
  ) -> (logged: LoggedRequest?, diagnostics: [Diagnostic]) {
    if bytes.isASCII(in: range),
      let record = JSONParser.record(
        bytes, in: range, documents: logDocuments, database: database, keys: &keys)
    {
      var reader = SuiteReader(in: database)
      let logged = reader.logged(record.outline, known: record.documents, now: now)
      if reader.diagnostics.isEmpty { return (logged, []) }
    }
    return readLoggedByTree(bytes, in: range, now: now, database: database, keys: &keys)
  }

  /// Parses a line through a JSON tree: slower, but it reports every mistake and defines the right result.
  static func readLoggedByTree(
    _ bytes: [UInt8], in range: Range<Int>, now: Timestamp,
    database: DatabaseName = .standard, keys: inout JSONKeys
  ) -> (logged: LoggedRequest?, diagnostics: [Diagnostic]) {
    var reader = SuiteReader(in: database)
    let logged: LoggedRequest?
    do throws(JSONProblem) {
      if !bytes.isASCII(in: range),
        SourceText(name: "", bytes: Array(bytes[range])).firstInvalidByte != nil
      {
        throw JSONProblem(
          message: "the text is not UTF-8",
          range: SourceRange(start: range.lowerBound, end: range.lowerBound + 1))
      }
      logged = reader.logged(
        try JSONParser.parse(bytes, in: range, keys: &keys), known: [nil, nil], now: now)
    } catch {
      reader.report(error.message, at: error.range)
      logged = nil
    }
    return (reader.diagnostics.isEmpty ? logged : nil, reader.diagnostics)
  }

  /// Makes the request of a line; `known` are the documents before and after, if they were parsed already.
  private mutating func logged(
    _ json: JSON, known: [MapValue?], now: Timestamp
  ) -> LoggedRequest? {
    guard let object = object(json, as: "a logged request", known: Self.logKeys),
      let method = method(object),
      let path = required("path", in: object).flatMap({ string($0, as: "path") })
    else { return nil }
    var stored = object["documents"].map { documents($0) } ?? []
    let before = known[0] ?? object["before"].flatMap { present($0, as: "before") }
    let after = known[1] ?? object["after"].flatMap { present($0, as: "after") }
    let document = DocumentPath(path, in: database)
    guard let operation = operation(method, at: path, document: document, after: after, in: object)
    else { return nil }
    if let before, let document { stored.append((document, before)) }
    let time = object["time"].flatMap { self.time($0, as: "time") } ?? now
    let who = who(object["as"])
    return LoggedRequest(
      principalName: who.name, method: method, path: path,
      request: Request(principal: who.principal, time: time, operation: operation),
      documents: Documents(stored))
  }

  private mutating func required(_ key: String, in object: Object) -> JSON? {
    if let json = object[key] { return json }
    report("the request has no \"\(key)\"", at: object.range)
    return nil
  }

  private mutating func method(_ object: Object) -> Method? {
    guard let json = required("method", in: object), let word = string(json, as: "method") else {
      return nil
    }
    if let number = RequestNames.methods.firstIndex(of: word) { return Method.allCases[number] }
    let words = Method.allCases.map { $0.word }
    report(
      "there is no method \"\(String(word))\"", at: json.range,
      help: "one of \(words.joined(separator: ", "))")
    return nil
  }

  /// Reads a document that may be null: not stored.
  private mutating func present(_ json: JSON, as what: String) -> MapValue? {
    if case .null = json.kind { return nil }
    return documentData(json, as: what)
  }

  private mutating func operation(
    _ method: Method, at path: Text, document: DocumentPath?, after: MapValue?,
    in object: Object
  ) -> Request.Operation? {
    if method == .list {
      guard let json = object["path"], let scripted = list(json, in: object) else { return nil }
      if let unsupported = scripted.unsupported {
        report("UNSUPPORTED: \(unsupported)", at: object.range)
      }
      return scripted.operation
    }
    guard let document, document.isDocument, !Self.isOfDatabase(document) else {
      reportNoDocument(path, at: object["path"]?.range ?? object.range)
      return nil
    }
    switch method {
    case .get, .list: return .get([document])
    case .delete: return .commit([Write(to: document, .delete)])
    case .create, .update:
      guard let after else {
        report("\"\(method.word)\" needs the document \"after\"", at: object.range)
        return nil
      }
      let precondition: Write.Precondition = method == .create ? .missing : .exists
      return .commit([Write(to: document, .set(after, mask: nil), precondition: precondition)])
    }
  }

  /// Reads the client: a user ID, or an object with the token.
  private mutating func who(_ json: JSON?) -> (name: Text?, principal: Principal?) {
    guard let json else { return (nil, nil) }
    switch json.kind {
    case .null: return (nil, nil)
    case .string(let uid): return (uid, Principal(uid: uid))
    case .bool, .number, .array, .object:
      guard let principal = principal(json) else { return (nil, nil) }
      guard case .string(let uid) = principal.uid else { return (nil, principal) }
      return (uid, principal)
    }
  }
}
