import RulesEncoding
import RulesEval
import RulesLang

// Conditions about another account than the request's client. Its user ID is a variable, and so is
// each part that only reads its token, with an arbitrary truth value: a token stays the same
// whoever writes. Comparisons of the token with stored data are not followed.

extension StateText {
  /// Writes a read of `request.auth` for another account.
  mutating func accountText(
    _ chain: AuthChain, at id: ExprID
  ) throws(StateObstacle) -> String {
    guard let account, chain.isUserID else {
      throw unfollowed("the token of another account", at: id)
    }
    variables.insert(account)
    return String(account)
  }

  /// Returns the variable for a token read of another account inside a path.
  mutating func accountSegment(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> Text {
    if let account, authChain(id, in: frame)?.isUserID == true {
      variables.insert(account)
      return account
    }
    guard let said = requesterText(id, in: frame) else {
      throw unfollowed("the token of another account", at: id)
    }
    return tokenVariable(for: said)
  }

  /// Returns a part that only reads the token as a variable; nil for other parts.
  mutating func tokenPart(_ id: ExprID, in frame: StateFrame) -> String? {
    guard account != nil, !speaksOfState(id, in: frame, depth: 0),
      let said = requesterText(id, in: frame)
    else { return nil }
    return "(\(String(tokenVariable(for: said))) == 'true')"
  }

  /// Returns an expression as written for the request's client; nil if it reads what the request
  /// does.
  private func requesterText(_ id: ExprID, in frame: StateFrame) -> String? {
    var other = self
    other.account = nil
    return try? other.text(id, in: frame)
  }

  private mutating func tokenVariable(for said: String) -> Text {
    if !tokenTexts.contains(said) { tokenTexts.append(said) }
    var name = Text("token\(tokenTexts.firstIndex(of: said) ?? 0)")
    while path.variables.contains(name) { name = name + Text("_") }
    variables.insert(name)
    return name
  }
}

extension AuthChain {
  /// True for the user ID, under each of its three names.
  var isUserID: Bool {
    operands.isEmpty && [["uid"], ["token", "sub"], ["token", "user_id"]].contains(names)
  }
}
