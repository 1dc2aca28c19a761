import RulesEval
import RulesHost
import RulesLang
import RulesStyle

/// Reads `.rulescheck.json`: JSON with comments, in which every key must be known.
struct ConfigurationReader {
  private let source: SourceText
  /// The errors found.
  private(set) var problems: [Diagnostic] = []
  /// The warnings found.
  private(set) var remarks: [Diagnostic] = []

  /// The keys of a configuration.
  static let keys = [
    "rules", "suites", "database", "levels", "profile", "failOn", "minCoverage", "$schema",
  ]

  /// Prepares to read the text of a file.
  init(_ source: SourceText) { self.source = source }

  /// Reads all keys, going on after a mistake.
  mutating func read() -> Configuration {
    var configuration = Configuration()
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(source)
    } catch {
      report(error.message, at: error.range)
      return configuration
    }
    for member in members(json, "the configuration", known: Self.keys) {
      switch String(member.key) {
      case "rules": configuration.rules = paths(member)
      case "suites": configuration.suites = paths(member)
      case "levels": configuration.levels = levels(member.value)
      case "profile":
        configuration.profile = word(member, Profile.allCases.map(\.rawValue))
          .flatMap { Profile(rawValue: $0) }
      case "database": configuration.database = databaseName(member.value)
      case "failOn":
        configuration.failOn = word(member, FailureLevel.allCases.map(\.rawValue))
          .flatMap { FailureLevel(rawValue: $0) }
      case "minCoverage": configuration.minimumCoverage = percentage(member)
      // The schema (`$schema`) is for editors only.
      default: break
      }
    }
    return configuration
  }

  private mutating func report(_ message: String, at range: SourceRange, help: String? = nil) {
    problems.append(
      Diagnostic(.configuration, severity: .error, message: message, at: range, help: help))
  }

  /// Returns the members of an object; unknown keys are reported and left out.
  private mutating func members(
    _ json: JSON, _ what: String, known: [String]
  ) -> [JSON.Member] {
    guard case .object(let members) = json.kind else {
      report("\(what) is an object, this is \(json.kindName)", at: json.range)
      return []
    }
    for member in members where !known.contains(String(member.key)) {
      report(
        "\(what) has no key \"\(String(member.key))\"", at: member.keyRange,
        help: Self.suggestion(String(member.key), known))
    }
    return members.filter { known.contains(String($0.key)) }
  }

  private static func suggestion(_ word: String, _ known: [String]) -> String {
    Spelling.nearest(to: word, among: known).map { "did you mean \"\($0)\"?" }
      ?? (known.count > 10
        ? "see rules-check help codes" : "one of \(known.joined(separator: ", "))")
  }

  /// Returns paths, resolved against the folder of the file.
  private mutating func paths(_ member: JSON.Member) -> [String] {
    let values: [JSON]
    if case .array(let elements) = member.value.kind {
      values = elements
    } else {
      values = [member.value]
    }
    return values.compactMap { value in
      guard case .string(let text) = value.kind else {
        report("a path is a string, this is \(value.kindName)", at: value.range)
        return nil
      }
      return FilePath.join(FilePath.folder(of: source.name), with: String(text))
    }
  }

  private mutating func levels(_ json: JSON) -> [Code: LintLevel] {
    let codes = Lints.all.map(\.code) + Code.all
    var levels: [Code: LintLevel] = [:]
    let known = codes.map(\.name) + Lints.formerNames.map(\.old)
    for member in members(json, "\"levels\"", known: known) {
      let name = String(member.key)
      let present = Lints.presentName(name)
      if name != present {
        remarks.append(
          Diagnostic(
            .suite, severity: .info, message: "\"\(name)\" is called \"\(present)\" now",
            at: member.keyRange))
      }
      guard let code = codes.first(where: { $0.name == present }),
        let level = word(member, LintLevel.words).flatMap({ LintLevel.named($0) })
      else { continue }
      guard code.takes(level) else {
        report("\"\(name)\" is always an error", at: member.value.range, help: "leave it out")
        continue
      }
      levels[code] = level
    }
    return levels
  }

  /// Returns a string that is one of a few words.
  private mutating func word(_ member: JSON.Member, _ known: [String]) -> String? {
    guard case .string(let text) = member.value.kind, known.contains(String(text)) else {
      var help = "one of \(known.joined(separator: ", "))"
      if case .string(let text) = member.value.kind {
        help = Self.suggestion(String(text), known)
      }
      report("\"\(String(member.key))\" cannot have this value", at: member.value.range, help: help)
      return nil
    }
    return String(text)
  }

  private mutating func databaseName(_ json: JSON) -> DatabaseName? {
    guard case .string(let text) = json.kind else {
      report("a database is a string, this is \(json.kindName)", at: json.range)
      return nil
    }
    let name = DatabaseName(text)
    guard let problem = name.problem else { return name }
    report(problem, at: json.range)
    return nil
  }

  private mutating func percentage(_ member: JSON.Member) -> Double? {
    guard case .number(let text) = member.value.kind, let number = Double(text),
      (0...100).contains(number)
    else {
      report(
        "\"\(String(member.key))\" is a number from 0 to 100, this is not", at: member.value.range)
      return nil
    }
    return number
  }
}
