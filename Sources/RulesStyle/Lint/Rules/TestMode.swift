import RulesLang

/// The lint for leaving the database open until a date.
enum TestMode {
  static let lint = Lint(
    "test-mode", level: .on(.error), summary: "open to anyone until a date",
    reason: """
      The console's "test mode" writes rules that check only the date. Until then anyone can do
      everything, and from then on nobody can do anything: the app breaks overnight.
      """,
    avoid: """
      match /{document=**} {
        allow read, write: if request.time < timestamp.date(2026, 1, 31);
      }
      """,
    prefer: """
      match /users/{userId} {
        allow read, write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        guard let comparison = onlyDate(of: allow, subject) else { return nil }
        return Diagnostic.finding(
          "the condition checks only the date", at: comparison,
          help: "check who the client is: `request.auth.uid`"
        ).noting("anyone can \(subject.checked.methods[allow.index].methods.listed) until then")
      }
    })

  /// Returns the comparison of `request.time`, if the condition depends on nothing else.
  private static func onlyDate(of allow: AllowID, _ subject: LintSubject) -> SourceRange? {
    var comparison: SourceRange?
    for id in subject.nodes(of: allow) {
      let node = subject.rules[id]
      switch node.kind {
      case .binary(.less, let left, let right), .binary(.lessEqual, let left, let right),
        .binary(.greater, let left, let right), .binary(.greaterEqual, let left, let right):
        guard
          subject.isMember(left, named: "time", of: .request)
            || subject.isMember(right, named: "time", of: .request),
          [left, right].allSatisfy({ subject.checked.types[$0.index].contains(.timestamp) })
        else { return nil }
        if comparison == nil { comparison = node.range }
      case .member(let base, let name):
        guard subject.record(base) == .request, name.text == "time" else { return nil }
      case .variable:
        guard case .request = subject.checked.binding(id) else { return nil }
      case .call(_, _):
        guard case .builtin(let builtin) = subject.checked.binding(id), !builtin.isLookup,
          builtin != .debug
        else {
          if case .function = subject.checked.binding(id) { continue }
          return nil
        }
      case .binary(.or, _, _), .binary(.and, _, _), .literal, .parenthesized, .method: continue
      case .binary, .list, .map, .path, .not, .negate, .isType, .conditional, .index, .slice,
        .invalid:
        return nil
      }
    }
    return comparison
  }
}
