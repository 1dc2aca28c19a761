import RulesLang

/// Heuristics for path variables that name an owner.
enum Owner {
  private static let users = ["user", "uid", "owner", "author"]
  private static let words = users + ["profile", "account", "member"]

  /// Returns the innermost capture of a block that looks like an owner: by its own name, or because it is
  /// right below a collection such as `users`.
  static func of(_ match: MatchID, in subject: LintSubject) -> Name? {
    let facts = subject.checked.matches[match.index]
    let slot = facts.captures.indices.last { isOwner($0, of: facts) }
    return slot.map { facts.captures[$0] }
  }

  /// True if one capture of a block looks like an owner.
  static func isOwner(_ slot: Int, of facts: MatchFacts) -> Bool {
    if names(facts.captures[slot].text) { return true }
    guard let place = facts.pattern.firstIndex(of: .capture(UInt8(slot))), place > 0,
      case .literal(let text) = facts.pattern[place - 1]
    else { return false }
    return names(text)
  }

  /// Returns words for the documents of all owners: by the capture if that is a person, else by the
  /// collection.
  static func documents(of owner: Name, in match: MatchID, _ subject: LintSubject) -> String {
    if let collection = collection(of: owner, in: match, subject) {
      return "every document of `\(collection)`"
    }
    return "the documents of every `\(String(owner.text))`"
  }

  /// Returns the reason why a capture looks like an owner, for the end of a finding.
  static func reason(of owner: Name, in match: MatchID, _ subject: LintSubject) -> String {
    if let collection = collection(of: owner, in: match, subject) {
      return "documents of `\(collection)` look like somebody's own"
    }
    return "looks like an owner"
  }

  /// Returns the advice to let only the owner in.
  static func help(for owner: Name, in match: MatchID, _ subject: LintSubject) -> String {
    let name = String(owner.text)
    return collection(of: owner, in: match, subject) == nil
      ? "compare the owner: `request.auth.uid == \(name)`"
      : "compare the owner with `request.auth.uid`: `\(name)`, or the field that names the owner"
  }

  /// Returns the collection whose name alone makes a capture look like an owner.
  private static func collection(
    of owner: Name, in match: MatchID, _ subject: LintSubject
  ) -> String? {
    let facts = subject.checked.matches[match.index]
    guard !names(owner.text),
      let slot = facts.captures.lastIndex(where: { $0.text == owner.text }),
      let place = facts.pattern.firstIndex(of: .capture(UInt8(slot))), place > 0,
      case .literal(let text) = facts.pattern[place - 1]
    else { return nil }
    return String(text)
  }

  /// True if a name is that of a user's ID.
  static func isUser(_ name: Text) -> Bool {
    let lower = String(name).lowercased()
    return users.contains { lower.hasPrefix($0) } || lower.hasSuffix("uid")
  }

  private static func names(_ text: Text) -> Bool {
    let lower = String(text).lowercased()
    return words.contains { lower.hasPrefix($0) } || lower.hasSuffix("uid")
      || lower.hasSuffix("userid") || lower.hasSuffix("ownerid")
  }
}
