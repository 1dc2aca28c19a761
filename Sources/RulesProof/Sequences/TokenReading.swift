import RulesEncoding
import RulesEval
import RulesLang

// The token claims that a condition reads. Sound: a claim that can matter is in `claims`, or
// `isOpen` is true.

/// The token claims that a condition reads, through functions, parameters and `let` bindings.
struct TokenReading {
  /// The claims, in order of occurrence.
  private(set) var claims: [TokenClaim] = []
  /// True if the token is also read without naming claims, or the condition is too long.
  private(set) var isOpen = false
  private let names: StateText
  private var effort = 0

  /// Reads a condition of a claim.
  ///
  /// - Parameter frame: The environment of the condition; nil for the variables of the claim.
  init(_ condition: ExprID, in frame: StateFrame? = nil, of claim: CompiledClaim, _ rules: Checked)
  {
    names = StateText(claim, in: rules, state: .before, home: .own, leavingOut: false)
    visit(condition, in: frame ?? StateFrame(claim.claim.path.variables.map { .variable($0) }))
  }

  private var rules: Checked { names.rules }

  private mutating func note(_ claim: TokenClaim) {
    if !claims.contains(claim) { claims.append(claim) }
  }

  private mutating func visit(_ id: ExprID, in frame: StateFrame) {
    effort += 1
    if effort > Limits.expressions { isOpen = true }
    if isOpen { return }
    let (id, frame) = names.resolved(id, in: frame)
    if let (body, inner) = names.opened(id, in: frame) { return visit(body, in: inner) }
    if let chain = names.authChain(id, in: frame) {
      note(chain)
      for (operand, around) in chain.operands { visit(operand, in: around) }
      return
    }
    switch rules.ruleset[id].kind {
    case .binary(let op, let left, let right) where op == .equal || op == .notEqual:
      // A test for being signed in reads nothing of the token.
      if names.isNull(left, in: frame), names.authChain(right, in: frame)?.isAuth == true { return }
      if names.isNull(right, in: frame), names.authChain(left, in: frame)?.isAuth == true { return }
    case .binary(.in, let key, let whole):
      if let chain = names.authChain(whole, in: frame), chain.names == ["token"],
        let name = names.literalText(key, in: frame)
      {
        return note(TokenClaim([name]))
      }
    case .isType(let operand, _):
      if names.authChain(operand, in: frame)?.isAuth == true { return }
    case .member(let base, let name) where names.isRequest(base, in: frame):
      if name.text != "auth" { return }
    default: break
    }
    if case .request = rules.binding(id) { isOpen = true }
    for operand in rules.ruleset[id].operands { visit(operand, in: frame) }
  }

  private mutating func note(_ chain: AuthChain) {
    if chain.names.first == "uid" { return }
    guard chain.names.first == "token", chain.names.count > 1 else {
      isOpen = true
      return
    }
    note(TokenClaim(Array(chain.names.dropFirst())))
  }
}

extension Checked {
  /// The server-set claims that the rules name.
  var customClaims: [Text] {
    func isToken(_ id: ExprID) -> Bool {
      guard case .member(_, let name) = ruleset[ruleset.unparenthesized(id)].kind else {
        return false
      }
      return name.text == "token"
    }
    func text(_ id: ExprID) -> Text? {
      guard case .literal(.string(let text)) = ruleset[ruleset.unparenthesized(id)].kind else {
        return nil
      }
      return text
    }
    var found: [Text] = []
    let bodies =
      ruleset.allows.compactMap { $0.condition } + ruleset.functions.flatMap { $0.bodies }
    for id in bodies.flatMap({ $0.nodes }) {
      let name: Text?
      switch ruleset[id].kind {
      case .member(let base, let member) where isToken(base): name = member.text
      case .index(let base, let key) where isToken(base): name = text(key)
      case .method(let base, _, let arguments) where isToken(base):
        name = arguments.first.flatMap { text($0) }
      case .binary(.in, let key, let base) where isToken(base): name = text(key)
      default: name = nil
      }
      guard let name, Record.token.member(name) == nil, !found.contains(name) else { continue }
      found.append(name)
    }
    return found
  }
}

/// A chain of member accesses below `request.auth`.
struct AuthChain {
  /// The names below `request.auth`.
  var names: [Text]
  /// The defaults of `get` calls in the chain.
  var operands: [(ExprID, StateFrame)]

  /// True for `request.auth` itself.
  var isAuth: Bool { names.isEmpty }
}

extension StateText {
  /// Returns the member chain below `request.auth` that an expression is; nil for other
  /// expressions.
  func authChain(_ id: ExprID, in frame: StateFrame) -> AuthChain? {
    var (id, frame) = resolved(id, in: frame)
    var found = AuthChain(names: [], operands: [])
    while true {
      if let opened = opened(id, in: frame) {
        (id, frame) = resolved(opened.0, in: opened.1)
        continue
      }
      switch rules.ruleset[id].kind {
      case .member(let base, let name):
        if isRequest(base, in: frame) { return name.text == "auth" ? found : nil }
        found.names.insert(name.text, at: 0)
        (id, frame) = resolved(base, in: frame)
      case .index(let base, let key):
        guard let name = literalText(key, in: frame) else { return nil }
        found.names.insert(name, at: 0)
        (id, frame) = resolved(base, in: frame)
      case .method(let base, let name, let arguments):
        guard name.text == "get", arguments.count == 2,
          let keys = literalTexts(arguments[0], in: frame)
        else { return nil }
        found.operands.append((arguments[1], frame))
        found.names.insert(contentsOf: keys, at: 0)
        (id, frame) = resolved(base, in: frame)
      default: return nil
      }
    }
  }

  /// Returns the value of a string literal; nil for other expressions.
  func literalText(_ id: ExprID, in frame: StateFrame) -> Text? {
    guard case .literal(.string(let text)) = rules.ruleset[resolved(id, in: frame).0].kind else {
      return nil
    }
    return text
  }

  private func literalTexts(_ id: ExprID, in frame: StateFrame) -> [Text]? {
    let (id, frame) = resolved(id, in: frame)
    guard case .list(let elements) = rules.ruleset[id].kind else {
      return literalText(id, in: frame).map { [$0] }
    }
    let texts = elements.compactMap { literalText($0, in: frame) }
    return texts.count == elements.count && !texts.isEmpty ? texts : nil
  }

  /// True if an expression is `null`.
  func isNull(_ id: ExprID, in frame: StateFrame) -> Bool {
    rules.ruleset[resolved(id, in: frame).0].kind == .literal(.null)
  }
}
