import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesTesting
import Testing

@testable import rules_check

/// The pages of `help` about files: their examples are read, and they name every key.
@Suite struct TopicHelpTests {
  private static func page(_ name: String) throws -> String { try #require(TopicHelp.page(name)) }

  @Test func thePageAboutSuitesNamesEveryKey() throws {
    let page = try Self.page("suites")
    for key in Self.keys(of: SuiteSchema.json, in: ["suite", "group", "test", "step", "sequence"]) {
      #expect(page.contains("\"\(key)\""), "\(key)")
    }
  }

  @Test func thePageAboutClaimsNamesEveryKey() throws {
    let page = try Self.page("claims")
    for key in Self.keys(of: SuiteSchema.json, in: ["claim"]) {
      #expect(page.contains("\"\(key)\""), "\(key)")
    }
  }

  @Test func thePageAboutConfigurationNamesEveryKey() throws {
    let page = try Self.page("config")
    for key in ConfigurationReader.keys { #expect(page.contains("\"\(key)\""), "\(key)") }
    let example = try #require(
      page.split(separator: "\n\n").first { $0.hasPrefix("  {") }.map { String($0) })
    var reader = ConfigurationReader(SourceText(name: "example", example))
    let configuration = reader.read()
    #expect(reader.problems.isEmpty && configuration.levels.count == 2)
  }

  @Test func theExamplesAreRead() throws {
    let (suite, diagnostics) = SuiteReader.read(SourceText(name: "example", TopicHelp.suite))
    #expect(diagnostics.isEmpty)
    let read = try #require(suite)
    #expect(read.tests.count == 5 && read.warnings.isEmpty)
    let whole = "{\"claims\": [\(TopicHelp.claim)]}"
    let (claims, wrong) = SuiteReader.read(SourceText(name: "example", whole))
    #expect(wrong.isEmpty && claims?.claims.count == 1)
  }

  @Test(arguments: TopicHelp.names)
  func everyPageFitsATerminalAndIsFound(_ name: String) throws {
    let page = try Self.page(name)
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(Tool.rulesCheck.topics.page(name) == page)
  }

  /// The keys of objects of a schema: the suite itself, or its definitions.
  private static func keys(of schema: JSONText, in names: [String]) -> [String] {
    guard let json = try? JSONParser.parse(SourceText(name: "schema", schema.pretty)) else {
      Issue.record("the schema is no JSON")
      return []
    }
    return names.flatMap { name in
      keys(json.member(name == "suite" ? nil : name))
    }
  }

  private static func keys(_ object: JSON?) -> [String] {
    guard case .object(let members) = object?.kind else {
      Issue.record("the schema has no such object")
      return []
    }
    let properties = members.first { $0.key == "properties" }?.value
    guard case .object(let keys) = properties?.kind else {
      Issue.record("the object has no properties")
      return []
    }
    return keys.map { String($0.key) }
  }
}

extension JSON {
  /// A definition of a schema; the schema itself for nil.
  fileprivate func member(_ name: String?) -> JSON? {
    guard let name else { return self }
    guard case .object(let members) = kind,
      case .object(let definitions) = members.first(where: { $0.key == "$defs" })?.value.kind
    else { return nil }
    return definitions.first { String($0.key) == name }?.value
  }
}
