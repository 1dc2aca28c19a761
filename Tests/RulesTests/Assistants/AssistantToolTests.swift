import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import rules_check

/// Tools as commands with their tables of options.
@Suite struct AssistantToolTests {
  private static let tools = AssistantTool.all(of: .rulesCheck)

  private func tool(_ name: String) throws -> AssistantTool {
    try #require(Self.tools.first { $0.name == name })
  }

  private func json(_ text: String) throws -> JSON {
    try JSONParser.parse(SourceText(name: "", text))
  }

  /// The command line of a call, or the problem with it.
  private func line(_ name: String, _ arguments: String) throws -> String {
    let (tool, arguments) = (try tool(name), try json(arguments))
    do throws(UsageProblem) {
      return try tool.commandLine(arguments).joined(separator: " ")
    } catch {
      return error.message
    }
  }

  @Test func parametersAreTheSelfContainedOptionsOfTheCommand() throws {
    #expect(
      Self.tools.map(\.name) == ["check", "test", "simulate", "prove", "audit", "diff", "explain"])
    for command in Tool.rulesCheck.commands
    where Self.tools.contains(where: { $0.name == command.name }) {
      let names = try tool(command.name).parameters.compactMap(\.option)
      let offered = command.listedOptions.filter { $0.isSelfContained }
      #expect(names == offered.map(\.name))
      #expect(Set(try tool(command.name).parameters.map(\.name)).count > names.count)
    }
  }

  /// Options that would wait for ever, write a file, start a program or open a connection are not offered.
  @Test func optionsThatReachOutAreNotOffered() throws {
    let all = Set(Self.tools.flatMap(\.parameters).compactMap(\.option))
    for option in [
      "--watch", "--emulator", "--base", "--fix", "--write", "--certificate", "--smtlib",
      "--defects", "--output", "--format", "--color", "--help",
    ] {
      #expect(!all.contains(option), "\(option)")
    }
    for option in ["--deep", "--repair", "--only-if", "--quiet", "--timeout"] {
      #expect(all.contains(option), "\(option)")
    }
    #expect(try tool("diff").description.hasSuffix("Only on the command line: --base, --defects."))
  }

  @Test func schemasHaveTypesChoicesAndRequiredOperands() throws {
    func schema(_ name: String) throws -> JSON {
      let json = try json(try tool(name).json.compact)
      return try #require(json.member("inputSchema"))
    }
    let simulate = try schema("simulate")
    #expect(simulate.member("required")?.list.compactMap(\.plainText) == ["method", "path"])
    #expect(simulate.at(["properties", "merge", "type"])?.plainText == "boolean")
    #expect(simulate.at(["properties", "limit", "type"])?.plainText == "integer")
    #expect(
      simulate.at(["properties", "data", "type"])?.list.compactMap(\.plainText)
        == ["object", "string"])
    #expect(simulate.at(["properties", "where", "items", "type"])?.plainText == "string")
    let prove = try schema("prove")
    #expect(prove.member("required") == nil)
    #expect(prove.at(["properties", "files", "type"])?.plainText == "array")
    #expect(prove.at(["properties", "timeout", "type"])?.plainText == "number")
    #expect(
      prove.at(["properties", "expect", "enum"])?.list.compactMap(\.plainText)
        == ["proved", "violated", "vacuous"])
    #expect(try schema("diff").member("required")?.list.compactMap(\.plainText) == ["old", "new"])
  }

  @Test func argumentsBecomeACommandLine() throws {
    let start = "--format pretty --format json"
    #expect(
      try line("check", #"{"deep": true, "no-ignore": false, "level": ["a=off", "b=info"]}"#)
        == "check \(start) --level=a=off --level=b=info --deep --")
    #expect(
      try line(
        "simulate",
        #"{"path": "/a/b", "method": "set", "data": {"n": [1, "x y"]}, "as": null, "before": "@a"}"#
      )
        == #"simulate \#(start) --before=@a --data={"n":[1,"x y"]} -- set /a/b"#)
    // An operand is never taken for an option.
    #expect(try line("audit", #"{"rules": "--help"}"#) == "audit \(start) -- --help")
    #expect(
      try line("prove", #"{"timeout": 1.5, "steps": 12}"#)
        == "prove \(start) --timeout=1.5 --steps=12 --")
    #expect(try line("explain", #"{"topic": "claims"}"#) == "help claims")
  }

  @Test(arguments: [
    ("check", #"{"deep": 1}"#, "\"deep\" is true or false, this is a number"),
    ("check", #"{"files": "a"}"#, "\"files\" is a list, this is a string"),
    ("check", #"{"files": [["a"]]}"#, "\"files\" is a string, this is a list"),
    ("prove", #"{"steps": "1"}"#, "\"steps\" is an integer, this is a string"),
    ("simulate", #"{"path": "/a/b"}"#, "`simulate` needs the argument \"method\""),
    (
      "simulate", #"{"path": "/a/b", "method": "get", "data": 1}"#,
      "\"data\" is an object, or a string with JSON or @FILE, this is a number"
    ),
    ("test", #"{"emulator": "a:1"}"#, "`test` has no argument \"emulator\""),
  ])
  func argumentsThatDoNotFitAreRefused(_ name: String, _ given: String, _ problem: String) throws {
    #expect(try line(name, given) == problem)
  }
}
