import RulesLang

/// The lint for a comparison next to `in` without parentheses.
enum MisreadIn {
  static let lint = Lint(
    "misread-in", level: .on(.error),
    summary: "`in` binds more loosely than the comparison beside it",
    reason: """
      The documentation says that `in` and `is` bind more tightly than `==`; the engine does not do
      so. `a in b == c` means `a in (b == c)`, which is always an error, and `a == b in c` means
      `(a == b) in c`, which checks whether a bool is in the collection.
      """,
    avoid: """
      match /posts/{postId} {
        allow read: if request.auth != null && request.auth.uid in resource.data.members == true;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow read: if request.auth != null && request.auth.uid in resource.data.members;
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard case .binary(.in, let left, let right) = subject.rules[id].kind,
          let side = [right, left].first(where: { isComparison(subject.rules[$0].kind) })
        else { return nil }
        let node = subject.rules[id]
        return Diagnostic.finding(
          "`in` binds more loosely than it looks: this takes `\(subject.quote(subject.rules[side].range))` first",
          at: node.range,
          help: "put parentheses around what belongs together"
        ).relating(subject.rules[side].range, as: "taken first, and it is a bool")
      }
    })

  private static func isComparison(_ kind: Expression.Kind) -> Bool {
    switch kind {
    case .isType: true
    case .binary(let symbol, _, _): symbol.precedence == 5 || symbol.precedence == 6
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .conditional,
      .member, .index, .slice, .call, .method, .invalid:
      false
    }
  }
}
