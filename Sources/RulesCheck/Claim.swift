import RulesEval
import RulesLang

extension Rules {
  /// A statement about all requests: `Claim(on: "/users/{uid}", methods: [.write], .onlyIf("…"))`.
  public struct Claim: Sendable {
    /// What an `allow` statement can be for.
    public enum Method: String, Sendable {
      case get, list, create, update, delete, read, write
    }

    /// What is claimed. Conditions are expressions of the rules language, in which the wildcards of the
    /// claim's path and the functions of the rules can be used.
    public struct Obligation: Sendable {
      /// Its key in the notation of suites.
      let key: Text
      /// What stands behind the key.
      let value: JSON

      /// Whatever is allowed satisfies the condition.
      public static func onlyIf(_ condition: String) -> Self {
        Self(key: "onlyIf", value: JSON(.string(Text(condition))))
      }

      /// Whatever satisfies the condition is allowed.
      public static func alwaysIf(_ condition: String) -> Self {
        Self(key: "alwaysIf", value: JSON(.string(Text(condition))))
      }

      /// Nothing is allowed.
      public static var never: Self { Self(key: "never", value: JSON(.bool(true))) }

      /// No condition ends in an error.
      public static var noErrors: Self { Self(key: "errors", value: JSON(.bool(false))) }
    }

    /// The claim in the notation of suites.
    let json: JSON

    /// A claim about the requests for documents at a path: with these methods, all if there are none;
    /// that change one of the fields in `writes`, if there are any; and for which `given` is true.
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

  /// What the prover says to a claim.
  public struct Verdict: Sendable, CustomStringConvertible {
    /// The word.
    public enum Word: Sendable {
      /// It holds for all requests.
      case proved
      /// A request shows that it does not hold.
      case violated
      /// Neither is known.
      case undecided
      /// It is about no request.
      case vacuous
    }

    /// What it is.
    public let word: Word
    /// The statements that make a claim safe, or the request that refutes it as a test, or what stopped
    /// the prover.
    public let description: String
  }
}
