import RulesLang

/// The lint for a capture that hides one of an outer block.
enum ShadowedCapture {
  /// The lint.
  static let lint = Lint(
    "shadowed-capture", level: .on(.warning),
    summary: "a path variable hides one of the same name further out",
    reason: """
      Inside a block a name stands for its innermost variable. If a block and one around it both say
      `{id}`, conditions of the inner block compare the inner segment, and cannot name the outer one at
      all. A check that seems to be on the user or the group further out is then on the document itself.
      Reported where a condition of the inner block reads the name. Give each variable a name of its own.
      """,
    avoid: """
      match /users/{id} {
        match /notes/{id} {
          allow read: if request.auth != null && request.auth.uid == id;
        }
      }
      """,
    prefer: """
      match /users/{userId} {
        match /notes/{noteId} {
          allow read: if request.auth != null && request.auth.uid == userId;
        }
      }
      """,
    find: { subject in
      var told: Set<SourceRange> = []
      return subject.allows.flatMap { allow -> [Diagnostic] in
        let facts = subject.checked.matches[subject.rules[allow].match.index]
        let slots = facts.captures.indices.filter { facts.hiddenCapture(by: $0) != nil }
        guard !slots.isEmpty else { return [] }
        let read = Set(
          subject.nodes(of: allow).compactMap { node -> Int? in
            if case .capture(let slot) = subject.checked.binding(node) { Int(slot) } else { nil }
          })
        return slots.filter { read.contains($0) }.compactMap { slot in
          guard let outer = facts.hiddenCapture(by: slot),
            told.insert(facts.captures[slot].range).inserted
          else { return nil }
          let name = String(facts.captures[slot].text)
          return Diagnostic.finding(
            "`\(name)` hides the variable of the same name further out",
            at: facts.captures[slot].range, label: "conditions below read this one",
            help: "give one of them another name"
          ).relating(facts.captures[outer].range, as: "cannot be read below")
        }
      }
    })
}
