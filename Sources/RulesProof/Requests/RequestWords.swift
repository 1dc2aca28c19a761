import RulesEval
import RulesLang

// The wording of requests in all reports: the client with its relevant claims and documents; the
// operation; and further documents or circumstances.

/// A request in words.
struct RequestWords {
  /// The request.
  let request: Request
  /// The documents stored before the request.
  let documents: Documents
  /// The document that the request is about.
  let document: DocumentPath
  /// The method.
  let method: Method
  /// The fields that a write changes, sorted.
  let fields: [Text]
  /// The circumstances of the decision; nil if not computed.
  let circumstances: Circumstances?

  /// The request as a sentence without a full stop: "mallory, whose /users/mallory has role
  /// 'admin', updates fcmToken of /users/alice".
  var text: String { "\(who) \(deed)\(setting)" }

  // MARK: Who

  /// The client, with its relevant claims and documents.
  var who: String { who(whom: []) }

  /// The client of a sequence, with the fields of the document that name it: "mallory, whom
  /// /docs/alice names as owner,".
  var namedWho: String {
    who(
      whom: namingFields.map { part in
        let isAlone = if case .string? = part.value { true } else { false }
        return "names \(isAlone ? "as" : "in") \(String(part.name))"
      })
  }

  private func who(whom names: [String]) -> String {
    guard let principal = request.principal else { return "a client that is not signed in" }
    let clauses =
      (claims.isEmpty ? [] : ["whose token has \(Self.list(claims, of: "claim"))"])
      + ownDocuments.map { "whose \(Self.text($0))" }
      + (names.isEmpty ? [] : ["whom \(String(document.text)) \(Self.joined(names))"])
    let how = clauses.isEmpty ? "signed in" : Self.joined(clauses)
    guard let uid else { return "a user with the uid \(Self.text(principal.uid)), \(how)," }
    return "\(String(uid)), \(how),"
  }

  private var uid: Text? {
    guard case .string(let uid)? = request.principal?.uid else { return nil }
    return uid
  }

  private var claims: [Circumstances.Part] {
    let found: [Circumstances.Part]
    if let circumstances {
      found = circumstances.claims
    } else if let uid, let principal = request.principal {
      let plain = Principal(uid: uid)
      found = principal.token.compactMap { name, value in
        if let usual = plain.token[name], Value.areIdentical(usual, value) { return nil }
        return Circumstances.Part(name: name, value: value)
      }
    } else {
      found = []
    }
    return found.map { $0.flattened }
  }

  /// The relevant stored fields that contain the client's user ID.
  var namingFields: [Circumstances.Part] {
    guard let uid else { return [] }
    return (circumstances?.fields ?? []).filter { $0.value?.names(uid) == true }
  }

  /// The client's own relevant documents.
  var ownDocuments: [Circumstances.Other] {
    guard let uid else { return [] }
    return (circumstances?.others ?? []).filter { $0.path.segments.contains(uid) }
  }

  // MARK: What

  /// The operation as a verb with its object.
  var deed: String {
    let path = String(document.text)
    let main: String
    switch method {
    case .get: main = "reads \(path)"
    case .create: main = "creates \(path)" + (fields.isEmpty ? "" : " with \(fieldList)")
    case .update: main = fields.isEmpty ? "updates \(path)" : "updates \(fieldList) of \(path)"
    case .delete: main = "deletes \(path)"
    case .list:
      guard case .list(let query) = request.operation else { return "lists \(path)" }
      let group = query.isCollectionGroup ? "the collection group " : ""
      main = "lists \(group)\(String(query.collection))\(query.restrictions) and gets \(path)"
    }
    return main
  }

  /// The operation, with the other writes of its commit.
  var wholeDeed: String { otherWrites.reduce(deed) { "\($0), \($1)" } }

  private var fieldList: String {
    var shown = fields.prefix(Strategy.names).map { fieldText($0) }
    if fields.count > Strategy.names { shown.append("\(fields.count - shown.count) more") }
    return Self.joined(shown)
  }

  /// A written field, with its new value if relevant.
  private func fieldText(_ name: Text) -> String {
    guard let part = circumstances?.written.first(where: { $0.name == name }),
      let value = part.value
    else { return String(name) }
    let isTime =
      if case .timestamp(let time) = value { time == request.time } else { false }
    let text = isTime ? "request.time" : Self.text(value)
    return method == .create ? "\(String(name)) \(text)" : "\(String(name)) (to \(text))"
  }

  // MARK: What else

  /// The remaining circumstances, as clauses after the operation; empty if there are none.
  private var setting: String {
    var clauses: [String] = []
    if let fields = circumstances?.fields, !fields.isEmpty {
      clauses.append("which has \(Self.list(fields, of: "field"))")
    }
    clauses += otherWrites
    let others = otherDocuments
    if !others.isEmpty { clauses.append("where " + Self.joined(others.map { Self.text($0) })) }
    if let time = circumstances?.time { clauses.append("at \(time.description)") }
    return clauses.reduce("") { "\($0), \($1)" }
  }

  /// Returns the documents that must be stored before a sequence, as a clause; empty if there are
  /// none.
  ///
  /// - Parameters:
  ///   - told: Documents that the sentence has mentioned already.
  ///   - path: A document that the clause leaves out.
  func beginning(besides told: [DocumentPath], leavingOut path: DocumentPath? = nil) -> String {
    let naming = namingFields.map { $0.name }
    let fields = (circumstances?.fields ?? []).filter { !naming.contains($0.name) }
    let own = fields.isEmpty ? [] : [Circumstances.Other(path: document, fields: fields)]
    let stored = own + (circumstances?.others ?? []).filter { !told.contains($0.path) }
    let others = stored.filter { $0.path != path }
    return others.isEmpty
      ? "" : ", where at first " + Self.joined(others.map { Self.text($0) })
  }

  private var otherDocuments: [Circumstances.Other] {
    let own = ownDocuments.map { $0.path }
    return (circumstances?.others ?? []).filter { !own.contains($0.path) }
  }

  /// The other writes of the commit, as a clause.
  private var otherWrites: [String] {
    guard case .commit(let writes) = request.operation else { return [] }
    let deeds = writes.filter { $0.path != document }.map { write in
      let verb: String
      if case .delete = write.change {
        verb = "deletes"
      } else {
        verb = documents[write.path] == nil ? "creates" : "updates"
      }
      return "\(verb) \(String(write.path.text))"
    }
    return deeds.isEmpty ? [] : ["and \(Self.joined(deeds)) in the same commit"]
  }

  // MARK: Pieces

  /// A document with its fields: "/users/mallory has role 'admin'", or "/users/mallory is stored".
  private static func text(_ other: Circumstances.Other) -> String {
    let path = String(other.path.text)
    return other.fields.isEmpty
      ? "\(path) is stored" : "\(path) has \(list(other.fields, of: "field"))"
  }

  private static func list(_ parts: [Circumstances.Part], of kind: String) -> String {
    var shown = parts.prefix(Strategy.names).map { part in
      part.value.map { "\(String(part.name)) \(text($0))" } ?? "the \(kind) \(String(part.name))"
    }
    if parts.count > Strategy.names { shown.append("\(parts.count - Strategy.names) more") }
    return joined(shown)
  }

  /// A value as a literal of the rules language if that is short, else abbreviated.
  fileprivate static func text(_ value: Value) -> String {
    if let text = value.rulesText, text.unicodeScalars.count <= Strategy.phraseText { return text }
    return ValueText.short(value)
  }

  /// `a`, `a and b`, `a, b and c`.
  private static func joined(_ words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }
}

extension Value {
  /// True if the value is the user ID, or a list or map that contains it.
  fileprivate func names(_ uid: Text) -> Bool {
    switch self {
    case .string(let text): text == uid
    case .list(let elements): elements.contains { Value.areIdentical($0, .string(uid)) }
    case .map(let map): map[uid] != nil
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      false
    }
  }
}

extension Circumstances.Part {
  /// A part with single-entry maps flattened: `firebase.sign_in_provider`.
  fileprivate var flattened: Circumstances.Part {
    guard case .map(let map)? = value, map.count == 1, let key = map.keys.first,
      let inner = map[key]
    else { return self }
    return Circumstances.Part(name: Text("\(String(name)).\(String(key))"), value: inner).flattened
  }
}

extension Query {
  /// The query's filters, limit and offset in parentheses; empty if it has none.
  fileprivate var restrictions: String {
    var parts: [String] = []
    if let filter { parts.append("where \(filter.words)") }
    if let limit { parts.append("limit \(limit)") }
    if offset != 0 { parts.append("offset \(offset)") }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension Query.Filter {
  fileprivate var words: String {
    switch self {
    case .and(let parts): return parts.map { $0.words }.joined(separator: " and ")
    case .or(let parts):
      return "(" + parts.map { $0.words }.joined(separator: " or ") + ")"
    case .field(let field, let comparison, .path(let path))
    where path.segments.count > DatabaseName.rootCount:
      let place = PathValue(Array(path.segments.dropFirst(DatabaseName.rootCount))).text
      return "\(String(field.text)) \(comparison.symbol) \(String(place))"
    case .field(let field, let comparison, let value):
      return "\(String(field.text)) \(comparison.symbol) \(RequestWords.text(value))"
    }
  }
}

extension Counterexample {
  /// The request in words.
  var words: RequestWords {
    RequestWords(
      request: request, documents: documents, document: document, method: method, fields: fields,
      circumstances: circumstances)
  }
}
