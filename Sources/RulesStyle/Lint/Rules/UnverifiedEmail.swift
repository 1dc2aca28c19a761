import RulesLang

/// The lint for trusting the e-mail address of a token, though it may not be verified.
enum UnverifiedEmail {
  /// The lint with its page.
  static let lint = Lint(
    "unverified-email", level: .on(.warning),
    summary: "the rules trust an e-mail address that nobody has verified",
    reason: """
      A user who signs up with a password chooses the e-mail address, and can change it later. Until the
      user follows the link that is sent there, `request.auth.token.email_verified` is false, and the
      address may be somebody else's. So a statement that compares `request.auth.token.email` must also
      check `request.auth.token.email_verified == true`. Signing in with Google or Apple proves the
      address as well: `request.auth.token.firebase.sign_in_provider == 'google.com'`. In a pattern of
      `matches`, a dot stands for any character: write `[.]`.
      """,
    avoid: """
      match /payments/{payment} {
        allow read: if request.auth != null
          && request.auth.token.email.matches('.*@corp.example');
      }
      """,
    prefer: """
      match /payments/{payment} {
        allow read: if request.auth != null && request.auth.token.email_verified == true
          && request.auth.token.email.matches('.*@corp[.]example');
      }
      """,
    find: { subject in
      var known: Set<SourceRange> = []
      return subject.allows.flatMap { allow -> [Diagnostic] in
        guard let condition = subject.rules[allow].condition else { return [] }
        var search = EmailSearch(subject.checked)
        return search.unverified(in: condition.root).filter { known.insert($0.range).inserted }
          .map { Self.finding($0, in: subject) }
      }
    })

  private static func finding(_ read: EmailSearch.Read, in subject: LintSubject) -> Diagnostic {
    let found = Diagnostic.finding(
      "anyone can sign up with somebody else's e-mail address", at: read.range,
      label: "nobody has verified it",
      help: "add `request.auth.token.email_verified == true`")
    guard let pattern = read.pattern else { return found }
    return found.noting("the dot in `\(pattern)` stands for any character: write `[.]`")
  }
}

/// Finds reads of `request.auth.token.email` that count although the address may not be verified.
///
/// A conjunct joined with one that is true only for verified addresses is not searched.
private struct EmailSearch {
  /// A read of the address.
  struct Read {
    /// The place.
    var range: SourceRange
    /// The pattern that it is matched with, if that has an unescaped dot behind the `@`, which matches any
    /// character.
    var pattern: String?
  }

  /// The expressions of a function's parameters and lets.
  final class Frame {
    let locals: [(id: ExprID, frame: Frame?)]
    init(_ locals: [(id: ExprID, frame: Frame?)]) { self.locals = locals }
  }

  private let checked: Checked
  private var effort = 0
  /// Maximum expressions of a statement that are searched, twice the 1,000 that Firestore evaluates.
  private static let greatestEffort = 2000

  init(_ checked: Checked) { self.checked = checked }

  /// Returns the reads in a condition.
  mutating func unverified(in condition: ExprID) -> [Read] {
    let found = reads(condition, nil)
    return effort > Self.greatestEffort ? [] : found
  }

  // MARK: Names

  private func resolved(_ id: ExprID, _ frame: Frame?) -> (ExprID, Frame?) {
    var (id, frame) = (checked.ruleset.unparenthesized(id), frame)
    while case .local(let slot) = checked.binding(id), let around = frame,
      Int(slot) < around.locals.count
    {
      let local = around.locals[Int(slot)]
      (id, frame) = (checked.ruleset.unparenthesized(local.id), local.frame)
    }
    return (id, frame)
  }

  /// Returns the result expression of a function that is called, with its frame.
  private func opened(_ id: ExprID, _ frame: Frame?) -> (ExprID, Frame?)? {
    guard case .call(_, let arguments) = checked.ruleset[id].kind,
      case .function(let function) = checked.binding(id)
    else { return nil }
    let declaration = checked.ruleset[function]
    guard arguments.count == declaration.parameters.count else { return nil }
    var inner = Frame(arguments.map { ($0, frame) })
    for value in declaration.lets { inner = Frame(inner.locals + [(value.value.root, inner)]) }
    return (declaration.result.root, inner)
  }

  /// Returns the names that are read below `request.auth.token`, one from the other; nil for other
  /// expressions.
  private func claim(_ id: ExprID, _ frame: Frame?) -> [Text]? {
    guard let names = names(id, frame), names.count > 2, names[0] == "auth", names[1] == "token"
    else { return nil }
    return Array(names.dropFirst(2))
  }

  /// Returns the names that are read below `request`, one from the other; an element of a list has none.
  private func names(_ id: ExprID, _ frame: Frame?) -> [Text]? {
    var names: [Text] = []
    var (id, frame) = resolved(id, frame)
    while true {
      if let (body, inner) = opened(id, frame) {
        (id, frame) = resolved(body, inner)
        continue
      }
      switch checked.ruleset[id].kind {
      case .member(let base, let name):
        names.insert(name.text, at: 0)
        (id, frame) = resolved(base, frame)
      case .index(let base, let key):
        guard case .literal(let literal) = checked.ruleset[resolved(key, frame).0].kind else {
          return nil
        }
        if case .string(let name) = literal { names.insert(name, at: 0) }
        (id, frame) = resolved(base, frame)
      case .method(let base, let name, let arguments) where name.text == "get":
        guard arguments.count == 2, let key = text(arguments[0], frame) else { return nil }
        names.insert(key, at: 0)
        (id, frame) = resolved(base, frame)
      default:
        if case .request = checked.binding(id) { return names }
        return nil
      }
    }
  }

  /// True if an expression is the address of a token, or the list of addresses that the client signs in with.
  private func isAddress(_ id: ExprID, _ frame: Frame?) -> Bool {
    let names = claim(id, frame)
    return names == ["email"] || names == ["firebase", "identities", "email"]
  }

  private func text(_ id: ExprID, _ frame: Frame?) -> Text? {
    guard case .literal(.string(let text)) = checked.ruleset[resolved(id, frame).0].kind else {
      return nil
    }
    return text
  }

  // MARK: Requirements

  /// True if an expression is true only for verified addresses.
  private mutating func isRequiring(_ id: ExprID, _ frame: Frame?) -> Bool {
    effort += 1
    if effort > Self.greatestEffort { return true }
    let (id, frame) = resolved(id, frame)
    if let (body, inner) = opened(id, frame) { return isRequiring(body, inner) }
    switch checked.ruleset[id].kind {
    case .binary(.and, let left, let right):
      let isLeft = isRequiring(left, frame)
      return isRequiring(right, frame) || isLeft
    case .binary(.or, let left, let right):
      let isLeft = isRequiring(left, frame)
      return isRequiring(right, frame) && isLeft
    case .conditional(let condition, let one, let other):
      let isAsked = isRequiring(condition, frame)
      let isFirst = isRequiring(one, frame)
      return isRequiring(other, frame) && (isAsked || isFirst)
    case .binary(.equal, let left, let right):
      return isProof(left, right, frame) || isProof(right, left, frame)
    case .binary(.in, let value, let list):
      let (list, around) = resolved(list, frame)
      guard case .list(let elements) = checked.ruleset[list].kind, !elements.isEmpty else {
        return false
      }
      return elements.allSatisfy { isProof(value, frame, $0, around) }
    default: return claim(id, frame) == ["email_verified"]
    }
  }

  private func isProof(_ claimed: ExprID, _ value: ExprID, _ frame: Frame?) -> Bool {
    isProof(claimed, frame, value, frame)
  }

  private func isProof(
    _ claimed: ExprID, _ frame: Frame?, _ value: ExprID, _ around: Frame?
  ) -> Bool {
    guard let names = claim(claimed, frame),
      case .literal(let literal) = checked.ruleset[resolved(value, around).0].kind
    else { return false }
    if names == ["email_verified"] { return literal == .bool(true) }
    return names == ["firebase", "sign_in_provider"]
      && (literal == .string("google.com") || literal == .string("apple.com"))
  }

  // MARK: Reads

  /// Returns the reads in an expression; `isOwn` if it counts only for documents that are tied to the
  /// client's ID.
  private mutating func reads(_ id: ExprID, _ frame: Frame?, isOwn: Bool = false) -> [Read] {
    effort += 1
    if effort > Self.greatestEffort { return [] }
    let (id, frame) = resolved(id, frame)
    if let (body, inner) = opened(id, frame) { return reads(body, inner, isOwn: isOwn) }
    var isOwn = isOwn
    let expression = checked.ruleset[id]
    if isAddress(id, frame) { return [Read(range: expression.range)] }
    switch expression.kind {
    case .binary(.and, let left, let right):
      if isRequiring(left, frame) || isRequiring(right, frame) { return [] }
      isOwn = isOwn || isTied(left, frame) || isTied(right, frame)
    case .conditional(let condition, _, let other):
      if isRequiring(condition, frame) { return reads(other, frame, isOwn: isOwn) }
    case .binary(let op, let left, let right) where op == .equal || op == .notEqual:
      if isNull(left, frame) || isNull(right, frame) { return [] }
      if isOwn, op == .equal, isCopy(left, right, frame) || isCopy(right, left, frame) {
        return []
      }
    case .isType: return []
    case .method(let receiver, let name, let arguments) where name.text == "matches":
      var found = reads(receiver, frame)
      if found.count == 1, let pattern = arguments.first.flatMap({ text($0, frame) }),
        EmailPattern.hasOpenDot(pattern)
      {
        found[0].pattern = String(pattern)
      }
      return found
    default: break
    }
    var found: [Read] = []
    for operand in expression.operands { found += reads(operand, frame, isOwn: isOwn) }
    return found
  }

  /// True if an address is compared with written data: that opens nothing by itself.
  private func isCopy(_ address: ExprID, _ written: ExprID, _ frame: Frame?) -> Bool {
    isAddress(address, frame) && names(written, frame)?.first == "resource"
  }

  /// True if an expression is true only for documents that contain the client's ID, in the data or in the
  /// path.
  private mutating func isTied(_ id: ExprID, _ frame: Frame?) -> Bool {
    effort += 1
    if effort > Self.greatestEffort { return false }
    let (id, frame) = resolved(id, frame)
    if let (body, inner) = opened(id, frame) { return isTied(body, inner) }
    switch checked.ruleset[id].kind {
    case .binary(.and, let left, let right):
      let isLeft = isTied(left, frame)
      return isTied(right, frame) || isLeft
    case .binary(.or, let left, let right):
      let isLeft = isTied(left, frame)
      return isTied(right, frame) && isLeft
    case .binary(.equal, let left, let right):
      let sides = [names(left, frame), names(right, frame)]
      guard sides.contains(["auth", "uid"]) else { return false }
      let other = sides[0] == ["auth", "uid"] ? right : left
      if case .literal = checked.ruleset[resolved(other, frame).0].kind { return false }
      return true
    default: return false
    }
  }

  private func isNull(_ id: ExprID, _ frame: Frame?) -> Bool {
    checked.ruleset[resolved(id, frame).0].kind == .literal(.null)
  }
}

/// Patterns of e-mail addresses.
enum EmailPattern {
  /// True if a dot after the `@` matches any character.
  static func hasOpenDot(_ pattern: Text) -> Bool {
    var isBehindAt = false
    var isInBrackets = false
    var isEscaped = false
    let bytes = pattern.bytes
    for (place, byte) in bytes.enumerated() {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "["): isInBrackets = true
      case UInt8(ascii: "]"): isInBrackets = false
      case UInt8(ascii: "@"): isBehindAt = true
      case UInt8(ascii: ".") where isBehindAt && !isInBrackets:
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0
        let isRepeated = "*+?{".utf8.contains(next)
        if !isRepeated { return true }
      default: break
      }
    }
    return false
  }
}
