import RulesEncoding
import RulesEval
import RulesLang

// A condition of another account than the one that makes the request. Its user ID is a variable; a part
// that only asks something of its token is a variable, too, true or not as it may be: what the token says
// stays the same, whoever writes. What compares the token with what is stored is not followed.

extension StateText {
  /// Writes what is read below `request.auth` of another account.
  mutating func accountText(
    _ chain: AuthChain, at id: ExprID
  ) throws(StateObstacle) -> String {
    guard let account, chain.isUserID else {
      throw unfollowed("the token of another account", at: id)
    }
    variables.insert(account)
    return String(account)
  }

  /// The variable for what another account's token has inside a path.
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

  /// A part that asks something of the token alone, as a variable; nil if it is another part.
  mutating func tokenPart(_ id: ExprID, in frame: StateFrame) -> String? {
    guard account != nil, !speaksOfState(id, in: frame, depth: 0),
      let said = requesterText(id, in: frame)
    else { return nil }
    return "(\(String(tokenVariable(for: said))) == 'true')"
  }

  /// An expression as it would be said of the account that makes the request; nil if it speaks of what the
  /// request does.
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
  /// True for the user ID, in each of its three places.
  var isUserID: Bool {
    operands.isEmpty && [["uid"], ["token", "sub"], ["token", "user_id"]].contains(names)
  }
}
