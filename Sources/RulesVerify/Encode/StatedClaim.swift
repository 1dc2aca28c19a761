package import RulesEval
package import RulesLang

/// A claim compiled together with its rules. Its conditions are functions, declared in the
/// innermost match block that encloses all documents of the claim.
package struct StatedClaim: Sendable {
  /// The claim.
  package let claim: Claim
  /// The rules as they were given.
  let given: Checked
  /// The rules, extended by the claim's conditions.
  package let rules: Checked
  /// The kinds of requests that the claim is about, in the order of its certificate.
  package let kinds: [RequestKind]
  /// The match block that encloses the conditions; nil for the service.
  let owner: MatchID?
  /// The functions of the claim: the precondition `given`, the claimed condition, and for each
  /// method "the request changes one of the claim's fields".
  private(set) var precondition: FunctionID?
  private(set) var obligation: FunctionID?
  private(set) var changes: [Method: FunctionID] = [:]
  /// The functions of the conditions of its cells (`CellClaim`).
  let conditions: [FunctionID]
  /// The strings in rules and claim, which can be keys of maps, by code point.
  let keys: [Text]

  /// States a claim without conditions.
  ///
  /// - Parameter other: Another version of the rules, whose patterns distinguish kinds of requests, too.
  init(_ claim: Claim, about rules: Checked, and other: Checked) throws(StatementProblem) {
    (self.claim, given, self.rules) = (claim, rules, rules)
    (owner, conditions) = (nil, [])
    keys = Self.keys(in: [rules, other])
    kinds = RequestKind.all(of: claim, [rules, other])
    if kinds.isEmpty { throw StatementProblem("the claim is about no request") }
  }

  /// Compiles a claim with its rules, and with the conditions of its cells. Throws if the profiles
  /// differ, a condition does not compile, or no request is in scope.
  package init(
    _ claim: Claim, given conditions: [Text] = [], about rules: Checked, profile: Profile
  ) throws(StatementProblem) {
    guard rules.profile == profile else {
      throw StatementProblem("the rules are those of another profile")
    }
    let owner = Self.owner(of: claim.path, in: rules)
    self.owner = owner.block
    self.claim = claim
    var texts: [Text] = []
    if let given = claim.given { texts.append(given.text) }
    switch claim.obligation {
    case .onlyIf(let condition), .alwaysIf(let condition): texts.append(condition.text)
    case .never, .noErrors: break
    }
    let writes = claim.writes.isEmpty ? [] : claim.methods.methods.filter { $0.isWrite }
    texts += writes.map { Self.change(of: claim.writes, $0) }
    texts += conditions
    let added = texts.map { text in
      AddedCondition(
        name: Text(claim.name), parameters: claim.path.steps.compactMap { $0.name },
        owner: owner.scope, text: text)
    }
    let outcome = Checker.extend(rules, with: added)
    for diagnostic in outcome.diagnostics.joined() where diagnostic.isFatal {
      throw StatementProblem(diagnostic.message)
    }
    guard let checked = outcome.checked else {
      throw StatementProblem("the claim does not compile with the rules")
    }
    given = rules
    self.rules = checked
    keys = Self.keys(in: [checked])
    kinds = RequestKind.all(of: claim, [checked])
    if kinds.isEmpty { throw StatementProblem("the claim is about no request") }
    var functions = outcome.functions[...]
    if claim.given != nil { precondition = functions.popFirst() }
    switch claim.obligation {
    case .onlyIf, .alwaysIf: obligation = functions.popFirst()
    case .never, .noErrors: break
    }
    for method in writes { changes[method] = functions.popFirst() }
    self.conditions = Array(functions)
  }

  private static func keys(in versions: [Checked]) -> [Text] {
    Set(versions.flatMap { $0.keyStrings() })
      .sorted(by: Text.precedesByCodePoint)
  }

  private static func owner(
    of path: ClaimPath, in rules: Checked
  ) -> (scope: ScopeOwner, block: MatchID?) {
    let name = Ruleset.firestoreService
    guard let service = rules.ruleset.services.firstIndex(where: { $0.name.text == name }) else {
      return (.file, nil)
    }
    let steps = rules.database.root.map { ClaimPath.Step.literal($0) } + path.steps
    var best: (index: Int, depth: Int)?
    for (index, match) in rules.matches.enumerated()
    where rules.ruleset.matches[index].service == service {
      // Inside a block with a capture named `request` or `resource`, a claim could not mention the
      // request.
      let hides = match.captures.contains { $0.text == "request" || $0.text == "resource" }
      if !hides, encloses(match.pattern, path: steps), match.pattern.count > best?.depth ?? 0 {
        best = (index, match.pattern.count)
      }
    }
    return best.map { (.match(MatchID($0.index)), MatchID($0.index)) } ?? (.service(service), nil)
  }

  private static func encloses(_ pattern: [PatternStep], path: [ClaimPath.Step]) -> Bool {
    for (place, step) in pattern.enumerated() {
      if case .glob = step { return place == pattern.count - 1 && place < path.count }
      guard place < path.count, !path[place].isGlob else { return false }
      if case .literal(let text) = step, path[place] != .literal(text) { return false }
    }
    return true
  }

  /// Returns the condition "the request adds, changes or removes one of these fields" as rules
  /// text.
  private static func change(of fields: [FieldPath], _ method: Method) -> Text {
    let (new, old) = ("request.resource.data", "resource.data")
    let parts = fields.map { field -> String in
      let outer = field.names.dropLast().map { $0.literal }.joined(separator: ", ")
      func inside(_ data: String) -> String {
        if outer.isEmpty { return data }
        let found = data + ".get([" + outer + "], {})"
        return "(" + found + " is map ? " + found + " : {})"
      }
      let keys =
        switch method {
        case .create: inside(new) + ".keys()"
        case .delete, .get, .list: inside(old) + ".keys()"
        case .update: inside(new) + ".diff(" + inside(old) + ").affectedKeys()"
        }
      return keys + ".hasAny([" + field.names[field.names.count - 1].literal + "])"
    }
    return Text(parts.joined(separator: " || "))
  }
}

extension Checked {
  /// Returns the strings that can be keys of maps, in expressions from the number `first` on.
  func keyStrings(from first: Int = 0) -> Set<Text> {
    Set(ruleset.expressions[first...].flatMap { $0.strings })
  }
}

extension Expression {
  /// The strings in this node that can be keys of maps.
  fileprivate var strings: [Text] {
    switch kind {
    case .literal(.string(let text)): [text]
    case .member(_, let name): [name.text]
    default: []
    }
  }
}

/// The reason why a claim cannot be stated.
package struct StatementProblem: Error, Sendable {
  /// The problem, for messages.
  package let message: String

  init(_ message: String) { self.message = message }
}

extension Diagnostic {
  /// True if the diagnostic of a claim's condition refuses the claim. An unknown name merely makes
  /// a condition of rules fail, but would make a claim hold for the wrong reason.
  fileprivate var isFatal: Bool {
    severity == .error || code == .unknownFunction || code == .unknownVariable
  }
}
