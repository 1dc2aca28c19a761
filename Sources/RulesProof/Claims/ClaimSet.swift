import RulesEncoding
package import RulesEval
package import RulesLang
import RulesSolver

/// Claims compiled together with their rules.
///
/// The conditions of claims become functions of the rules file, declared in the innermost match
/// block that encloses all documents of the claim, so they can call whatever a statement there
/// could call.
package struct ClaimSet: Sendable {
  /// The engine of the rules extended by the claims' conditions.
  package let engine: Engine
  /// The claims, in order.
  package let claims: [CompiledClaim]

  /// The rules, extended by the claims' conditions.
  var rules: Checked { engine.rules }
  /// The rules as they were given, without the claims' conditions.
  let givenRules: Checked

  /// A problem of a claim.
  package struct Problem: Sendable {
    /// The index of the claim.
    package var claim: Int
    /// The message.
    package var message: String
    /// A suggestion.
    package var help: String?
    /// The range of the condition in the text that the claim was read from.
    package var range: SourceRange
  }

  /// The error of claims that cannot be compiled.
  package struct Refusal: Error, Sendable {
    /// The problems of all claims.
    package var problems: [Problem]

    /// The problems as diagnostics of the text that the claims were read from.
    package var diagnostics: [Diagnostic] {
      problems.map {
        Diagnostic(.suite, severity: .error, message: $0.message, at: $0.range, help: $0.help)
      }
    }
  }

  /// Compiles claims. Throws their problems.
  package init(
    _ claims: [Claim], about rules: Checked, profile: Profile = .emulator
  ) throws(Refusal) {
    var parts: [Part] = []
    for (index, claim) in claims.enumerated() {
      parts += Self.parts(of: claim, index, in: rules)
    }
    let outcome = Checker.extend(rules, with: parts.map { $0.condition })
    var problems: [Problem] = []
    for (part, diagnostics) in zip(parts, outcome.diagnostics) {
      problems += diagnostics.filter { $0.isFatal }.map { part.problem($0) }
    }
    guard problems.isEmpty, let checked = outcome.checked else {
      throw Refusal(problems: Self.asWritten(problems, of: claims, in: rules))
    }
    var compiled = claims.map { CompiledClaim($0, owner: Self.owner(of: $0, in: rules)) }
    for (part, function) in zip(parts, outcome.functions) {
      compiled[part.claim].add(function, as: part.purpose)
    }
    for (index, claim) in compiled.enumerated() {
      guard let kept = claim.claim.kept, let obligation = claim.obligation,
        checked.looksAtDocument(below: obligation)
      else { continue }
      problems.append(
        Problem(
          claim: index,
          message: "`\(kept.line)` calls a function that reads `resource` or `request`",
          help:
            "a `keeps` condition must name `resource` itself: pass it to the function as an "
            + "argument", range: kept.range))
    }
    guard problems.isEmpty else { throw Refusal(problems: problems) }
    self.claims = compiled
    givenRules = rules
    engine = Engine(checked, profile: profile)
  }

  // MARK: Conditions

  /// The purpose of a condition.
  enum Purpose: Sendable {
    case given, obligation
    case scope(Method)
  }

  private struct Part {
    var claim: Int
    var purpose: Purpose
    var condition: AddedCondition
    var range: SourceRange

    func problem(_ diagnostic: Diagnostic) -> Problem {
      let column = (diagnostic.range?.start ?? 0) + 1
      return Problem(
        claim: claim,
        message: "`\(String(condition.text))`, column \(column): \(diagnostic.message)",
        help: diagnostic.help, range: range)
    }
  }

  /// Rephrases problems in terms of the conditions as written: a claim about what documents keep is
  /// compiled to two conditions that its author has not seen.
  private static func asWritten(
    _ problems: [Problem], of claims: [Claim], in rules: Checked
  ) -> [Problem] {
    claims.indices.flatMap { index -> [Problem] in
      let known = problems.filter { $0.claim == index }
      guard let kept = claims[index].kept, !known.isEmpty else { return known }
      let conditions: [(Purpose, Claim.Condition?)] = [
        (.given, claims[index].keptGiven), (.obligation, kept),
      ]
      let parts = conditions.compactMap { purpose, condition in
        condition.map { part(purpose, $0, of: claims[index], index, in: rules) }
      }
      let outcome = Checker.extend(rules, with: parts.map { $0.condition })
      let found = zip(parts, outcome.diagnostics).flatMap { part, diagnostics in
        diagnostics.filter { $0.isFatal }.map { part.problem($0) }
      }
      return found.isEmpty ? known : found
    }
  }

  private static func part(
    _ purpose: Purpose, _ condition: Claim.Condition, of claim: Claim, _ index: Int,
    in rules: Checked
  ) -> Part {
    Part(
      claim: index, purpose: purpose,
      condition: AddedCondition(
        name: Text(claim.name), parameters: claim.path.variables,
        owner: owner(of: claim, in: rules), text: condition.text),
      range: condition.range)
  }

  private static func parts(of claim: Claim, _ index: Int, in rules: Checked) -> [Part] {
    func part(_ purpose: Purpose, text: Text, at range: SourceRange) -> Part {
      Self.part(purpose, Claim.Condition(text, at: range), of: claim, index, in: rules)
    }
    var parts: [Part] = []
    if let given = claim.given { parts.append(part(.given, text: given.text, at: given.range)) }
    switch claim.obligation {
    case .onlyIf(let condition), .alwaysIf(let condition):
      parts.append(part(.obligation, text: condition.text, at: condition.range))
    case .never, .noErrors: break
    }
    for method in claim.methods.methods where !claim.writes.isEmpty && method.isWrite {
      parts.append(
        part(.scope(method), text: WriteScope.text(of: claim.writes, for: method), at: claim.range))
    }
    return parts
  }

  /// Returns the innermost block whose pattern encloses every document of the claim.
  private static func owner(of claim: Claim, in rules: Checked) -> ScopeOwner {
    let ruleset = rules.ruleset
    guard
      let service = ruleset.services.firstIndex(where: {
        $0.name.text == Ruleset.firestoreService
      })
    else { return .file }
    let path = rules.database.root.map { ClaimPath.Step.literal($0) } + claim.path.steps
    var best: (match: MatchID, depth: Int)?
    for index in ruleset.matches.indices where ruleset.matches[index].service == service {
      let pattern = rules.matches[index].pattern
      // Inside a block with a capture named `request` or `resource`, a claim could not mention the
      // request.
      let isClear = rules.matches[index].captures.allSatisfy { !Self.standard.contains($0.text) }
      guard isClear, encloses(pattern, path: path), pattern.count > best?.depth ?? 0 else {
        continue
      }
      best = (MatchID(index), pattern.count)
    }
    return best.map { .match($0.match) } ?? .service(service)
  }

  /// The variables of every condition.
  private static let standard: Set<Text> = ["request", "resource"]

  private static func encloses(_ pattern: [PatternStep], path: [ClaimPath.Step]) -> Bool {
    for (place, step) in pattern.enumerated() {
      if case .glob = step { return place == pattern.count - 1 && place < path.count }
      guard place < path.count, !path[place].isGlob else { return false }
      if case .literal(let text) = step, path[place] != .literal(text) { return false }
    }
    return true
  }
}

extension Checked {
  /// True if a function called by this one reads `request` or `resource`.
  fileprivate func looksAtDocument(below function: FunctionID) -> Bool {
    let own = ruleset[function].bodies
    return bodies(reachedFrom: own).dropFirst(own.count).contains { body in
      body.nodes.contains { binding($0) == .resource || binding($0) == .request }
    }
  }
}

/// A claim whose conditions have become functions of the rules.
package struct CompiledClaim: Sendable {
  /// The claim.
  package let claim: Claim
  /// The precondition `given`.
  private(set) var given: FunctionID?
  /// The claimed condition.
  private(set) var obligation: FunctionID?
  /// For each method, the condition "the request writes one of the claim's fields".
  private(set) var scopes: [(method: Method, function: FunctionID)] = []
  /// The scope in which the conditions are declared.
  let owner: ScopeOwner

  init(_ claim: Claim, owner: ScopeOwner) {
    self.claim = claim
    self.owner = owner
  }

  mutating func add(_ function: FunctionID, as purpose: ClaimSet.Purpose) {
    switch purpose {
    case .given: given = function
    case .obligation: obligation = function
    case .scope(let method): scopes.append((method, function))
    }
  }

  /// Returns the scope conditions for requests of a method.
  func limits(for method: Method) -> [FunctionID] {
    (given.map { [$0] } ?? []) + scopes.filter { $0.method == method }.map { $0.function }
  }

  /// Returns the claim about requests of a method in the scope of both this claim and `other`.
  ///
  /// - Requires: Both are about the same documents.
  func narrowed(to other: CompiledClaim?, method: Method, _ obligation: Claim.Obligation) -> Self {
    var claim = claim
    claim.methods = MethodSet(method)
    claim.obligation = obligation
    var both = CompiledClaim(claim, owner: owner)
    both.given = given
    both.scopes = other?.given.map { [(method, $0)] } ?? []
    return both
  }

  /// The functions of all conditions.
  var functions: [FunctionID] {
    [given, obligation].compactMap { $0 } + scopes.map { $0.function }
  }

  /// The methods of the claim; only writes if it names fields.
  var methods: [Method] {
    claim.methods.methods.filter { claim.writes.isEmpty || $0.isWrite }
  }
}

/// The condition "the request adds, changes or removes one of these fields" as rules text.
enum WriteScope {
  static func text(of fields: [FieldPath], for method: Method) -> Text {
    Text(fields.map { text(of: $0, for: method) }.joined(separator: " || "))
  }

  private static func text(of field: FieldPath, for method: Method) -> String {
    let (new, old) = ("request.resource.data", "resource.data")
    let name = field.names[field.names.count - 1].literal
    let outer = field.names.dropLast().map { $0.literal }
    let keys =
      switch method {
      case .create: inside(new, at: outer) + ".keys()"
      case .delete, .get, .list: inside(old, at: outer) + ".keys()"
      case .update: inside(new, at: outer) + ".diff(" + inside(old, at: outer) + ").affectedKeys()"
      }
    return keys + ".hasAny([" + name + "])"
  }

  /// Returns the map that holds the field; an empty map where there is none.
  private static func inside(_ data: String, at outer: [String]) -> String {
    if outer.isEmpty { return data }
    let found = data + ".get([" + outer.joined(separator: ", ") + "], {})"
    return "(" + found + " is map ? " + found + " : {})"
  }
}

extension Diagnostic {
  /// True if the diagnostic of a claim's condition refuses the claim. An unknown name is a warning
  /// in rules, where it makes a condition fail; it would make a claim hold for the wrong reason.
  fileprivate var isFatal: Bool {
    if severity == .error { return true }
    switch code {
    case .unknownFunction, .unknownVariable: return true
    default: return false
    }
  }
}
