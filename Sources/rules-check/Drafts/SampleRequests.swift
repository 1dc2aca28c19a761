import RulesEval
import RulesLang

/// Requests that a statement might grant, guessed from its text: its path, the fields and claims that its
/// condition mentions, and the constants that these are compared with.
struct SampleRequests {
  private let rules: Checked
  private let now: Timestamp
  /// The user who makes them.
  static let user: Text = "alice"
  /// Another user, who is never allowed anything.
  static let stranger: Text = "mallory"
  /// IDs of further users, for conditions that do not allow the first one: of several lengths, and one
  /// similar to the stranger's.
  static let others: [Text] = [
    "bob", "carol", "dave", "erin", "frank", "grace", "oliver", "charlie", "matthew",
  ]

  /// One request with the stored documents.
  struct Sample {
    var request: Request
    var documents: Documents
  }

  init(_ rules: Checked, now: Timestamp) {
    self.rules = rules
    self.now = now
  }

  /// Returns requests of a method for documents of a statement, the simplest first.
  func samples(for allow: AllowID, _ method: Method) -> [Sample] {
    let path = path(of: allow)
    guard path.isDocument else { return [] }
    let mentions = Mentions(of: allow, in: rules)
    let fields = MapValue(mentions.fields)
    var stored: [MapValue?] = [fields]
    if method == .create { stored = [nil] }
    let plain = Principal(uid: Self.user)
    let full = Principal(uid: Self.user, claims: MapValue(mentions.claims))
    var samples: [Sample] = []
    for principal in mentions.claims.isEmpty ? [plain, nil] : [plain, full, nil] {
      for before in stored {
        for operation in operations(method, path, before, mentions) {
          var documents = Documents()
          if let before { documents[path] = before }
          samples.append(
            Sample(
              request: Request(principal: principal, time: now, operation: operation),
              documents: documents))
        }
      }
    }
    return samples
  }

  private func operations(
    _ method: Method, _ path: DocumentPath, _ before: MapValue?, _ mentions: Mentions
  ) -> [Request.Operation] {
    switch method {
    case .get: return [.get([path])]
    case .list:
      let parent = DocumentPath(Array(path.segments.dropLast(2)))
      let collection = path.segments[path.segments.count - 2]
      var queries: [Query] = [Query(parent: parent, collection: collection)]
      for (name, value) in mentions.fields {
        var query = queries[0]
        query.filter = .field(FieldPath([name]), .equal, value)
        query.limit = 10
        queries.append(query)
      }
      return queries.map { .list($0) }
    case .delete: return [.commit([Write(to: path, .delete)])]
    case .create, .update:
      let whole = before ?? MapValue(mentions.fields)
      var datas = method == .create ? [whole] : []
      for key in mentions.keys + ["note"] {
        var changed = whole
        changed[key] = .string("new")
        datas.append(changed)
      }
      if method == .update { datas.append(whole) }
      let condition: Write.Precondition = method == .create ? .missing : .exists
      return datas.map { .commit([Write(to: path, .set($0, mask: nil), precondition: condition)]) }
    }
  }

  /// Returns a document that the block of a statement matches.
  private func path(of allow: AllowID) -> DocumentPath {
    let facts = rules.matches[rules.ruleset[allow].match.index]
    var segments: [Text] = []
    let steps = facts.pattern.dropFirst(DatabaseName.rootCount)
    for step in steps {
      switch step {
      case .literal(let text): segments.append(text)
      case .capture(let slot):
        segments.append(Self.sample(facts.captures[Int(slot)].text, below: segments.last))
      case .glob:
        // The glob completes the path of a document: with one segment if the number of other steps is odd,
        // with none if it is even. A glob alone stands for two segments.
        let isEven = (steps.count - 1).isMultiple(of: 2)
        segments += isEven && steps.count == 1 ? ["items", "item1"] : isEven ? [] : ["item1"]
      }
    }
    return DocumentPath(segments)
  }

  private static func sample(_ name: Text, below collection: Text?) -> Text {
    let lower = String(name).lowercased()
    let isUser =
      lower.hasPrefix("user") || lower.hasPrefix("owner") || lower.hasSuffix("uid")
      || collection == "users"
    if isUser { return user }
    let stem = lower.hasSuffix("id") && lower.utf8.count > 2 ? String(name).dropLast(2) : name.tail
    return Text(String(stem) + "1")
  }
}

extension Text {
  fileprivate var tail: Substring { String(self)[...] }
}

/// The fields, claims and constants that a condition mentions.
private struct Mentions {
  /// Fields of `resource.data` and `request.resource.data`, with a value that may fit.
  var fields: [(Text, Value)] = []
  /// Claims of the token, with a value that may fit.
  var claims: [(Text, Value)] = []
  /// Texts in lists, which may be field names.
  var keys: [Text] = []

  private let rules: Checked

  init(of allow: AllowID, in rules: Checked) {
    self.rules = rules
    guard let condition = rules.ruleset[allow].condition else { return }
    for body in rules.bodies(reachedFrom: [condition]) { for id in body.nodes { look(at: id) } }
  }

  private mutating func look(at id: ExprID) {
    let node = rules.ruleset[id]
    switch node.kind {
    case .member(let base, let name): note(name.text, of: base, .string("text"))
    case .binary(.equal, let left, let right), .binary(.in, let left, let right):
      compare(left, right)
      compare(right, left)
    case .binary(.less, let left, let right), .binary(.lessEqual, let left, let right),
      .binary(.greater, let left, let right), .binary(.greaterEqual, let left, let right):
      compare(left, right)
      compare(right, left)
    case .isType(let operand, let word):
      guard case .member(let base, let name) = rules.ruleset[unwrapped(operand)].kind else {
        return
      }
      note(name.text, of: base, Self.sample(word))
    case .list(let elements):
      for element in elements {
        if case .literal(.string(let text)) = rules.ruleset[element].kind, !keys.contains(text) {
          keys.append(text)
        }
      }
    case .literal, .variable, .map, .path, .parenthesized, .not, .negate, .binary, .conditional,
      .index, .slice, .call, .method, .invalid:
      break
    }
  }

  private func unwrapped(_ id: ExprID) -> ExprID { rules.ruleset.unparenthesized(id) }

  private mutating func compare(_ field: ExprID, _ other: ExprID) {
    guard case .member(let base, let name) = rules.ruleset[unwrapped(field)].kind,
      let value = value(of: unwrapped(other))
    else { return }
    note(name.text, of: base, value)
  }

  private func value(of id: ExprID) -> Value? {
    switch rules.ruleset[id].kind {
    case .literal(let literal):
      switch literal {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .int(let number): .int(number)
      case .float(let number): .float(number)
      case .string(let text): .string(text)
      case .bytes(let octets): .bytes(octets)
      }
    case .member(_, let name) where name.text == "uid": .string(SampleRequests.user)
    case .list(let elements): elements.first.flatMap { value(of: $0) }
    case .variable, .map, .path, .parenthesized, .not, .negate, .binary, .isType, .conditional,
      .member, .index, .slice, .call, .method, .invalid:
      nil
    }
  }

  /// Records a value of a field or claim; a later, better one replaces a guess.
  private mutating func note(_ name: Text, of base: ExprID, _ value: Value) {
    guard case .member(_, let owner) = rules.ruleset[unwrapped(base)].kind else { return }
    switch owner.text {
    case "data": Self.put(name, value, into: &fields)
    case "token" where name != "firebase": Self.put(name, value, into: &claims)
    default: break
    }
  }

  private static func put(_ name: Text, _ value: Value, into list: inout [(Text, Value)]) {
    guard let place = list.firstIndex(where: { $0.0 == name }) else {
      return list.append((name, value))
    }
    if case .string("text") = list[place].1 { list[place].1 = value }
  }

  private static func sample(_ word: TypeWord) -> Value {
    switch word {
    case .bool: .bool(true)
    case .bytes: .bytes([])
    case .float: .float(1.5)
    case .int, .number: .int(1)
    case .list: .list([])
    case .map: .map(MapValue())
    case .timestamp: .timestamp(.epoch)
    case .constraint, .duration, .latlng, .vector, .set, .string, .path, .mapDiff: .string("text")
    }
  }
}
