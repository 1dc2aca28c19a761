import RulesEval
import RulesLang

extension Rules {
  /// A claim about all requests: `Claim(on: "/users/{uid}", methods: [.write], .onlyIf("…"))`.
  public struct Claim: Sendable {
    /// A method of an `allow` statement.
    public enum Method: String, Sendable {
      case get, list, create, update, delete, read, write
    }

    /// The obligation of a claim. Conditions are expressions of the rules language that can use the wildcards
    /// of the claim's path and the functions of the rules.
    public struct Obligation: Sendable {
      /// The key in suites.
      let key: Text
      /// The value of the key.
      let value: JSON

      /// Returns the obligation that every allowed request satisfies the condition.
      public static func onlyIf(_ condition: String) -> Self {
        Self(key: "onlyIf", value: JSON(.string(Text(condition))))
      }

      /// Returns the obligation that every request that satisfies the condition is allowed.
      public static func alwaysIf(_ condition: String) -> Self {
        Self(key: "alwaysIf", value: JSON(.string(Text(condition))))
      }

      /// The obligation that no request is allowed.
      public static var never: Self { Self(key: "never", value: JSON(.bool(true))) }

      /// The obligation that no condition ends in an error.
      public static var noErrors: Self { Self(key: "errors", value: JSON(.bool(false))) }
    }

    /// The claim in the notation of suites.
    let json: JSON

    /// Creates a claim.
    ///
    /// - Parameters:
    ///   - path: The pattern of the documents.
    ///   - methods: The methods; empty for all.
    ///   - writes: If not empty, only requests that change one of these fields are in scope.
    ///   - given: If set, only requests for which this condition is true are in scope.
    ///   - obligation: The obligation of requests in scope.
    public init(
      on path: String, methods: [Method] = [], writes: [String] = [], given: String? = nil,
      _ obligation: Obligation
    ) {
      func list(_ words: [String]) -> JSON { JSON(.array(words.map { JSON(.string(Text($0))) })) }
      var members = [
        JSON.Member("path", value: JSON(.string(Text(path)))),
        JSON.Member(obligation.key, value: obligation.value),
      ]
      if !methods.isEmpty {
        members.append(JSON.Member("methods", value: list(methods.map { $0.rawValue })))
      }
      if !writes.isEmpty { members.append(JSON.Member("writes", value: list(writes))) }
      if let given { members.append(JSON.Member("given", value: JSON(.string(Text(given))))) }
      json = JSON(.object(members))
    }
  }

  /// The verdict of the prover on a claim.
  public struct Verdict: Sendable, CustomStringConvertible {
    /// The kinds of verdicts.
    public enum Word: Sendable {
      /// The claim holds for all requests.
      case proved
      /// A request violates the claim.
      case violated
      /// The claim could not be decided.
      case undecided
      /// The claim's scope contains no request.
      case vacuous
    }

    /// The kind of the verdict.
    public let word: Word
    /// The statements that make a claim safe, or the violating request as a test, or the reason why the
    /// prover stopped.
    public let description: String
  }
}
