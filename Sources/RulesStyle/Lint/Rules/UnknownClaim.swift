import RulesLang

/// The lint for a claim of the token that is spelled almost like a standard one.
enum UnknownClaim {
  static let lint = Lint(
    "unknown-claim", level: .on(.warning),
    summary: "a claim that is spelled almost like a standard one",
    reason: """
      Tokens have the claims that Firebase puts into them, in snake case, and those that the project
      adds. Reading a claim that is not there is an error, so the condition never grants.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.auth != null && request.auth.token.emailVerified == true;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null && request.auth.token.email_verified == true;
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard case .member(let base, let name) = subject.rules[id].kind,
          subject.record(base) == .token, let meant = standard(name.text)
        else { return nil }
        let isElsewhere = meant.contains(".")
        let whole = subject.rules[base].range.union(name.range)
        return Diagnostic.finding(
          "`\(String(name.text))` is not a standard claim", at: name.range
        ).suggesting(meant, for: isElsewhere ? whole : name.range).noting(
          "if the project adds such a claim itself, ignore this with that reason")
      }
    })

  /// Returns the standard claim that a name is probably meant to be.
  private static func standard(_ name: Text) -> String? {
    let claims = Record.token.members.map { String($0.name) }
    let written = String(name)
    if claims.contains(written) { return nil }
    if written == "uid" || written == "userId" { return "request.auth.uid" }
    let folded = fold(written)
    if let same = claims.first(where: { fold($0) == folded }) { return same }
    // A short word may be a custom claim of the project.
    guard written.utf8.count >= 5 else { return nil }
    return claims.first {
      Spelling.nearest(to: written, among: [$0]) != nil && isNear(written, to: $0)
    }
  }

  private static func fold(_ name: String) -> String {
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "_" }))
    let lower = plain.lowercased()
    return lower.hasPrefix("is") ? String(lower.dropFirst(2)) : lower
  }

  private static func isNear(_ one: String, to other: String) -> Bool {
    abs(one.utf8.count - other.utf8.count) <= 1 && other.utf8.count >= 5
      && one.utf8.first == other.utf8.first
  }
}
