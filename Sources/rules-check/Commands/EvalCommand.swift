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
      Prints the value of an expression as JSON. --env FILE names a file with one test of a suite and
      its documents: the expression then sees the test's request, resource, lookups, and `database`.
      With --lines it reads one expression per line from standard input and prints one value per line.
      """,
    takesNegatives: true,
    run: EvalCommand.run)

  private static func run(_ options: EvalOptions) throws(UsageProblem) -> ExitStatus {
    let evaluator = try evaluator(options)
    guard let expression = options.expression else { return try lines(evaluator) }
    let result = evaluator.evaluate(expression)
    switch result {
    case .value(let value):
      try options.reporting.emit { format in
        (format == .pretty ? Printable.text(ValueText.short(value)) : result.json.compact) + "\n"
      }
      return .success
    case .error:
      let (warnings, source) = evaluator.warnings(about: expression)
      if !options.reporting.isQuiet {
        Complaints(options.reporting.terminal).print(warnings, in: source, atLeast: .warning)
      }
      try options.reporting.emit { _ in result.json.compact + "\n" }
      return .failure
    case .rejected(let diagnostics, let source):
      Complaints(options.reporting.terminal).print(diagnostics, in: source)
      return .unusable
    }
  }

  /// Evaluates each line as it arrives, so that the command can serve a pipe.
  private static func lines(_ evaluator: ExpressionEvaluator) throws(UsageProblem) -> ExitStatus {
    var lines = InputLines()
    do throws(FileProblem) {
      while let line = try lines.next() {
        Terminal.print(evaluator.evaluate(line).json.compact + "\n")
      }
    } catch {
      throw UsageProblem(error)
    }
    return .success
  }

  private static func evaluator(
    _ options: EvalOptions
  ) throws(UsageProblem) -> ExpressionEvaluator {
    guard let path = options.environmentPath else {
      return ExpressionEvaluator(
        environment: nil, profile: options.profile, database: options.database ?? .standard)
    }
    let source: SourceText
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    let (environment, diagnostics) = SuiteReader.readEnvironment(
      source, now: Clock.now, in: options.database)
    guard let environment else {
      Complaints(options.reporting.terminal).print(diagnostics, in: source)
      throw UsageProblem("\(path) cannot be used as an environment")
    }
    if !options.reporting.isQuiet {
      Complaints(options.reporting.terminal).print(diagnostics, in: source, atLeast: .warning)
    }
    return ExpressionEvaluator(environment: environment, profile: options.profile)
  }
}
