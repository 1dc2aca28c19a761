import RulesEval
import RulesHost
import RulesLang

/// A tool that an assistant can call: a command of the program whose parameters come from the command's table
/// of options.
struct AssistantTool: Sendable {
  /// The name.
  let name: String
  /// The description, as help has it.
  let description: String
  /// The parameters: operands first, then options.
  let parameters: [Parameter]
  /// The words of the command line before the options.
  private let words: [String]
  /// The words between options and operands.
  private let separator: [String]

  /// The names of the commands that are tools. None of them writes a file without an option that asks for it.
  private static let commands = ["check", "test", "simulate", "prove", "audit", "diff"]

  /// Returns the tools of a program.
  static func all(of tool: Tool) -> [AssistantTool] {
    commands.compactMap { name in
      tool.commands.first { $0.name == name }.map { AssistantTool($0) }
    } + [AssistantTool(explaining: tool.topics)]
  }

  /// Creates the tool of a command. Options that reach out of the process are left out.
  private init(_ command: Command) {
    name = command.name
    let offered = command.listedOptions.filter { $0.isSelfContained }
    parameters = Parameter.operands(of: command) + offered.map { Parameter($0) }
    let common = Set(CommonOptions.rows([]).map(\.name))
    let missing = command.listedOptions.filter { option in
      !option.isSelfContained && !common.contains(option.name)
    }
    let note =
      missing.isEmpty
      ? "" : "\n\nOnly on the command line: " + missing.map(\.name).joined(separator: ", ") + "."
    description = command.summary + "\n\n" + command.details + note
    words = [command.name, "--format", "pretty", "--format", "json"]
    separator = ["--"]
  }

  /// Creates the tool that prints pages of help.
  private init(explaining topics: Tool.Topics) {
    name = "explain"
    description = """
      what a diagnostic code means, or a page of help

      The page of a code has rules to avoid and rules to prefer. `codes` lists all codes; without a topic \
      the answer is an overview of the commands.
      """
    parameters = [
      Parameter(
        name: "topic", option: nil, type: .text,
        summary: "a code of a finding, such as open-write; or \(topics.summary), or a command")
    ]
    words = ["help"]
    separator = []
  }

  /// Returns the command line for the arguments of a call.
  ///
  /// - Throws: `UsageProblem` about an argument that does not fit the schema.
  func commandLine(_ arguments: JSON) throws(UsageProblem) -> [String] {
    var line = words
    var operands: [String] = []
    for member in arguments.members {
      let key = String(member.key)
      guard parameters.contains(where: { $0.name == key }) else {
        let names = parameters.map(\.name)
        let bare = String(key.drop { $0 == "-" })
        let nearest = names.contains(bare) ? bare : Spelling.nearest(to: key, among: names)
        throw UsageProblem(
          "`\(name)` has no argument \"\(key)\"",
          help: nearest.map { "did you mean \"\($0)\"?" }
            ?? "it takes \(names.joined(separator: ", "))")
      }
    }
    for parameter in parameters {
      let given = arguments.members.last { String($0.key) == parameter.name }
      guard let value = given?.value, !value.isNull else {
        if parameter.isRequired {
          throw UsageProblem(
            "`\(name)` needs the argument \"\(parameter.name)\"", help: parameter.summary)
        }
        continue
      }
      let texts = try parameter.texts(of: value)
      if let option = parameter.option {
        line += texts.map { parameter.isFlag ? option : "\(option)=\($0)" }
      } else {
        operands += texts
      }
    }
    return line + separator + operands
  }

  /// The tool as `tools/list` shows it.
  var json: JSONText {
    let required = parameters.filter(\.isRequired).map { JSONText.string($0.name) }
    var schema: [(String, JSONText)] = [
      ("type", .string("object")),
      ("properties", .object(parameters.map { ($0.name, $0.schema) })),
    ]
    if !required.isEmpty { schema.append(("required", .array(required))) }
    schema.append(("additionalProperties", .bool(false)))
    return .object([
      ("name", .string(name)), ("description", .string(description)),
      ("inputSchema", .object(schema)),
      (
        "annotations",
        .object([
          ("readOnlyHint", .bool(true)), ("idempotentHint", .bool(true)),
          ("openWorldHint", .bool(false)),
        ])
      ),
    ])
  }
}

extension AssistantTool {
  /// An argument of a tool.
  struct Parameter: Sendable {
    /// The key: the option's name without dashes, or the operand's word in small letters.
    var name: String
    /// The option; nil for an operand.
    var option: String?
    /// The type of the value, or of each element.
    var type: OptionValueType
    /// True if the option takes no value.
    var isFlag = false
    /// True if the value is a list.
    var isList = false
    /// True if it must be given.
    var isRequired = false
    /// The allowed values; empty for any.
    var choices: [String] = []
    /// One line of help.
    var summary: String

    /// Returns the operands of a command, which come from their pattern in its help: `[RULES] METHOD PATH`.
    static func operands(of command: Command) -> [Parameter] {
      let words = command.operands.split(separator: " ").map(String.init)
      return words.map { word in
        let bare = String(word.filter { $0 != "[" && $0 != "]" && $0 != "…" })
        let isList = word.contains("…")
        return Parameter(
          name: isList ? "files" : bare.lowercased(), option: nil, type: .text, isList: isList,
          isRequired: !word.hasPrefix("["), summary: "\(bare) in `\(command.operands)`")
      }
    }

    /// The schema.
    var schema: JSONText {
      var item: [(String, JSONText)] = [("type", isFlag ? .string("boolean") : type.schema)]
      if !choices.isEmpty { item.append(("enum", .array(choices.map { .string($0) }))) }
      let text = [("description", JSONText.string(summary))]
      return isList
        ? .object([("type", .string("array")), ("items", .object(item))] + text)
        : .object(item + text)
    }

    /// Returns the values for the command line; a flag that is set has one that does not matter.
    func texts(of json: JSON) throws(UsageProblem) -> [String] {
      if isFlag {
        guard case .bool(let isSet) = json.kind else { throw misfit(json, "true or false") }
        return isSet ? [""] : []
      }
      guard isList else { return [try text(of: json)] }
      guard case .array(let elements) = json.kind else { throw misfit(json, "a list") }
      var texts: [String] = []
      for element in elements { texts.append(try text(of: element)) }
      return texts
    }

    private func text(of json: JSON) throws(UsageProblem) -> String {
      switch (type, json.kind) {
      case (.text, .string(let text)), (.json, .string(let text)): return String(text)
      case (.integer, .number(let digits)), (.number, .number(let digits)): return digits
      case (.json, .object): return JSONText(json).compact
      case (.text, _): throw misfit(json, "a string")
      case (.integer, _): throw misfit(json, "an integer")
      case (.number, _): throw misfit(json, "a number")
      case (.json, _): throw misfit(json, "an object, or a string with JSON or @FILE")
      }
    }

    private func misfit(_ json: JSON, _ wanted: String) -> UsageProblem {
      UsageProblem("\"\(name)\" is \(wanted), this is \(json.kindName)", help: summary)
    }
  }
}

extension AssistantTool.Parameter {
  /// Creates the parameter of an option.
  fileprivate init(_ row: any OptionRow) {
    self.init(
      name: String(row.name.drop { $0 == "-" }), option: row.name, type: row.valueType,
      isFlag: row.value == nil, isList: row.isRepeatable, choices: row.choices,
      summary: (row.value.map { "\($0): " } ?? "") + row.summary)
  }
}

extension JSON {
  /// True for `null`, which stands for an argument that is not given.
  fileprivate var isNull: Bool {
    if case .null = kind { return true }
    return false
  }
}

extension OptionValueType {
  /// The type in a JSON Schema.
  fileprivate var schema: JSONText {
    switch self {
    case .text: .string("string")
    case .integer: .string("integer")
    case .number: .string("number")
    case .json: .array([.string("object"), .string("string")])
    }
  }
}
