import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A condition protects documents of others only if it depends on the client. An outsider is an
// account that anybody can create and that no stored data mentions: neither its user ID nor its
// e-mail address occurs in a stored document or in the rules, and the server has set none of its
// claims.
//
// Sound: a request counts as an outsider's only if `isOutsider` confirms it, and the evaluator
// decides it; for that the propositions merely guide the search. "No outsider" is proved only by
// propositions that are true of all outsiders, so not by those that fix a user ID or an e-mail
// address: `email.matches('.*@gmail[.]com')` is false of one address and true of others.

/// A class of accounts without privileges: those that anybody can create, or those whose server-set
/// claims have values that nothing else mentions.
struct Outsider {
  /// The string literals of the rules.
  private let written: Set<Text>
  /// The claims that may have any value.
  private let kept: Set<Text>
  /// True if the account may have other server-set claims.
  private let hasClaims: Bool

  /// User IDs of outsiders: a short one for reports, and one with the length of Firebase's.
  private static let names: [Text] = ["mallory", "k7Wq2mZp9RtXv4LsB8nYc3JfHd61"]
  private static let email: Text = "someone@new-account.example"
  private static let claim: Text = "somebody-else"
  /// Claims in every token that do not identify the client.
  private static let plain: Set<Text> = [
    "name", "picture", "email_verified", "iss", "aud", "iat", "exp", "auth_time",
  ]

  /// Creates a class of accounts.
  ///
  /// - Parameters:
  ///   - claims: True to allow server-set claims, with values that are mentioned nowhere.
  ///   - kept: The claims that may have any value.
  init(in rules: Checked, claims: Bool = false, keeping kept: Set<Text> = []) {
    var written: Set<Text> = []
    for id in rules.conditionNodes {
      if case .literal(.string(let text)) = rules.ruleset[id].kind { written.insert(text) }
    }
    (self.written, self.kept, hasClaims) = (written, kept, claims)
  }

  // MARK: Requests

  /// Returns a request as outsiders would make it, with different user IDs.
  func candidates(from candidate: CandidateRequest) -> [CandidateRequest] {
    guard let principal = candidate.principal, case .string(let uid) = principal.uid else {
      return candidate.principal == nil ? [candidate] : []
    }
    return Self.names.map { name in
      var pairs = [(old: uid, new: name)]
      if case .string(let email)? = principal.token["email"] { pairs.append((email, Self.email)) }
      var copy = candidate
      let token = token(from: principal.token, uid: name, replacing: &pairs)
      copy.principal = Principal(uid: name, claims: token, provider: "password")
      func renamed(_ value: Value) -> Value {
        pairs.reduce(value) { $0.replacing($1.old, with: $1.new) }
      }
      copy.after = Self.sent(from: candidate.before, to: candidate.after, renamed)
      for place in candidate.others.indices where candidate.others[place].isChanged {
        let other = candidate.others[place]
        copy.others[place].after = Self.sent(from: other.before, to: other.after, renamed)
        if other.before == nil {
          copy.others[place].path = DocumentPath(
            other.path.segments.map { $0 == uid ? name : $0 })
        }
      }
      return copy
    }.filter { isOutsider($0) }
  }

  /// Returns the token of an outsider, and records the renaming of claim values.
  private func token(
    from old: MapValue, uid: Text, replacing pairs: inout [(old: Text, new: Text)]
  ) -> MapValue {
    var token = MapValue()
    for (name, value) in old {
      if Self.plain.contains(name) || kept.contains(name) {
        token[name] = value
      } else if name == "email" {
        token[name] = .string(Self.email)
      } else if hasClaims, Record.token.member(name) == nil, case .string(let text) = value {
        token[name] = .string(Self.claim)
        pairs.append((text, Self.claim))
      }
    }
    if case .map(let firebase)? = old["firebase"], let provider = firebase["sign_in_provider"],
      case .string(let name) = provider,
      Role(claim: ["firebase", "sign_in_provider"], test: .equals(.string(name))).isFree
    {
      token["firebase"] = .map(MapValue([("sign_in_provider", provider)]))
    }
    return token
  }

  /// Returns the written document with the changed values renamed.
  private static func sent(
    from before: MapValue?, to after: MapValue?, _ renamed: (Value) -> Value
  ) -> MapValue? {
    guard var after else { return nil }
    for name in SuiteWriter.changedKeys(from: before ?? MapValue(), to: after) {
      if let value = after[name] { after[name] = renamed(value) }
    }
    return after
  }

  // MARK: Who is one

  /// True if the client is signed out or an outsider.
  func isOutsider(_ candidate: CandidateRequest) -> Bool {
    guard let principal = candidate.principal else { return true }
    guard case .string(let uid) = principal.uid else { return false }
    var own: [Text] = [uid]
    for (name, value) in principal.token {
      switch (name, value) {
      case ("email", .string(let text)): own.append(text)
      case ("email", _), ("phone_number", _): return false
      case ("firebase", .map(let firebase)):
        for (name, value) in firebase {
          guard name == "sign_in_provider", case .string(let text) = value,
            text == "custom"
              || Role(claim: ["firebase", "sign_in_provider"], test: .equals(.string(text))).isFree
          else { return false }
        }
      case ("sub", _), ("user_id", _): break
      default:
        if Self.plain.contains(name) || kept.contains(name) { break }
        guard hasClaims, case .string(let text) = value else { return false }
        own.append(text)
      }
    }
    return own.allSatisfy { text in !written.contains(text) && !candidate.mentions(text) }
  }

  /// Returns the server-set claims of the client, except the kept ones.
  func claims(of candidate: CandidateRequest) -> [Text] {
    guard let token = candidate.principal?.token else { return [] }
    return token.keys.filter { Record.token.member($0) == nil && !kept.contains($0) }
  }

  // MARK: Propositions

  /// Returns propositions that are true of outsiders' requests, as far as terms of the query
  /// express it.
  ///
  /// - Parameter isNamed: True to fix the user ID and the e-mail address, and to leave the telephone
  ///   number out, which guides the search. False for propositions that are true of all outsiders.
  func propositions(on compiler: Compiler, isNamed: Bool) -> [Ref] {
    let token = compiler.scene.token
    let own = identifiers(on: compiler)
    var found = own.map { compiler.problem.isType(of: $0, in: .string) }.filter { $0 != .yes }
    if isNamed { found += fixedNames(on: compiler) }
    let terms = compiler.problem.terms
    func isStranger(_ term: TermID) -> Ref {
      compiler.problem.graph.and(own.map { $0 == term ? .no : !compiler.problem.same($0, term) })
    }
    func holds(_ term: TermID) -> Ref { compiler.problem.same(term, terms.yes) }
    func add(_ ref: Ref) { if ref != .yes { found.append(ref) } }
    for case .same(let one, let other)? in compiler.problem.graph.atoms {
      for (term, mate) in [(one, other), (other, one)] {
        if terms.isStored(term), !terms.isConstant(mate) { add(isStranger(term)) }
        if own.contains(mate), case .string(let text)? = terms.value(of: term),
          written.contains(text)
        {
          add(!compiler.problem.same(mate, term))
        }
      }
    }
    for index in 0..<terms.count {
      let term = TermID(index)
      guard case .apply(let op, let arguments) = terms[term] else {
        if case .variable(.segment) = terms[term] { add(isStranger(term)) }
        continue
      }
      switch op {
      case .has where arguments[0] == token:
        guard case .string(let name)? = terms.value(of: arguments[1]) else { break }
        if !mayHave(name, isNamed: isNamed) { add(!holds(term)) }
      case .has, .member:
        guard terms.isStored(arguments[0]), !terms.isConstant(arguments[1]) else { break }
        add(compiler.problem.graph.or([isStranger(arguments[1]), !holds(term)]))
      case .exists:
        guard case .apply(.document(.before), let path) = terms[arguments[0]] else { break }
        for segment in path where !terms.isConstant(segment) {
          add(compiler.problem.graph.or([isStranger(segment), !holds(term)]))
        }
      case .field where arguments[0] == token:
        guard hasClaims, case .string(let name)? = terms.value(of: arguments[1]),
          !kept.contains(name), Record.token.member(name) == nil
        else { break }
        add(compiler.problem.same(term, compiler.problem.text(Self.claim)))
      default: break
      }
    }
    return found
  }

  /// Returns the terms that identify the client: the user ID, and the values of these claims.
  private func identifiers(
    on compiler: Compiler, claims: Set<Text> = ["email", "phone_number"]
  ) -> [TermID] {
    let terms = compiler.problem.terms
    return [compiler.scene.uid]
      + (0..<terms.count).map { TermID($0) }.filter { term in
        guard case .apply(.field, let arguments) = terms[term],
          arguments[0] == compiler.scene.token,
          case .string(let name)? = terms.value(of: arguments[1])
        else { return false }
        return claims.contains(name)
      }
  }

  /// Returns the propositions that fix the user ID and the e-mail address.
  private func fixedNames(on compiler: Compiler) -> [Ref] {
    identifiers(on: compiler, claims: ["email"]).map { term in
      let isUser = term == compiler.scene.uid
      let text = isUser ? Self.names[Self.names.count - 1] : Self.email
      return compiler.problem.same(term, compiler.problem.text(text))
    }
  }

  private func mayHave(_ claim: Text, isNamed: Bool) -> Bool {
    if claim == "phone_number" { return !isNamed }
    return Record.token.member(claim) != nil || hasClaims || kept.contains(claim)
  }
}

extension Checked {
  /// The expressions of all conditions and functions.
  fileprivate var conditionNodes: [ExprID] {
    let bodies =
      ruleset.allows.compactMap { $0.condition } + ruleset.functions.flatMap { $0.bodies }
    return bodies.flatMap { $0.nodes }
  }
}

extension TermTable {
  /// True if a term is part of the data stored before the request.
  fileprivate func isStored(_ term: TermID) -> Bool {
    var root = term
    while case .apply(let op, let arguments) = self[root], let first = arguments.first {
      if case .document(let snapshot) = op { return snapshot == .before }
      guard op == .field || op == .element || op == .data else { return false }
      root = first
    }
    return self[root] == .variable(.before)
  }
}

extension CandidateRequest {
  /// True if the string occurs in stored data or in the path.
  fileprivate func mentions(_ text: Text) -> Bool {
    let isInPath = path.segments.contains { $0.mentions(text) }
    return isInPath || before?.mentions(text) ?? false
      || others.contains { other in
        guard let data = other.before else { return false }
        return data.mentions(text) || other.path.segments.contains { $0.mentions(text) }
      }
  }
}

extension MapValue {
  fileprivate func mentions(_ text: Text) -> Bool {
    contains { $0.0.mentions(text) || $0.1.mentions(text) }
  }
}

extension Text {
  fileprivate func mentions(_ part: Text) -> Bool {
    let (whole, wanted) = (bytes, part.bytes)
    guard let last = wanted.isEmpty ? nil : whole.count - wanted.count, last >= 0 else {
      return false
    }
    return (0...last).contains { whole[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}

extension Value {
  fileprivate func mentions(_ text: Text) -> Bool {
    switch self {
    case .string(let own): own.mentions(text)
    case .list(let elements): elements.contains { $0.mentions(text) }
    case .map(let map): map.mentions(text)
    case .path(let path): ((try? path.flattened()) ?? []).contains { $0.mentions(text) }
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .mapDiff,
      .vector, .constraint:
      false
    }
  }

  fileprivate func replacing(_ old: Text, with new: Text) -> Value {
    switch self {
    case .string(let text): text == old ? .string(new) : self
    case .list(let elements): .list(elements.map { $0.replacing(old, with: new) })
    case .map(let map):
      .map(MapValue(map.map { ($0.0 == old ? new : $0.0, $0.1.replacing(old, with: new)) }))
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      self
    }
  }
}
