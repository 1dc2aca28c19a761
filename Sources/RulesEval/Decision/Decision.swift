package import RulesLang

/// What one allow statement came to for one access.
package struct Tried: Sendable {
  /// How a condition ended.
  package enum Result: Sendable {
    /// It granted.
    case granted
    /// It was false.
    case refused
    /// It ended in an error, which does not grant.
    case failed(EvaluationError)
  }

  /// The statement.
  package var allow: AllowID
  /// How its condition ended.
  package var result: Result
  /// The outcomes of its sub-expressions, if they were asked for.
  package var trace: Trace?
}

/// What the rules say to one access.
package struct AccessDecision: Sendable {
  /// The access.
  package var access: Access
  /// Whether a statement granted it.
  package var isGranted: Bool
  /// The statements that were tried, in order; the last one granted, if any did.
  package var tried: [Tried]
  /// The expressions that were evaluated.
  package var expressions: Int
}

/// What the rules say to a request.
package struct Decision: Sendable {
  /// Whether every access is granted.
  package var isAllowed: Bool
  /// The accesses that were decided: all up to the first that was refused.
  package var accesses: [AccessDecision]
  /// The distinct lookups that were made.
  package var lookups: Int
  /// Remarks about the request itself.
  package var notes: [String]
  /// Whether the emulator decides this by chance, as one of the notes then says.
  package var isByChance = false
  /// The documents whose lookup is billed, each once; the request's own are not among them.
  package var billedReads = 0

  /// The statements that were tried, over all accesses.
  package var tried: [Tried] { accesses.flatMap { $0.tried } }

  /// The expressions that were evaluated, over all accesses.
  package var expressions: Int { accesses.reduce(0) { $0 + $1.expressions } }
}

extension Decision {
  /// The denial in the emulator's words; nil if the request is allowed (Docs/Language.md §15).
  package func denial(in rules: Ruleset) -> String? {
    guard !isAllowed, let refused = accesses.last else { return nil }
    if refused.tried.isEmpty { return "No matching allow statements" }
    let method = refused.access.method.word
    let parts = refused.tried.map { tried -> String in
      let line = rules.source.line(of: rules[tried.allow].keyword.start)
      return "\(tried.text(in: rules)) for '\(method)' @ L\(line)"
    }
    return parts.joined(separator: ", ")
  }
}

extension Tried {
  /// The engine's message if the condition ended in an error; nil if it did not.
  ///
  /// What a query's filters do not say has no text of its own; the message is then the place where
  /// the condition begins.
  package func errorMessage(in rules: Ruleset) -> String? {
    guard case .failed(let error) = result else { return nil }
    if let message = error.reason.message { return message }
    let begin = rules[allow].condition.map { rules[$0.root].range.start } ?? error.site.start
    let place = rules.source.position(of: begin)
    return "evaluation error at L\(place.line):\(place.column)"
  }

  fileprivate func text(in rules: Ruleset) -> String {
    switch result {
    case .granted: "true"
    case .refused: "false"
    case .failed: errorMessage(in: rules) ?? ""
    }
  }
}
