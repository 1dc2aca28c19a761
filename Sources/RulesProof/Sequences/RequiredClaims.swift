import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A token claim is required only if it is proved that nothing is granted without it and one of the
// values that the condition compares it with. Being mentioned is not enough.

/// The token claims that a condition requires.
struct RequiredClaims {
  private let prover: Prover
  private let claim: CompiledClaim
  private let condition: ExprID
  private let rules: Checked

  /// The token claims that the condition reads.
  let reading: TokenReading

  /// Prepares for a condition.
  ///
  /// - Parameter claim: Its scope restricts the requests.
  init(_ prover: Prover, claim: CompiledClaim, condition: ExprID) {
    self.prover = prover
    self.claim = claim
    self.condition = condition
    rules = prover.set.rules
    reading = TokenReading(condition, of: claim, rules)
  }

  /// The claims read that users choose and that no verified claim vouches for.
  var chosen: [TokenClaim] {
    reading.claims.filter { $0.setter == .user && !isVouchedFor($0) }
  }

  /// The claims without which, and without one of the expected values, nothing is granted.
  var needed: [TokenClaim] {
    var parts: [(text: String, claims: [TokenClaim])] = []
    collect(condition, in: StateFrame(claim.claim.path.variables.map { .variable($0) }), &parts)
    return reading.claims.filter { claim in
      let asked = parts.filter { $0.claims.contains(claim) }.map { "(\($0.text))" }
      guard let name = claim.names.first, !asked.isEmpty else { return false }
      return isNeeded(
        "\(name.literal) in request.auth.token && (\(asked.joined(separator: " || ")))")
    }
  }

  private func isVouchedFor(_ claim: TokenClaim) -> Bool {
    let vouchers = claim.vouchers
    return !vouchers.isEmpty && isNeeded(vouchers.joined(separator: " || "))
  }

  /// True if it is proved that nothing in scope is granted unless a condition is true.
  private func isNeeded(_ text: String) -> Bool {
    var question = claim.claim
    question.obligation = .onlyIf(Claim.Condition(Text(text)))
    question.through = nil
    guard
      let set = try? ClaimSet([question], about: rules, profile: prover.set.engine.profile),
      // In another scope, the claim's condition could call other functions of equal names.
      set.claims[0].owner == claim.owner
    else { return false }
    let asked = Prover(set, validation: prover.validation, within: prover.budget)
    guard case .proved = asked.decideRequest(0, shrinking: false, judging: false) else {
      return false
    }
    return true
  }

  /// Collects the parts of a condition that require something to be present, with the claims that
  /// each reads.
  private func collect(
    _ id: ExprID, in frame: StateFrame, _ parts: inout [(text: String, claims: [TokenClaim])]
  ) {
    var text = StateText(claim, in: rules, state: .before, home: .own, leavingOut: false)
    let (id, frame) = text.resolved(id, in: frame)
    if let (body, inner) = text.opened(id, in: frame) { return collect(body, in: inner, &parts) }
    switch rules.ruleset[id].kind {
    case .binary(let op, let left, let right) where op == .and || op == .or:
      collect(left, in: frame, &parts)
      return collect(right, in: frame, &parts)
    case .binary(.notEqual, _, _), .not, .conditional, .isType: return
    default: break
    }
    let claims = TokenReading(id, in: frame, of: claim, rules).claims
    if claims.isEmpty { return }
    // Conditions on the request are quoted, unless they use names of a function.
    let isPlain = frame.locals.allSatisfy { local in
      if case .variable = local { return true }
      return false
    }
    if let said = try? text.text(id, in: frame) {
      parts.append((said, claims))
    } else if isPlain {
      parts.append((rules.ruleset.source.string(rules.ruleset[id].range), claims))
    }
  }
}

extension [TokenClaim] {
  /// The claims in words: `token.email and token.name`.
  var words: String {
    let texts = map { $0.text }
    guard let last = texts.last else { return "" }
    return texts.count == 1 ? last : texts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns a phrase that users choose these claims, and what would verify them.
  func choiceSentence(isOpen: Bool) -> String {
    if isEmpty, isOpen { return "claims of the token that it does not name" }
    let isEmail = contains { $0.names == ["email"] }
    return words + ", which users choose themselves"
      + (isEmail ? " where nothing checks token.email_verified" : "")
  }
}

extension TokenReading {
  /// True if only the server controls what is read.
  var isOnlyOfServer: Bool { !isOpen && claims.allSatisfy { $0.setter == .server } }

  /// The assumptions of sequence proofs about these reads, a phrase each.
  var leftOut: [String] {
    let claims = claims.filter { $0.setter == .signIn }
    return claims.isEmpty ? [] : ["signing in in another way (\(claims.words))"]
  }

  /// True if users choose none of the claims read, given the `chosen` ones.
  func isVouchedFor(but chosen: [TokenClaim]) -> Bool { chosen.isEmpty && !isOpen }
}
