import RulesLang

// Values that conditions compare with the client: its ID, its claims, and documents about it.

extension InlinedTerms {
  /// A field of a document, stored or written.
  struct Field: Hashable {
    /// The field, or the one that contains it.
    var name: Text
    /// The text after `data.`.
    var written: String
  }

  /// Returns the field of `resource.data` that a term reads, in any notation.
  func storedField(_ term: Term) -> Field? { field(term) { isStoredData($0) } }

  /// Returns the field of `request.resource.data` that a term reads, in any notation.
  func writtenField(_ term: Term) -> Field? { field(term) { isWrittenData($0) } }

  private func field(_ term: Term, of isData: (Term) -> Bool) -> Field? {
    guard let (base, name) = read(term) else { return nil }
    if isData(base) { return Field(name: name, written: String(name)) }
    return field(base, of: isData).map {
      Field(name: $0.name, written: "\($0.written).\(String(name))")
    }
  }

  /// Returns the base and the name of a term that reads a member.
  private func read(_ term: Term) -> (base: Term, name: Text)? {
    switch self[term] {
    case .member(let base, let name): (base, name)
    case .index(let base, let key): text(key).map { (base, $0) }
    case .method(let base, "get", let arguments):
      arguments.first.flatMap { text($0) }.map { (base, $0) }
    default: nil
    }
  }

  /// True if a term is a claim of the token, or a field of a document that is looked up by the client's ID.
  func isClientValue(_ term: Term) -> Bool {
    var next = term
    while let (base, name) = read(next) {
      if name == "token", isAuth(base) { return next != term }
      next = base
    }
    guard next != term, case .builtin(let builtin, let arguments) = self[next], builtin.isLookup,
      let path = arguments.first, case .path(let segments) = self[path]
    else { return false }
    return segments.contains { if case .value(let value) = $0 { isClient(value) } else { false } }
      && !terms(in: path).contains { isWritten($0) || self[$0] == .resource }
  }

  /// Returns the field of the written document that a conjunct pins to the client: to its ID, to a claim, or
  /// to a field of a document that is looked up by its ID.
  func pinnedField(_ part: Term) -> Field? {
    guard case .binary(.equal, let one, let other) = self[part] else { return nil }
    func isOwn(_ term: Term) -> Bool { isClient(term) || isClientValue(term) }
    if isOwn(one), let field = writtenField(other) { return field }
    return isOwn(other) ? writtenField(one) : nil
  }

  /// Returns the field that names the document in which a term searches for the client's ID.
  func parentField(_ term: Term, _ field: (Term) -> Field?) -> Field? {
    let all = terms(in: term)
    guard all.contains(where: { isClient($0) }) else { return nil }
    for each in all {
      guard case .builtin(let builtin, let arguments) = self[each], builtin.isLookup,
        let path = arguments.first, case .path(let segments) = self[path]
      else { continue }
      for case .value(let value) in segments {
        if let found = field(value) { return found }
      }
    }
    return nil
  }

  /// True if a term is a path with the client's ID in it: a reference to the client's own document.
  func isClientPath(_ term: Term) -> Bool {
    guard case .path(let segments) = self[term] else { return false }
    return segments.contains { if case .value(let value) = $0 { isClient(value) } else { false } }
  }

  /// Returns the terms that can make a condition true: the operands of its `&&` and `||` and the branches of
  /// its conditional expressions, recursively; the condition itself if it is none of these.
  func grounds(of root: Term) -> [Term] {
    var found: [Term] = []
    var rest = [root]
    var seen: Set<Term> = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted else { continue }
      switch self[next] {
      case .binary(.and, let left, let right), .binary(.or, let left, let right):
        rest += [right, left]
      case .conditional(_, let one, let other): rest += [other, one]
      default: found.append(next)
      }
    }
    return found
  }

  /// True if a term is a capture or glob of the pattern that identifies the document: not the database.
  func namesDocument(_ term: Term) -> Bool {
    switch self[term] {
    case .capture(let place): place != DatabaseName.place
    case .run: true
    default: false
    }
  }
}

/// Names of fields that grant a privilege, or record a payment.
enum PrivilegedName {
  /// Words for privileges.
  private static let words: Set<String> = [
    "role", "roles", "admin", "moderator", "superadmin", "superuser", "permission",
    "permissions", "privilege", "privileges", "verified", "verification", "approved", "banned",
    "subscription", "premium", "pro", "tier", "plan", "credit", "credits", "coins", "balance",
    "wallet", "quota",
  ]

  /// Words for values that others grant, count or decide.
  private static let earnings: Set<String> = [
    "points", "score", "scores", "xp", "rank", "rating", "reputation", "karma", "earnings",
    "reward", "rewards", "status", "access", "paid", "rol",
  ]

  /// Words for those who decide what others may do.
  private static let leaders: Set<String> = [
    "admin", "admins", "owner", "owners", "moderator", "moderators", "manager", "managers",
    "organizer", "organizers", "leader", "leaders",
  ]

  /// True if a name contains a word for a privilege, as `isAdmin` and `subscription_plan` do.
  static func isOne(_ name: Text) -> Bool { parts(of: name).contains { words.contains($0) } }

  /// True if a name contains a word for values that others grant, count or decide, as `kycStatus` does.
  static func isEarned(_ name: Text) -> Bool {
    parts(of: name).contains { earnings.contains($0) }
  }

  /// True if a name contains a word for those who decide what others may do, as `adminIds` does.
  static func isLeading(_ name: Text) -> Bool {
    parts(of: name).contains { leaders.contains($0) }
  }

  /// Returns the words of a name in camel case or with underscores, in lower case.
  private static func parts(of name: Text) -> [String] {
    var parts = [""]
    for byte in name.bytes {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if !isLower { parts.append("") }
      if isUpper || isLower {
        parts[parts.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      }
    }
    return parts
  }
}
