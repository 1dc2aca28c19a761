import RulesLang

/// The lint for a block with statements whose path no document has.
enum UnmatchedPath {
  static let lint = Lint(
    "unmatched-path", level: .on(.warning),
    summary: "no document has a path that this block matches",
    reason: """
      Paths begin with `/databases/{database}/documents`, and go on in pairs: collection, document,
      collection, document. A block that matches a collection never applies.
      A query for the documents of `/users` is decided by the block for `/users/{id}`.
      """,
    avoid: """
      match /users {
        allow list: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{id} {
        allow list: if request.auth != null;
      }
      """,
    find: { subject in
      subject.matches.compactMap { match -> Diagnostic? in
        guard !subject.rules[match].allows.isEmpty else { return nil }
        let pattern = subject.checked.matches[match.index].pattern
        let range = subject.rules[match].patternRange
        guard ForeignDatabase.foreignPlace(of: match, in: subject.checked) == nil,
          !matchesDocuments(pattern)
        else { return nil }
        return Diagnostic.finding(
          "this matches a collection, and statements apply to documents", at: range,
          help: "add the document: `/{id}`")
      }
    })

  /// True if a pattern, from `databases` on, can match a document, which is always in a collection.
  static func matchesDocuments(_ pattern: [PatternStep]) -> Bool {
    pattern.contains { $0.isGlob } || pattern.count >= 5 && !pattern.count.isMultiple(of: 2)
  }
}

extension PatternStep {
  /// True if the part matches a run of segments.
  var isGlob: Bool {
    if case .glob = self { true } else { false }
  }
}
