import RulesLang

// Claims: what a suite says about all requests.

extension SuiteReader {
  /// The keys of a claim.
  static let claimKeys = [
    "name", "database", "path", "methods", "writes", "given", "onlyIf", "alwaysIf", "never",
    "errors", "keeps",
    "through", "expect",
  ]
  /// The keys of obligations, of which a claim has exactly one.
  static let obligations = ["onlyIf", "alwaysIf", "never", "errors", "keeps"]

  mutating func claims(_ json: JSON) -> [Claim] {
    guard let elements = array(json, as: "claims") else { return [] }
    return elements.compactMap { claim($0) }
  }

  private mutating func claim(_ json: JSON) -> Claim? {
    guard let object = object(json, as: "a claim", known: Self.claimKeys) else { return nil }
    let path = claimPath(object)
    let methods = object["methods"].map { self.methods($0) } ?? MethodSet.read.union(.write)
    let writes = object["writes"].map { fields($0) } ?? []
    let given = object["given"].flatMap { condition($0, as: "given") }
    if object["keeps"] != nil { return keeping(object) }
    let obligation = obligation(object)
    let expectation = claimExpectation(object["expect"])
    guard let path, let obligation, let methods, let expectation else { return nil }
    if !writes.isEmpty, methods.isDisjoint(with: .write) {
      report("the claim has \"writes\", but no method that writes", at: json.range)
    }
    let name = object["name"].flatMap { string($0, as: "name") }.map { String($0) }
    var claim = Claim(name: "", path: path, methods: methods, obligation: obligation)
    claim.writes = writes
    claim.given = given
    claim.through = object["through"].flatMap { through($0, beside: obligation) }
    claim.name = name ?? claim.statement
    claim.database = object["database"].flatMap { databaseName($0) }
    claim.rootDatabase = rootDatabase(object)
    claim.expectation = expectation
    claim.range = json.range
    return claim
  }

  /// Reads a claim that documents keep a condition.
  private mutating func keeping(_ object: Object) -> Claim? {
    let path = claimPath(object)
    for key in ["onlyIf", "alwaysIf", "never", "errors", "writes", "methods", "through"] as [Text] {
      guard let other = object.member(key) else { continue }
      report(
        "\"\(String(key))\" means nothing beside \"keeps\"", at: other.keyRange,
        help: "\"keeps\" is a claim about every create and update")
    }
    let kept = object["keeps"].flatMap { condition($0, as: "keeps") }
    let given = object["given"].flatMap { condition($0, as: "given") }
    guard let path, let kept, let expectation = claimExpectation(object["expect"]) else {
      return nil
    }
    guard var claim = Claim.keeping(kept, of: path, given: given) else {
      report(
        "\"keeps\" needs a condition on `resource`, not on a request", at: kept.range,
        help: "\"keeps\": \"resource.data.owner is string\"")
      return nil
    }
    let name = object["name"].flatMap { string($0, as: "name") }.map { String($0) }
    claim.name = name ?? claim.statement
    claim.database = object["database"].flatMap { databaseName($0) }
    claim.rootDatabase = rootDatabase(object)
    claim.expectation = expectation
    claim.range = object.range
    return claim
  }

  /// Reads the maximum number of requests before the one that the claim is about.
  private mutating func through(
    _ json: JSON, beside obligation: Claim.Obligation
  ) -> Claim.Through? {
    switch obligation {
    case .onlyIf, .never: break
    case .alwaysIf, .noErrors:
      report(
        "\"through\" is allowed only beside \"onlyIf\" and \"never\"", at: json.range,
        help: "\"alwaysIf\" and \"errors\" are claims about a single request")
      return nil
    }
    if case .string("any") = json.kind { return .any }
    if case .number(let digits) = json.kind, let count = Int(digits), count > 0 {
      return .steps(count)
    }
    report(
      "\"through\" is \"any\" or a number of requests", at: json.range,
      help: "\"any\": after any number of allowed requests of the same client")
    return nil
  }

  /// Returns the database named in a claim's path; nil if it names none, or a wildcard.
  private func rootDatabase(_ object: Object) -> DatabaseName? {
    guard case .string(let text)? = object["path"]?.kind, let path = DocumentPath(text, in: .none),
      Self.isOfDatabase(path)
    else { return nil }
    let named = path.segments[DatabaseName.place]
    return named.bytes.first == UInt8(ascii: "{") ? nil : DatabaseName(named)
  }

  private mutating func claimPath(_ object: Object) -> ClaimPath? {
    guard let json = object["path"] else {
      report("the claim names no documents", at: object.range, help: "\"path\": \"/users/{uid}\"")
      return nil
    }
    guard let text = string(json, as: "path") else { return nil }
    if let path = ClaimPath(text) { return path }
    report(
      "\"\(String(text))\" is not a document path pattern", at: json.range,
      help: "an even number of segments, with wildcards {name} or one {name=**}: \"/users/{uid}\"")
    return nil
  }

  /// Reads the methods of a word or a list of words.
  private mutating func methods(_ json: JSON) -> MethodSet? {
    let words: [JSON]
    if case .array(let elements) = json.kind { words = elements } else { words = [json] }
    var methods: MethodSet = []
    for word in words {
      guard let text = string(word, as: "a method") else { return nil }
      guard let named = Operation.methods(of: text) else {
        let nearest = Spelling.nearest(to: String(text), among: Operation.words)
        report(
          "there is no method \"\(String(text))\"", at: word.range,
          help: nearest.map { "did you mean \"\($0)\"?" }
            ?? Operation.words.joined(separator: ", "))
        return nil
      }
      methods.formUnion(named)
    }
    if methods.isEmpty { report("the claim is about no method", at: json.range) }
    return methods
  }

  private mutating func fields(_ json: JSON) -> [FieldPath] {
    let names: [JSON]
    if case .array(let elements) = json.kind { names = elements } else { names = [json] }
    if names.isEmpty { report("the claim names no field", at: json.range) }
    return names.compactMap { name in
      guard let text = string(name, as: "a field") else { return nil }
      if let path = FieldPath(text) { return path }
      report("\"\(String(text))\" is not a field path", at: name.range)
      return nil
    }
  }

  private mutating func condition(_ json: JSON, as what: String) -> Claim.Condition? {
    string(json, as: what).map { Claim.Condition($0, at: json.range) }
  }

  private mutating func obligation(_ object: Object) -> Claim.Obligation? {
    let present = Self.obligations.filter { object[Text($0)] != nil }
    guard present.count == 1, let word = present.first, let json = object[Text(word)] else {
      report(
        present.isEmpty ? "the claim states nothing" : "the claim states more than one thing",
        at: object.range, help: "give it one of onlyIf, alwaysIf, never, errors, keeps")
      return nil
    }
    switch word {
    case "onlyIf": return condition(json, as: word).map { .onlyIf($0) }
    case "alwaysIf": return condition(json, as: word).map { .alwaysIf($0) }
    case "errors":
      guard bool(json, as: word) == false else {
        report("\"errors\" can only be false", at: json.range)
        return nil
      }
      return .noErrors
    default:
      guard bool(json, as: word) == true else {
        report("\"never\" can only be true", at: json.range)
        return nil
      }
      return .never
    }
  }

  private mutating func claimExpectation(_ json: JSON?) -> Claim.Expectation? {
    guard let json else { return .proved }
    guard let text = string(json, as: "expect") else { return nil }
    if let known = Claim.Expectation.allCases.first(where: { Text($0.word) == text }) {
      return known
    }
    let words = Claim.Expectation.allCases.map { $0.word }
    let nearest = Spelling.nearest(to: String(text), among: words)
    report(
      "\"expect\" of a claim is \"proved\", \"violated\" or \"vacuous\"", at: json.range,
      help: nearest.map { "did you mean \"\($0)\"?" })
    return nil
  }
}
