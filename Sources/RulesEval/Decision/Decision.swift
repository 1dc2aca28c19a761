public import RulesLang

/// The result of trying one allow statement for one access.
public struct Tried: Sendable {
  /// The outcome of a statement's condition.
  public enum Result: Sendable {
    /// The condition was true.
    case granted
    /// The condition was false.
    case refused
    /// The condition ended in an error, which does not grant.
    case failed(EvaluationError)
  }

  /// The statement.
  public var allow: AllowID
  /// The outcome of its condition.
  public var result: Result
  /// The outcomes of its sub-expressions, if the decision was traced.
  public var trace: Trace?
}

/// The decision about one access.
public struct AccessDecision: Sendable {
  /// The access.
  public var access: Access
  /// True if a statement granted it.
  public var isGranted: Bool
  /// The statements that were tried, in order; the last one granted, if any did.
  public var tried: [Tried]
  /// The number of expressions that were evaluated.
  public var expressions: Int
}

/// The decision about a request.
public struct Decision: Sendable {
  /// True if every access is granted.
  public var isAllowed: Bool
  /// The decided accesses: all up to the first that is refused.
  public var accesses: [AccessDecision]
  /// The number of distinct lookups.
  public var lookups: Int
  /// Notes about the request itself.
  public var notes: [String]
  /// True if the emulator's answer depends on chance, as one of the notes then says.
  public var isByChance = false
  /// The number of documents whose lookup is billed, each counted once; the request's own documents are not
  /// billed.
  public var billedReads = 0

  /// The statements that were tried, over all accesses.
  public var tried: [Tried] { accesses.flatMap { $0.tried } }

  /// The number of expressions that were evaluated, over all accesses.
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
  /// An error because a query's filters say nothing about a field has no message of its own; the message is
  /// then the place where the condition begins.
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
