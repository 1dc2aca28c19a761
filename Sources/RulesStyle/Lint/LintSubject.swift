import RulesLang

/// Checked rules with the facts that several lints ask for.
struct LintSubject: Sendable {
  /// The rules.
  let checked: Checked
  /// Results of proofs about the rules.
  let facts: LintFacts
  /// What each statement can come to for each abstract request that it covers.
  private let outcomes: [AbstractRequest: [Prospect.Outcomes]]
  /// What each expression comes to for signed-out clients, where it is evaluated at all.
  let signedOut: [ExprID: Prospect.Outcomes]

  /// The terms of all conditions.
  let terms: InlinedTerms
  /// The conditions with the functions that they call written out, by `AllowID`.
  let conditions: [InlinedCondition]

  /// The parts of each condition that all must hold, by `AllowID`; none for a statement that always grants.
  private let parts: [[InlinedTerms.Term]]
  /// The statements that take part in Firestore's decisions and grant something.
  let allows: [AllowID]
  /// True for each statement that is one of `allows`, by `AllowID`.
  private let takingPart: [Bool]
  /// The statements by the first segment of their documents' paths; those that are for any under nil.
  private let byFirstSegment: [Text?: [AllowID]]
  /// The statements of each block and of the blocks inside it, by `MatchID`.
  private let inside: [[AllowID]]

  /// The names that stand for what `get()` or `getAfter()` gave.
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

  /// Whether an expression is a document that was looked up: a call of `get()` or `getAfter()`, a name
  /// that stands for one, or a call of a function that gives one.
  func isLookup(_ id: ExprID) -> Bool { lookedUp.contains(rules.unparenthesized(id)) }

  /// True if the statement takes part in Firestore's decisions and grants something.
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

  /// The parts of a condition that all must hold; none for a statement that always grants.
  func parts(of allow: AllowID) -> [InlinedTerms.Term] { parts[allow.index] }

  /// The statements of blocks that are for every document of a block, this one among them, that take part in
  /// Firestore's decisions.
  func allows(covering match: MatchID) -> [AllowID] {
    let first = checked.firstSegment(of: match)
    let near = (byFirstSegment[nil] ?? []) + (first.map { byFirstSegment[$0] ?? [] } ?? [])
    return near.filter {
      takesPart($0) && (rules[$0].match == match || covers(rules[$0].match, match))
    }
    .sorted { $0.index < $1.index }
  }

  /// The statements that are for documents which a block may be for, and perhaps others, that take part in
  /// Firestore's decisions.
  func allows(coveredBy match: MatchID) -> [AllowID] {
    guard let first = checked.firstSegment(of: match) else { return allows }
    return (byFirstSegment[first] ?? []).filter { takesPart($0) }
  }

  /// The statements of a block and of the blocks inside it.
  func allows(inside match: MatchID) -> [AllowID] { inside[match.index] }

  /// The match blocks that take part in Firestore's decisions.
  var matches: [MatchID] {
    rules.matches.indices.map { MatchID($0) }.filter {
      rules.services[rules[$0].service].name.text == Ruleset.firestoreService
    }
  }

  /// What a statement can come to when a client does something.
  func outcomes(of allow: AllowID, for method: Method, by client: AbstractRequest.Client)
    -> Prospect.Outcomes
  {
    if facts.dead[allow]?.contains(method) == true { return .falsity }
    return outcomes[AbstractRequest(method: method, client: client)]?[allow.index] ?? []
  }

  /// What a statement lets everybody do, signed in or not.
  func openMethods(_ allow: AllowID) -> [Method] {
    checked.methods[allow.index].methods.filter {
      outcomes(of: allow, for: $0, by: .signedOut) == .truth
    }
  }

  /// What a statement lets every signed-in user do, but not everybody.
  func signedInMethods(_ allow: AllowID) -> [Method] {
    checked.methods[allow.index].methods.filter {
      outcomes(of: allow, for: $0, by: .signedIn) == .truth
        && outcomes(of: allow, for: $0, by: .signedOut) != .truth
    }
  }

  /// The place of a statement that stands for all of it: its operation words.
  func operations(_ allow: AllowID) -> SourceRange {
    let words = rules[allow].operations
    guard let first = words.first, let last = words.last else { return rules[allow].keyword }
    return first.range.union(last.range)
  }

  /// Whether a block covers every document of the database: `/{name=**}` at the top.
  func coversEverything(_ match: MatchID) -> Bool {
    let pattern = checked.matches[match.index].pattern
    let documents = pattern.lastIndex(of: .literal("documents")) ?? -1
    let rest = pattern[(documents + 1)...]
    guard rest.count == 1, case .glob = rest[rest.startIndex] else { return false }
    return true
  }

  /// The root expressions that deciding a statement can evaluate: its condition, and the lets and
  /// results of the functions that it calls.
  func bodies(of allow: AllowID) -> [Body] {
    rules[allow].condition.map { checked.bodies(reachedFrom: [$0]) } ?? []
  }

  /// The nodes that deciding a statement can evaluate.
  func nodes(of allow: AllowID) -> [ExprID] { bodies(of: allow).flatMap { $0.nodes } }

  /// Every root expression of the file: conditions, lets and results.
  var allBodies: [Body] {
    rules.allows.compactMap { $0.condition }
      + rules.functions.flatMap { $0.bodies }
  }

  /// Every node of the file.
  var allNodes: [ExprID] { allBodies.flatMap { $0.nodes } }

  /// The record that an expression is, by how it is written: `request.auth`, `resource`, …
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

  /// Whether an expression reads a member of a record: `member("uid", of: .auth)`.
  func isMember(_ id: ExprID, named name: Text, of owner: Record) -> Bool {
    guard case .member(let base, let found) = rules[rules.unparenthesized(id)].kind else {
      return false
    }
    return found.text == name && record(base) == owner
  }

  /// The words of a piece of source: its text without blanks and comments.
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

  /// The words of a piece of source as one text, the same for what means the same.
  func spelling(_ range: SourceRange) -> Text {
    var bytes: [UInt8] = []
    for word in words(range) { bytes += word.bytes + [0x20] }
    return Text(wellFormed: bytes)
  }

  /// The text of a piece of source, shortened if it is long.
  func quote(_ range: SourceRange) -> String { rules.source.quote(range) }
}

extension [Method] {
  /// The methods as a list for people: "create, update and delete".
  var listed: String {
    map { $0.word }.listed
  }
}

extension [String] {
  /// The words as a list for people: "a, b and c".
  var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Diagnostic {
  /// Returns the diagnostic with the places where statements say some terms, each once.
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
