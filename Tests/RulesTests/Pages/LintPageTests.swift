import Foundation
import RulesEval
import RulesLang
import RulesProof
import RulesStyle
import Testing

@testable import RulesTesting

/// The pages of the lints: their examples are run, and the files in Docs are what the table says.
@Suite struct LintPageTests {
  @Test(arguments: Lints.all.map(\.code.name))
  func theExampleToAvoidIsFoundAndTheOneToPreferIsNot(_ code: String) throws {
    let lint = try #require(Lints.named(code))
    let avoid = try Self.findings(lint.avoid, loud: lint)
    #expect(avoid.contains { $0.code == lint.code }, "\(avoid.map(\.code.name))")
    let prefer = try Self.findings(lint.prefer, loud: lint)
    #expect(!prefer.contains { $0.code == lint.code })
    // What is recommended is not warned of by anything else either.
    let bad = prefer.filter { $0.severity > .info }
    #expect(bad.isEmpty, "\(bad.map { "\($0.code.name): \($0.message)" })")
  }

  /// What the linter says of an example; a lint that is off is turned on.
  static func findings(_ example: String, loud lint: Lint) throws -> [Diagnostic] {
    let source = SourceText(name: "example.rules", Lint.file(of: example))
    let outcome = Checker.check(source)
    let checked = try #require(outcome.checked, "\(outcome.diagnostics.map(\.message))")
    let levels: [Code: LintLevel] = lint.level == .off ? [lint.code: .on(.warning)] : [:]
    guard lint.isProved else { return Linter(levels: levels).run(checked) }
    var search = RedundancySearch(Engine(checked))
    let proved =
      search.run().diagnostics(in: checked)
      + EscalationSearch(checked).all().diagnostics(in: checked)
    return Linter(levels: levels).run(checked, proved: proved)
  }

  @Test(arguments: Lints.all.map(\.code.name))
  func thePageIsWhatTheTableSays(_ code: String) throws {
    let lint = try #require(Lints.named(code))
    Golden.expect(
      lint.page,
      in: CommandLineCase.package.appendingPathComponent("Docs/Lints/\(code).md"))
  }

  @Test func everyPageBelongsToALint() throws {
    let folder = CommandLineCase.package.appendingPathComponent("Docs/Lints")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files) == Set(Lints.all.map { $0.code.name + ".md" }))
  }

  @Test func codesAreUniqueKebabCaseNounsThatTheCompilerDoesNotUse() {
    let codes = Lints.all.map(\.code.name)
    #expect(Set(codes).count == codes.count)
    #expect(Set(codes).isDisjoint(with: Code.all.map(\.name)))
    for code in codes {
      #expect(code.range(of: #"^[a-z]+(-[a-z]+)+$"#, options: .regularExpression) != nil)
    }
  }
}
