import RulesLang

/// Checked rules with facts that several lints use.
struct LintSubject: Sendable {
  /// The rules.
  let checked: Checked
  /// Proved facts about the rules.
  let facts: LintFacts
  /// The possible outcomes of each statement for each abstract request that it covers.
  private let outcomes: [AbstractRequest: [Prospect.Outcomes]]
  /// The possible outcomes of each expression for signed-out clients, if it is evaluated at all.
  let signedOut: [ExprID: Prospect.Outcomes]

  /// The terms of all conditions, with functions inlined.
  let terms: InlinedTerms
  /// The inlined conditions, by `AllowID`.
  let conditions: [InlinedCondition]

  /// The conjuncts of each condition, by `AllowID`; none for a statement that always grants.
  private let parts: [[InlinedTerms.Term]]
  /// The statements of the Firestore service that cover a method.
  let allows: [AllowID]
  /// True for each statement that is one of `allows`, by `AllowID`.
  private let takingPart: [Bool]
  /// The statements by the first segment of their documents' paths; those with a wildcard there under nil.
  private let byFirstSegment: [Text?: [AllowID]]
  /// The statements of each block and of the blocks inside it, by `MatchID`.
  private let inside: [[AllowID]]

  /// Expressions, among them names of lets, whose value is the result of `get()` or `getAfter()`.
  private let lookedUp: Set<ExprID>
  private let tokens: [Token]

  /// The syntax.
  var rules: Ruleset { checked.ruleset }

  init(_ checked: Checked, facts: LintFacts = LintFacts()) {
    self.checked = checked
    self.facts = facts
    var outcomes: [AbstractRequest: [Prospect.Outcomes]] = [:]
    var signedOut: [ExprID: Prospect.Outcomes] = [:]
    for request in AbstractRequest.all {
      var outlook = Outlook(on: checked, in: request)
      var row: [Prospect.Outcomes] = []
      for index in checked.ruleset.allows.indices {
        let covers = checked.methods[index].contains(request.method)
        row.append(covers ? outlook.outcomes(of: AllowID(index)) : [])
      }
      outcomes[request] = row
      guard request.client == .signedOut else { continue }
      for (id, found) in outlook.reached { signedOut[id, default: []].formUnion(found) }
    }
    self.outcomes = outcomes
    self.signedOut = signedOut
    tokens = Lexer.tokens(of: checked.ruleset.source).tokens
    lookedUp = Lookups(checked).names
    var terms = InlinedTerms(checked)
    conditions = checked.ruleset.allows.indices.map { terms.condition(of: AllowID($0)) }
    self.terms = terms
    parts = conditions.map { condition in
      terms.chain(.and, of: condition.root).filter { terms[$0] != .literal(.bool(true)) }
    }
    let takingPart = checked.ruleset.allows.indices.map {
      Self.takesPart(AllowID($0), in: checked)
    }
    allows = takingPart.indices.filter { takingPart[$0] }.map { AllowID($0) }
    self.takingPart = takingPart
    var groups: [Text?: [AllowID]] = [:]
    for (index, allow) in checked.ruleset.allows.enumerated() {
      let first = checked.firstSegment(of: allow.match)
      groups[first, default: []].append(AllowID(index))
    }
    byFirstSegment = groups
    inside = Self.statementsByBlock(of: checked.ruleset)
  }

  private static func statementsByBlock(of rules: Ruleset) -> [[AllowID]] {
    var statements: [[AllowID]] = Array(repeating: [], count: rules.matches.count)
    for index in rules.allows.indices {
      var match: MatchID? = rules.allows[index].match
      while let block = match {
        statements[block.index].append(AllowID(index))
        match = rules[block].parent
      }
    }
    return statements
  }

  /// True if an expression is a document that was looked up: a call of `get()` or `getAfter()`, the name of a
  /// let with such a value, or a call of a function that returns one.
  func isLookup(_ id: ExprID) -> Bool { lookedUp.contains(rules.unparenthesized(id)) }

  /// True if the statement is in the Firestore service and covers a method.
  func takesPart(_ allow: AllowID) -> Bool { takingPart[allow.index] }

  private static func takesPart(_ allow: AllowID, in checked: Checked) -> Bool {
    let rules = checked.ruleset
    let match = rules[rules[allow].match]
    return rules.services[match.service].name.text == Ruleset.firestoreService
      && checked.matches[rules[allow].match.index].isReachable
      && !checked.methods[allow.index].isEmpty
      && UnmatchedPath.matchesDocuments(checked.matches[rules[allow].match.index].pattern)
      && ForeignDatabase.foreignPlace(of: rules[allow].match, in: checked) == nil
  }

  /// Returns the conjuncts of a condition; none for a statement that always grants.
  func parts(of allow: AllowID) -> [InlinedTerms.Term] { parts[allow.index] }

  /// Returns the statements, of those that take part, in blocks that match every document of a block,
  /// including its own.
  func allows(covering match: MatchID) -> [AllowID] {
    let first = checked.firstSegment(of: match)
    let near = (byFirstSegment[nil] ?? []) + (first.map { byFirstSegment[$0] ?? [] } ?? [])
    return near.filter {
      takesPart($0) && (rules[$0].match == match || covers(rules[$0].match, match))
    }
    .sorted { $0.index < $1.index }
  }

  /// Returns the statements whose documents a block may match: all that it does match, and perhaps others.
  func allows(coveredBy match: MatchID) -> [AllowID] {
    guard let first = checked.firstSegment(of: match) else { return allows }
    return (byFirstSegment[first] ?? []).filter { takesPart($0) }
  }

  /// Returns the statements of a block and of the blocks inside it.
  func allows(inside match: MatchID) -> [AllowID] { inside[match.index] }

  /// The match blocks of the Firestore service.
  var matches: [MatchID] {
    rules.matches.indices.map { MatchID($0) }.filter {
      rules.services[rules[$0].service].name.text == Ruleset.firestoreService
    }
  }

  /// Returns the possible outcomes of a statement for a method and a client.
  func outcomes(of allow: AllowID, for method: Method, by client: AbstractRequest.Client)
    -> Prospect.Outcomes
  {
    if facts.dead[allow]?.contains(method) == true { return .falsity }
    return outcomes[AbstractRequest(method: method, client: client)]?[allow.index] ?? []
  }

  /// Returns the methods that a statement grants everybody, signed in or not.
  func openMethods(_ allow: AllowID) -> [Method] {
    checked.methods[allow.index].methods.filter {
      outcomes(of: allow, for: $0, by: .signedOut) == .truth
    }
  }

  /// Returns the methods that a statement grants every signed-in user, but not everybody.
  func signedInMethods(_ allow: AllowID) -> [Method] {
    checked.methods[allow.index].methods.filter {
      outcomes(of: allow, for: $0, by: .signedIn) == .truth
        && outcomes(of: allow, for: $0, by: .signedOut) != .truth
    }
  }

  /// Returns the range that represents a statement in findings: its operation words.
  func operations(_ allow: AllowID) -> SourceRange {
    let words = rules[allow].operations
    guard let first = words.first, let last = words.last else { return rules[allow].keyword }
    return first.range.union(last.range)
  }

  /// True if a block matches every document of the database: `/{name=**}` at the top.
  func coversEverything(_ match: MatchID) -> Bool {
    let pattern = checked.matches[match.index].pattern
    let documents = pattern.lastIndex(of: .literal("documents")) ?? -1
    let rest = pattern[(documents + 1)...]
    guard rest.count == 1, case .glob = rest[rest.startIndex] else { return false }
    return true
  }

  /// Returns the bodies that deciding a statement can evaluate: its condition, and those of the functions
  /// that it calls.
  func bodies(of allow: AllowID) -> [Body] {
    rules[allow].condition.map { checked.bodies(reachedFrom: [$0]) } ?? []
  }

  /// Returns the nodes that deciding a statement can evaluate.
  func nodes(of allow: AllowID) -> [ExprID] { bodies(of: allow).flatMap { $0.nodes } }

  /// Every body of the file: conditions, lets and results.
  var allBodies: [Body] {
    rules.allows.compactMap { $0.condition }
      + rules.functions.flatMap { $0.bodies }
  }

  /// Every node of the file.
  var allNodes: [ExprID] { allBodies.flatMap { $0.nodes } }

  /// Returns the record that an expression denotes, by its form: `request.auth`, `resource`, …
  func record(_ id: ExprID) -> Record? {
    switch rules[id].kind {
    case .parenthesized(let inner): return record(inner)
    case .variable:
      switch checked.binding(id) {
      case .request: return .request
      case .resource: return .resource
      case .none, .local, .capture, .unknownVariable, .function, .builtin, .unknownFunction:
        return nil
      }
    case .member(let base, let name): return record(base)?.member(name.text)?.record
    case .literal, .list, .map, .path, .not, .negate, .binary, .isType, .conditional, .index,
      .slice, .call, .method, .invalid:
      return nil
    }
  }

  /// True if an expression reads a member of a record: `member("uid", of: .auth)`.
  func isMember(_ id: ExprID, named name: Text, of owner: Record) -> Bool {
    guard case .member(let base, let found) = rules[rules.unparenthesized(id)].kind else {
      return false
    }
    return found.text == name && record(base) == owner
  }

  /// Returns the tokens of a piece of source as texts, without comments.
  func words(_ range: SourceRange) -> [Text] {
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].range.start < range.start { low = middle + 1 } else { high = middle }
    }
    return tokens[low...].prefix { $0.range.end <= range.end }.map { token in
      Text(rules.source.string(token.range))
    }
  }

  /// Returns the tokens of a piece of source as one text, equal for pieces that differ only in white space
  /// and comments.
  func spelling(_ range: SourceRange) -> Text {
    var bytes: [UInt8] = []
    for word in words(range) { bytes += word.bytes + [0x20] }
    return Text(wellFormed: bytes)
  }

  /// Returns the text of a piece of source, shortened if it is long.
  func quote(_ range: SourceRange) -> String { rules.source.quote(range) }
}

extension [Method] {
  /// The methods as a list in words: "create, update and delete".
  var listed: String {
    map { $0.word }.listed
  }
}

extension [String] {
  /// The words as a list: "a, b and c".
  var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Diagnostic {
  /// Returns the diagnostic with the places in statements where some terms are written, each once.
  func relating(
    _ terms: [(allow: AllowID, term: InlinedTerms.Term)], in subject: LintSubject, as label: String
  ) -> Diagnostic {
    var told: Set<ExprID> = []
    return terms.reduce(self) { finding, each in
      let condition = subject.conditions[each.allow.index]
      guard let place = condition.place(of: each.term, in: subject.terms),
        told.insert(place).inserted
      else { return finding }
      return finding.relating(subject.rules[place].range, as: label)
    }
  }
}
