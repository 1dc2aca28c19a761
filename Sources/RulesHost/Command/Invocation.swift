public import RulesLang

/// A command line that was understood: operands and options with their values.
public struct Invocation {
  /// Where one report goes.
  public struct Destination {
    /// The format.
    public var format: String
    /// The file; nil for standard output.
    public var file: String?
  }

  /// The command.
  public let command: Command
  /// The name of the program, for what is said about the command line.
  public let program: String
  /// What is not an option.
  public private(set) var operands: [String] = []
  private var values: [(name: String, value: String)] = []

  /// Reads the arguments after the command's name.
  public init(
    _ command: Command, arguments: [String], of program: String
  ) throws(UsageProblem) {
    self.command = command
    self.program = program
    var rest = arguments[...]
    var isLiteral = false
    while let argument = rest.popFirst() {
      if isLiteral || argument == "-" || argument.utf8.first != UInt8(ascii: "-") {
        operands.append(argument)
      } else if argument == "--" {
        isLiteral = true
      } else {
        try readOption(argument, from: &rest)
      }
    }
    if has("--help") { return }
    guard command.operandCount.contains(operands.count) else {
      throw UsageProblem(
        operands.count < command.operandCount.lowerBound
          ? "`\(command.name)` needs \(command.operands)"
          : "`\(command.name)` does not take `\(operands[command.operandCount.upperBound])`",
        help: "usage: \(program) \(command.name) \(command.operands)")
    }
  }

  private mutating func readOption(
    _ argument: String, from rest: inout ArraySlice<String>
  ) throws(UsageProblem) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(parts[0])
    guard
      let option = command.allOptions.first(where: { $0.name == written || $0.short == written })
    else {
      if command.takesNegatives, !written.hasPrefix("--") { return operands.append(argument) }
      throw unknownOption(written)
    }
    if has(option.name), !option.isRepeatable {
      throw UsageProblem("`\(option.name)` is given twice")
    }
    guard let what = option.value else {
      if parts.count > 1 { throw UsageProblem("`\(option.name)` takes no value") }
      return values.append((option.name, ""))
    }
    guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw UsageProblem("`\(option.name)` needs a value: \(option.name) \(what)")
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      let nearest = Spelling.nearest(to: value, among: option.choices)
      throw UsageProblem(
        "`\(option.name)` cannot be `\(value)`",
        help: nearest.map { "did you mean `\($0)`?" }
          ?? "one of \(option.choices.joined(separator: ", "))")
    }
    values.append((option.name, value))
  }

  private func unknownOption(_ written: String) -> UsageProblem {
    let nearest = Spelling.nearest(to: written, among: command.allOptions.map(\.name))
    return UsageProblem(
      "`\(command.name)` has no option `\(written)`",
      help: nearest.map { "did you mean `\($0)`?" } ?? "see \(program) help \(command.name)")
  }

  /// Whether an option was given.
  public func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The value of an option; nil if it was not given.
  public subscript(_ name: String) -> String? { values.last { $0.name == name }?.value }

  /// All values of an option, in order.
  public func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// Gives an option a value unless the command line did.
  public mutating func setDefault(of name: String, to value: String) {
    if !has(name) { values.append((name, value)) }
  }

  /// Whether only what is wrong is to be printed.
  public var isQuiet: Bool { has("--quiet") }

  /// The terminal, with colour or without.
  public var terminal: Terminal {
    Terminal(color: self["--color"].flatMap { Terminal.Color(rawValue: $0) } ?? .auto)
  }

  /// Whose behaviour is followed.
  public var profile: Profile { self["--profile"].flatMap { Profile(rawValue: $0) } ?? .emulator }

  /// The reports that were asked for: each `--output` belongs to the `--format` before it.
  public var destinations: [Destination] {
    var found: [Destination] = []
    for (name, value) in values {
      switch name {
      case "--format": found.append(Destination(format: value, file: nil))
      case "--output":
        if found.isEmpty { found.append(Destination(format: command.formats[0], file: nil)) }
        found[found.count - 1].file = value
      default: break
      }
    }
    return found.isEmpty ? [Destination(format: command.formats[0], file: nil)] : found
  }

  /// Writes each report that was asked for to where it belongs.
  public func emit(_ render: (String) -> String) throws(UsageProblem) {
    try emit { format, writer in writer.write(render(format)) }
  }

  /// The same for reports that are written piece by piece.
  public func emit(_ write: (String, inout ReportWriter) -> Void) throws(UsageProblem) {
    for destination in destinations {
      do throws(FileProblem) {
        var writer = try ReportWriter(destination.file)
        write(destination.format, &writer)
        try writer.finish()
      } catch {
        throw UsageProblem(error)
      }
    }
  }
}
