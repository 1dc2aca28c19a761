public import RulesLang

/// The source of the lookup functions' answers.
enum Services {
  /// The documents of the request.
  case documents
  /// The documents, without the function `debug`, as in production.
  case production
  /// The answers that a test case of Google's Rules Test API supplies.
  case mocks([FunctionMock])

  /// Returns the source in a profile.
  static func of(_ profile: Profile) -> Services { profile.hasDebug ? .documents : .production }

  /// True if `debug` exists.
  var hasDebug: Bool {
    switch self {
    case .documents: true
    case .production, .mocks: false
    }
  }

  /// Answers a lookup.
  func answer(
    _ function: Builtin, for path: PathValue, with lookups: inout Lookups
  ) throws(EvaluationError.Reason) -> Value {
    guard case .mocks(let mocks) = self else { return try lookups.answer(function, for: path) }
    let name = Builtins.entry(function).name
    let candidates = mocks.filter { $0.function == name }
    let chosen =
      candidates.first { $0.path.map { $0 == path.text } ?? false }
      ?? candidates.first { $0.path == nil }
    guard let chosen else { throw .functionNotFound(String(name)) }
    guard let result = chosen.result else { throw .nullValue }
    return result
  }
}

/// A scripted answer of a lookup function in Google's test format.
public struct FunctionMock: Sendable {
  /// The function: `get`, `exists`, `getAfter` or `existsAfter`.
  public var function: Text
  /// The path for which it answers; nil for any.
  public var path: Text?
  /// The answer; nil for undefined.
  public var result: Value?
}
