import RulesEval
import RulesLang

extension Rules {
  /// A claim about all requests: `.only(if: "request.auth.uid == uid", on: "/users/{uid}")`.
  ///
  /// Conditions are expressions of the rules language that can use the wildcards of the claim's path and the
  /// functions of the rules. `path` is the pattern of the documents. `methods` are the methods in scope; if
  /// it is empty, all of them. If `writes` is not empty, only requests that change one of these fields are in
  /// scope; if `given` is set, only requests for which that condition is true.
  public struct Claim: Hashable, Sendable {
    /// A method of an `allow` statement.
    public enum Method: String, Sendable {
      case get, list, create, update, delete, read, write
    }

    /// The requests of the same client before the one that a claim is about.
    public enum Through: Hashable, Sendable {
      /// Any number of allowed requests.
      case any
      /// At most this many allowed requests.
      case requests(Int)
    }

    /// The claim in the notation of suites.
    let notation: Notation

    private init(
      _ obligation: JSON.Member, on path: String, methods: [Method] = [], writes: [String] = [],
      given: String?, through: Through? = nil
    ) {
      var members = [JSON.Member("path", value: Notation(path).json), obligation]
      func add(_ key: Text, _ value: Notation) {
        members.append(JSON.Member(key, value: value.json))
      }
      if !methods.isEmpty { add("methods", Notation(methods.map { Notation($0.rawValue) })) }
      if !writes.isEmpty { add("writes", Notation(writes.map { Notation($0) })) }
      if let given { add("given", Notation(given)) }
      switch through {
      case .any: add("through", Notation("any"))
      case .requests(let count): add("through", Notation(JSON(.number("\(count)"))))
      case nil: break
      }
      notation = Notation(members)
    }
  }
}

extension Rules.Claim {
  /// Claims that every allowed request satisfies the condition; with `through`, also after other requests of
  /// the same client.
  public static func only(
    if condition: String, on path: String, methods: [Method] = [], writes: [String] = [],
    given: String? = nil, through: Through? = nil
  ) -> Self {
    Self(
      JSON.Member("onlyIf", value: Notation(condition).json), on: path, methods: methods,
      writes: writes, given: given, through: through)
  }

  /// Claims that every request that satisfies the condition is allowed.
  public static func always(
    if condition: String, on path: String, methods: [Method] = [], writes: [String] = [],
    given: String? = nil
  ) -> Self {
    Self(
      JSON.Member("alwaysIf", value: Notation(condition).json), on: path, methods: methods,
      writes: writes, given: given)
  }

  /// Claims that no request is allowed; with `through`, also after other requests of the same client.
  public static func never(
    on path: String, methods: [Method] = [], writes: [String] = [], given: String? = nil,
    through: Through? = nil
  ) -> Self {
    Self(
      JSON.Member("never", value: JSON(.bool(true))), on: path, methods: methods, writes: writes,
      given: given, through: through)
  }

  /// Claims that no condition ends in an error.
  public static func noErrors(
    on path: String, methods: [Method] = [], writes: [String] = [], given: String? = nil
  ) -> Self {
    Self(
      JSON.Member("errors", value: JSON(.bool(false))), on: path, methods: methods, writes: writes,
      given: given)
  }

  /// Claims that no allowed write makes a condition on `resource` false of a document:
  /// `.keeps("resource.data.balance >= 0", on: "/accounts/{id}")`.
  public static func keeps(_ condition: String, on path: String, given: String? = nil) -> Self {
    Self(JSON.Member("keeps", value: Notation(condition).json), on: path, given: given)
  }
}

extension Rules.Claim: CustomStringConvertible {
  /// The claim as a sentence: `/users/{uid}: write that changes fcmToken, only if request.auth.uid == uid`.
  public var description: String {
    let suite = JSON(.object([JSON.Member("claims", value: JSON(.array([notation.json])))]))
    let read = SuiteReader.read(suite, in: SourceText(name: "the claim", ""))
    return read.suite?.claims.first?.statement ?? notation.text
  }
}
