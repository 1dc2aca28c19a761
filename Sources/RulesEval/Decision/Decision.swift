public import RulesLang

/// What one allow statement came to for one access.
public struct Tried: Sendable {
  /// How a condition ended.
  public enum Result: Sendable {
    /// It granted.
    case granted
    /// It was false.
    case refused
    /// It ended in an error, which does not grant.
    case failed(EvaluationError)
  }

  /// The statement.
  public var allow: AllowID
  /// How its condition ended.
  public var result: Result
  /// The outcomes of its sub-expressions, if they were asked for.
  public var trace: Trace?
}

/// What the rules say to one access.
public struct AccessDecision: Sendable {
  /// The access.
  public var access: Access
  /// Whether a statement granted it.
  public var isGranted: Bool
  /// The statements that were tried, in order; the last one granted, if any did.
  public var tried: [Tried]
  /// The expressions that were evaluated.
  public var expressions: Int
}

/// What the rules say to a request.
public struct Decision: Sendable {
  /// Whether every access is granted.
  public var isAllowed: Bool
  /// The accesses that were decided: all up to the first that was refused.
  public var accesses: [AccessDecision]
  /// The distinct lookups that were made.
  public var lookups: Int
  /// Remarks about the request itself.
  public var notes: [String]
  /// Whether the emulator decides this by chance, as one of the notes then says.
  public var isByChance = false
  /// The documents whose lookup is billed, each once; the request's own are not among them.
  public var billedReads = 0

  /// The statements that were tried, over all accesses.
  public var tried: [Tried] { accesses.flatMap { $0.tried } }

  /// The expressions that were evaluated, over all accesses.
  public var expressions: Int { accesses.reduce(0) { $0 + $1.expressions } }
}

extension Decision {
  /// The denial in the emulator's words; nil if the request is allowed (Docs/Language.md §15).
  public func denial(in rules: Ruleset) -> String? {
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
  public func errorMessage(in rules: Ruleset) -> String? {
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
