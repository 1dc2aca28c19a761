// The checker's diagnostics. The messages are Google's own where its compiler has a message for the problem
// (Docs/Language.md §10); notes and help are ours.

extension Diagnostic {
  // MARK: Names

  static func unknownVariable(_ name: Name, known: [String]) -> Diagnostic {
    let text = String(name.text)
    return Diagnostic(
      .unknownVariable, severity: .warning, message: "Invalid variable name: \(text).",
      at: name.range, help: ForeignVariable.help(for: text, among: known)
    ).suggesting(Spelling.nearest(to: text, among: known)).noting(
      "reading it is an error at run time, so the condition does not grant")
  }

  static func unknownFunction(
    _ name: String, at range: SourceRange, known: [String]
  ) -> Diagnostic {
    let meant = Spelling.nearest(to: name, among: known)
    let space = namespace(of: name)
    // For a name in a namespace, the range starts after the dot.
    let isElsewhere = !space.isEmpty && meant.map { !$0.hasPrefix(space) } ?? false
    var diagnostic = Diagnostic(
      .unknownFunction, severity: .warning, message: "Invalid function name: \(name).", at: range,
      help: ForeignMethod.help(for: name) ?? meant.map { "did you mean `\($0)`?" }
    ).noting("calling it is an error at run time, so the condition does not grant")
    if !isElsewhere {
      diagnostic = diagnostic.fixing(with: meant.map { String($0.dropFirst(space.count)) })
    }
    return diagnostic
  }

  /// Returns `math.` for `math.abs`; empty if there is no dot.
  private static func namespace(of name: String) -> String {
    name.lastIndex(of: ".").map { String(name[...$0]) } ?? ""
  }

  /// The diagnostic of a name in code that no `allow` reaches: Google's compiler knows names such as
  /// `request` and `get` only where an `allow` is seen to use them.
  func inUnreachedCode(_ name: String, of function: Name?) -> Diagnostic {
    var copy = self
    copy.isUnreached = true
    let reason =
      function.map { "finds none that calls `\(String($0.text))`: call it, or remove it" }
      ?? "this one allows nothing"
    copy.notes = ["Google's compiler knows `\(name)` only where an `allow` uses it, and \(reason)"]
    return copy
  }

  static func lookupOutsideService(_ name: Name) -> Diagnostic {
    Diagnostic(
      .lookupScope, severity: .warning,
      message: "Call to service function '\(String(name.text))' occurs outside of defining scope.",
      at: name.range, help: "declare the function inside `service cloud.firestore`"
    ).noting("the call still works")
  }

  static func argumentCount(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .argumentCount, severity: .warning,
      message: "Incorrect number of arguments supplied to function: \(name).",
      at: range)
  }

  static func unusedFunction(_ name: Name) -> Diagnostic {
    Diagnostic(
      .unusedFunction, severity: .warning, message: "Unused function: \(String(name.text)).",
      at: name.range)
  }

  static func unusedVariable(_ name: Name) -> Diagnostic {
    Diagnostic(
      .unusedVariable, severity: .warning, message: "Unused variable: \(String(name.text)).",
      at: name.range)
  }

  static func duplicateFunction(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateFunction, severity: .error,
      message: "Function \(String(name.text)) is already defined.",
      at: name.range)
  }

  static func duplicateParameter(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateVariable, severity: .error,
      message: "Variable \(String(name.text)) is already defined.",
      at: name.range)
  }

  static func alreadyBound(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateVariable, severity: .error,
      message: "The identifier [\(String(name.text))] is already bound in the current scope.",
      at: name.range)
  }

  static func duplicateService(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateService, severity: .error, message: "Duplicate service name declaration.",
      at: name.range)
  }

  static func unknownService(_ name: Name) -> Diagnostic {
    Diagnostic(
      .unknownService, severity: .warning, message: "Invalid service name: \(String(name.text)).",
      at: name.range,
      help: "Firestore rules belong in `service cloud.firestore`"
    ).noting("nothing inside takes part in Firestore's decisions")
  }

  static func unknownOperation(_ name: Name) -> Diagnostic {
    let text = String(name.text)
    return Diagnostic(
      .unknownOperation, severity: .warning, message: "Invalid method name: \(text).",
      at: name.range
    ).suggesting(Spelling.nearest(to: text, among: Operation.words)).noting(
      "the word grants nothing")
  }

  // MARK: Types

  static func typeMismatch(
    _ received: TypeList, expected: TypeList, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      .typeMismatch, severity: .warning,
      message:
        "Invalid type. Received one of [\(received.words)]. Expected one of [\(expected.words)].",
      at: range
    ).noting("evaluating it is an error at run time, so the condition does not grant")
  }

  static func conditionType(_ received: TypeList, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .conditionType, severity: .warning,
      message: "Invalid type. Permission statements expect a boolean value. Received one of "
        + "[\(received.words)].",
      at: range
    ).noting("a condition that is not a bool does not grant")
  }

  static func contradictoryUse(_ name: Text, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .contradictoryUse, severity: .warning,
      message:
        "Invalid type. There is no type for variable '\(String(name))' that satisfies all clauses.",
      at: range)
  }

  static func constantComparison(isAlways: Bool, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .constantComparison, severity: .warning,
      message: "The sub-expressions are not comparable, so this comparison will always return "
        + "\(isAlways).",
      at: range)
  }

  static func differentBranches(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .differentBranches, severity: .warning,
      message:
        "Ternary operator result if condition is true has a different type than if condition is "
        + "false.",
      at: range)
  }

  // MARK: Versions and globs

  static func oldVersion() -> Diagnostic {
    Diagnostic(
      .oldVersion, severity: .warning,
      message:
        "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).",
      at: nil, help: "begin the file with `rules_version = '2';`")
  }

  static func letInVersion1(_ name: Name) -> Diagnostic {
    Diagnostic(
      .letVersion, severity: .error,
      message: "Let bindings are not allowed in rules_version=\"1\";", at: name.range,
      help: "begin the file with `rules_version = '2';`")
  }

  static func globNotLast(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .misplacedGlob, severity: .error,
      message:
        "Invalid glob match expression. Glob matches are permitted as the last segment in a match "
        + "declaration path.",
      at: range, help: "version 2 allows it: begin the file with `rules_version = '2';`")
  }

  static func secondGlob(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .misplacedGlob, severity: .error,
      message:
        "Invalid glob match expression. Only one glob match is permitted in a match declaration "
        + "path.",
      at: range)
  }

  static func belowGlob(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .globChildren, severity: .warning,
      message: "Glob(**) resource rules should not have child resource rules.",
      at: range
    ).noting("in version 1 no request reaches a block below a `{name=**}`")
  }

  // MARK: Recursion and limits

  static func recursion(_ name: Name) -> Diagnostic {
    Diagnostic(
      .recursion, severity: .error, message: "Recursive call is not allowed.", at: name.range)
  }

  static func callCycle(_ names: [Name]) -> Diagnostic {
    let cycle = names.map { String($0.text) }.joined(separator: ",")
    return Diagnostic(
      .recursion, severity: .error, message: "Detected a call cycle between [\(cycle)] functions.",
      at: names[0].range)
  }

  static func callTooDeep(_ names: [Name], at name: Name, limit: Int) -> Diagnostic {
    let chain = names.map { String($0.text) }.joined(separator: "->")
    return Diagnostic(
      .limitCallDepth, severity: .error,
      message: "Maximum allowed call depth of \(limit) is reached for [\(chain)] call stack.",
      at: name.range)
  }

  static func pathTooLong(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitPathLength, severity: .error, message: "Maximum allowed path length of 100 is reached.",
      at: range)
  }

  static func tooManyCaptures(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitCaptures, severity: .error,
      message: "Maximum allowed amount of 20 match field variables is reached.",
      at: range)
  }

  static func tooManyParameters(_ name: Name) -> Diagnostic {
    Diagnostic(
      .limitParameters, severity: .error,
      message:
        "Maximum allowed function arguments of 7 for function \(String(name.text)) is reached.",
      at: name.range)
  }

  /// The diagnostic of too many lets: Google's compiler points at the token after the first let too many.
  static func tooManyLets(at range: SourceRange, _ binding: Function.Let) -> Diagnostic {
    Diagnostic(
      .limitLets, severity: .error,
      message: "Maximum allowed variable count of 10 for a given function has been reached.",
      at: range
    ).relating(binding.name.range, as: "the first one too many")
  }

  static func sourceTooLarge(_ size: Int, isRefused: Bool) -> Diagnostic {
    Diagnostic(
      .limitSource, severity: isRefused ? .error : .warning,
      message: "the source has \(size) bytes; production accepts 262144", at: nil,
      help: "remove unused code, or share conditions in functions"
    ).noting("lints do not run on a file of this size")
  }

  static func moreDiagnostics() -> Diagnostic {
    Diagnostic(
      .tooManyErrors, severity: .warning,
      message: "more errors and warnings are not listed", at: nil)
  }

  static func invalidPattern(_ message: Text, at range: SourceRange) -> Diagnostic {
    Diagnostic(.invalidPattern, severity: .error, message: String(message), at: range)
  }
}
