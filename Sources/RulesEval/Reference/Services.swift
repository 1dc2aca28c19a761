public import RulesLang

/// Where the lookup functions get their answers.
enum Services {
  /// The documents of the request.
  case documents
  /// The documents, without `debug`: as production has it.
  case production
  /// The answers that a test case of Google's Rules Test API supplies.
  case mocks([FunctionMock])

  /// What a profile answers from what is stored.
  static func of(_ profile: Profile) -> Services { profile.hasDebug ? .documents : .production }

  /// Whether `debug` exists.
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
  /// The path that it is asked for; nil for any.
  public var path: Text?
  /// What it gives; nil for undefined.
  public var result: Value?
}
