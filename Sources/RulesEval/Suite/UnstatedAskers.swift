public import RulesLang

/// The tests without an `as`: their client is signed out, perhaps by mistake.
public struct UnstatedAskers: Sendable {
  /// The range of the first test.
  private var first: SourceRange?
  /// The number of tests.
  private var count = 0

  /// Creates an empty set.
  public init() {}

  /// Adds a test.
  mutating func add(_ test: SourceRange) {
    first = first ?? test
    count += 1
  }

  /// Adds the tests of the part that follows.
  public mutating func add(_ next: Self) {
    first = first ?? next.first
    count += next.count
  }

  /// A single warning for all these tests; nil if there are none.
  public var warning: Diagnostic? {
    guard let first else { return nil }
    let others = count - 1
    let which =
      others == 0
      ? "this test does" : "this test and \(others) other\(others == 1 ? "" : "s") do"
    var warning = Diagnostic(
      .missingAsker, severity: .warning,
      message: "\(which) not name a client, so nobody is signed in", at: first,
      help: "write \"as\": null if that is intended")
    warning.notes = ["rules that require a user deny it for that reason alone"]
    return warning
  }
}
