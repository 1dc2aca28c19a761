import RulesLang

/// The lint for a function with the name of a built-in.
enum ShadowedBuiltin {
  static let lint = Lint(
    "shadowed-builtin", level: .on(.warning), summary: "a function with the name of a built-in",
    reason: """
      A function of the rules file hides the built-in function of the same name wherever it is
      visible. A reader of `exists(…)` expects a lookup.
      """,
    avoid: """
      function exists(field) {
        return field in request.resource.data;
      }
      match /posts/{postId} {
        allow create: if request.auth != null && exists('title');
      }
      """,
    prefer: """
      function hasField(field) {
        return field in request.resource.data;
      }
      match /posts/{postId} {
        allow create: if request.auth != null && hasField('title');
      }
      """,
    find: { subject in
      subject.rules.functions.compactMap { function -> Diagnostic? in
        guard let builtin = Builtins.function(namespace: nil, name: function.name.text),
          builtin.isDocumented
        else { return nil }
        let name = String(function.name.text)
        return Diagnostic.finding(
          "`\(name)` hides the built-in function of that name", at: function.name.range,
          help: "choose another name")
      }
    })
}
