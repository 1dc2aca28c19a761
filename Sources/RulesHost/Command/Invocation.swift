import RulesLang

/// A parsed command line: operands and options with their values.
package struct Invocation {
  /// The command.
  let command: Command
  /// The name of the program, for messages.
  private let program: String
  /// The arguments that are not options.
  package private(set) var operands: [String] = []
  private var values: [(name: String, value: String)] = []
  /// Returns the help for an option that the command lacks; nil if there is none.
  private let hint: @Sendable (String) -> String?

  private static let dash = UInt8(ascii: "-")

  /// Parses the arguments after the command's name.
  package init(
    _ command: Command, arguments: [String], of program: String,
    hint: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws(UsageProblem) {
    self.command = command
    self.program = program
    self.hint = hint
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
    if has(CommonOptions.help) { return }
    guard command.operandCount.contains(operands.count) else {
      throw UsageProblem(
        operands.count < command.operandCount.lowerBound
          ? "`\(command.name)` needs \(command.operands)"
          : "`\(command.name)` does not take `\(operands[command.operandCount.upperBound])`",
        help: "usage: \(program) \(command.name) \(command.operands)")
    }
  }

  /// Parses what is valid in an invalid command line, so that reports can say what is wrong.
  init(understanding arguments: [String], for command: Command, of program: String) {
    self.command = command
    self.program = program
    hint = { _ in nil }
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      if argument != "-", argument.utf8.first == UInt8(ascii: "-") {
        try? readOption(argument, from: &rest)
      }
    }
  }

  private mutating func readOption(
    _ argument: String, from rest: inout ArraySlice<String>
  ) throws(UsageProblem) {
    let parts = parts(of: argument)
    let written = parts[0]
    guard
      let option = command.options.first(where: { $0.name == written || $0.short == written })
    else {
      if try readFlags(argument) { return }
      if command.takesNegatives, !written.hasPrefix("--") { return operands.append(argument) }
      throw unknownOption(written)
    }
    if isGiven(option), !option.isRepeatable {
      throw UsageProblem("`\(option.name)` is given twice")
    }
    guard let what = option.value else {
      if parts.count > 1 { throw UsageProblem("`\(option.name)` takes no value") }
      return values.append((option.name, ""))
    }
    let isLeftOut = option.isValueOptional && rest.first?.utf8.first ?? Self.dash == Self.dash
    guard let value = parts.count > 1 ? parts[1] : isLeftOut ? "" : rest.popFirst() else {
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

  /// Reads several flags of one letter behind one dash, as in `-qh`; false if the argument is not that.
  private mutating func readFlags(_ argument: String) throws(UsageProblem) -> Bool {
    let letters = argument.dropFirst()
    guard letters.count > 1, !letters.contains("-") else { return false }
    let flags = letters.compactMap { letter in
      command.options.first { $0.short == "-\(letter)" && $0.value == nil }
    }
    guard flags.count == letters.count else { return false }
    for flag in flags {
      if isGiven(flag) { throw UsageProblem("`\(flag.name)` is given twice") }
      values.append((flag.name, ""))
    }
    return true
  }

  /// Returns the name of an option, with its value if the argument contains that, as in `--jobs=4` and `-j4`.
  private func parts(of argument: String) -> [String] {
    let short = String(argument.prefix(2))
    let isShort = command.options.contains { $0.short == short && $0.value != nil }
    if isShort, argument.count > 2, !command.takesNegatives {
      let value = argument.dropFirst(2)
      return [short, String(value.first == "=" ? value.dropFirst() : value)]
    }
    return argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  private func unknownOption(_ written: String) -> UsageProblem {
    let nearest = Spelling.nearest(to: written, among: command.listedOptions.map(\.name))
    return UsageProblem(
      "`\(command.name)` has no option `\(written)`",
      help: hint(written) ?? nearest.map { "did you mean `\($0)`?" }
        ?? "see \(program) help \(command.name)")
  }

  // MARK: Values

  /// True if a flag was given.
  package func has(_ flag: Flag) -> Bool { isGiven(flag) }

  /// Returns the value of an option, the last one if it is repeated; nil if it was not given.
  ///
  /// - Throws: `UsageProblem` about an invalid value.
  package subscript<Value>(_ option: Option<Value>) -> Value? {
    get throws(UsageProblem) { try all(option).last }
  }

  /// Returns the value of another program's option, the last one if it is repeated; nil if it was not given.
  package func value(of option: ForeignOption) -> String? { texts(option).last }

  /// Returns all values of an option, in order.
  ///
  /// - Throws: `UsageProblem` about an invalid value.
  package func all<Value>(_ option: Option<Value>) throws(UsageProblem) -> [Value] {
    var read: [Value] = []
    for text in texts(option) { read.append(try option.read(text, option.name)) }
    return read
  }

  private func isGiven(_ option: any OptionRow) -> Bool { !texts(option).isEmpty }

  private func texts(_ option: any OptionRow) -> [String] {
    precondition(
      command.options.contains { $0.name == option.name }
        || CommonOptions.names.contains(option.name),
      "the table of `\(command.name)` lacks \(option.name)")
    return values.filter { $0.name == option.name }.map(\.value)
  }

  /// The requested reports. Each file belongs to the format before it, or to the default format if there is
  /// none. A single file and a single format belong together in either order; with several formats, a file
  /// before them all would be ambiguous.
  var destinations: [(format: String, file: String?)] {
    get throws(UsageProblem) {
      let format = CommonOptions.format(command.formats).name
      var found: [(format: String, file: String?)] = []
      var early: String?
      for (name, value) in values {
        if name == format { found.append((value, nil)) }
        guard name == CommonOptions.output.name else { continue }
        guard let last = found.indices.last else {
          if let early { throw Self.twoFiles(early, value) }
          early = value
          continue
        }
        if let file = found[last].file { throw Self.twoFiles(file, value) }
        found[last].file = value
      }
      if found.isEmpty { return [(command.formats[0], early)] }
      if let early {
        guard found.count == 1, found[0].file == nil else {
          throw UsageProblem(
            "`\(CommonOptions.output.name) \(early)` precedes every `\(format)`",
            help: "give each report as `\(format) FORMAT \(CommonOptions.output.name) FILE`")
        }
        found[0].file = early
      }
      try Self.refuseSharedFiles(found.map { $0.file })
      return found
    }
  }

  private static func twoFiles(_ one: String, _ other: String) -> UsageProblem {
    UsageProblem(
      "`\(CommonOptions.output.name)` names two files for one report: \(one) and \(other)",
      help: "give each report as `--format FORMAT \(CommonOptions.output.name) FILE`")
  }

  /// Refuses two reports to one file, where the second would replace the first.
  private static func refuseSharedFiles(_ files: [String?]) throws(UsageProblem) {
    var seen: [String] = []
    for file in files.compactMap({ $0 }) where !FileSystem.isStream(file) {
      let plain = FilePath.normalized(file)
      if seen.contains(plain) {
        throw UsageProblem(
          "two reports would be written to \(file)",
          help: "give each its own `\(CommonOptions.output.name) FILE`")
      }
      seen.append(plain)
    }
  }
}
