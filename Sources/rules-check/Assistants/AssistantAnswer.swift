import RulesEval
import RulesHost
import RulesLang

/// The answer of a tool: text for the assistant, and the report as JSON if the command has one.
struct AssistantAnswer {
  private let status: ExitStatus
  private let text: String
  private let report: JSONText?
  /// The meaning of the exit code; nil if there is nothing to say about it.
  private let meaning: String?

  /// Creates the answer to a call with unusable arguments.
  init(_ problem: UsageProblem, to tool: String) {
    status = .unusable
    text = problem.message + "\n" + (problem.help.map { "  help: \($0)\n" } ?? "")
    report = nil
    meaning = status.meaning(for: tool)
  }

  /// Creates the answer of a tool from the result of its command line.
  init(_ run: CapturedRun, of tool: String, to commandLine: [String]) {
    status = run.status
    meaning = status.meaning(for: tool)
    var parts = [run.text, run.complaints]
    for path in Set(commandLine.map(Self.path)).sorted() where Confinement.hasRefused(path) {
      if run.complaints.contains("\(path): \(Confinement.reason)") { continue }
      parts.append("  note: \(path) \(Confinement.reason)")
    }
    text = parts.map(Self.trimmed).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    report = run.json.flatMap { bytes in
      (try? JSONParser.parse(SourceText(name: "", bytes: bytes))).map { JSONText($0) }
    }
  }

  /// Returns the path in an argument: `a.json` of `a.json`, `@a.json` and `--data=@a.json`.
  private static func path(_ argument: String) -> String {
    let isOption = argument.hasPrefix("--")
    let value = isOption ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
    return String(value.first == "@" ? value.dropFirst() : value)
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0.isNewline }.reversed())
  }

  /// Returns the result of the request.
  func json(isStructured: Bool) -> JSONText {
    let last = meaning.map { "\nexit code \(status.rawValue): \($0)" } ?? ""
    var members: [(String, JSONText)] = [
      (
        "content",
        .array([.object([("type", .string("text")), ("text", .string(text + last))])])
      )
    ]
    if isStructured, let report, let meaning {
      members.append(
        (
          "structuredContent",
          .object([
            ("exitCode", .int(Int(status.rawValue))), ("meaning", .string(meaning)),
            ("report", report),
          ])
        ))
    }
    members.append(("isError", .bool(status == .unusable || status == .defect)))
    return .object(members)
  }
}

extension ExitStatus {
  /// Returns the meaning of the code for an assistant that has called a tool; nil for a page of help.
  fileprivate func meaning(for tool: String) -> String? {
    switch (self, tool) {
    case (.success, "explain"): nil
    case (.success, "simulate"): "the rules allow the request"
    case (.failure, "simulate"): "the rules deny the request"
    case (.success, "check"): "the rules compile, and no finding has the level of fail-on"
    case (.success, _): "everything that was requested holds"
    case (.failure, _): "something does not hold: see the report"
    case (.unusable, _): "it could not run, so nothing was decided"
    case (.undecided, _): "undecided: something could not be decided, so this is not a success"
    case (.defect, _): "a defect of rules-check"
    }
  }
}
