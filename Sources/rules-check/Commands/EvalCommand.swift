import RulesEval
import RulesHost
import RulesLang
import RulesReport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `rules-check eval`: evaluates expressions.
enum EvalCommand {
  static let command = Command(
    name: "eval", operands: "EXPRESSION", operandCount: 0...1,
    summary: "one expression of the rules language",
    details: """
      Prints the value of an expression as JSON. With --env FILE, one test of a suite with
      documents, the expression sees its request, resource, lookups, and `database`. With --lines,
      expressions are read from standard input, one a line, and answered one a line.
      """,
    options: [
      Option(
        name: "--env", value: "FILE", summary: "the request to evaluate in, as a test of a suite"),
      Option(name: "--lines", value: nil, summary: "one expression a line on standard input"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["json", "pretty"],
    takesNegatives: true,
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let expression = invocation.operands.first
    if (expression == nil) == !invocation.has("--lines") {
      throw UsageProblem(
        expression == nil ? "`eval` needs EXPRESSION" : "--lines reads from standard input only",
        help: "rules-check eval \"'a' in {'a': 1}\"")
    }
    let evaluator = try evaluator(invocation)
    guard let expression else { return lines(evaluator) }
    let result = evaluator.evaluate(expression)
    switch result {
    case .value(let value):
      try invocation.emit { format in
        (format == "pretty" ? ValueText.short(value) : result.json.compact) + "\n"
      }
      return .success
    case .error:
      try invocation.emit { _ in result.json.compact + "\n" }
      return .failure
    case .rejected(let diagnostics, let source):
      Complaints(invocation.terminal).print(diagnostics, in: source)
      return .unusable
    }
  }

  /// Answers each line as it comes, so that the command can serve a pipe.
  private static func lines(_ evaluator: ExpressionEvaluator) -> ExitStatus {
    while let line = readLine(strippingNewline: true) {
      Terminal.print(evaluator.evaluate(line).json.compact + "\n")
    }
    return .success
  }

  private static func evaluator(
    _ invocation: Invocation
  ) throws(UsageProblem) -> ExpressionEvaluator {
    guard let path = invocation["--env"] else {
      return ExpressionEvaluator(environment: nil, profile: invocation.profile)
    }
    let source: SourceText
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    let (environment, diagnostics) = SuiteReader.readEnvironment(source, now: Clock.now)
    guard let environment else {
      Complaints(invocation.terminal).print(diagnostics, in: source)
      throw UsageProblem("\(path) cannot be used as an environment")
    }
    if !invocation.isQuiet {
      Complaints(invocation.terminal).print(diagnostics, in: source, atLeast: .warning)
    }
    return ExpressionEvaluator(environment: environment, profile: invocation.profile)
  }
}
