import RulesLang
import Testing

/// The pages of the compiler's codes.
@Suite struct CodePageTests {
  @Test func everyCodeHasOnePageInItsOrder() {
    #expect(CodePage.all.map(\.code) == Code.all)
  }

  @Test(arguments: CodePage.all.filter { !$0.example.isEmpty }.map(\.code.name))
  func theExampleHasTheCode(_ code: String) throws {
    let page = try #require(CodePage.named(code))
    let outcome = Checker.check(SourceText(name: "example.rules", page.file))
    #expect(outcome.diagnostics.contains { $0.code == page.code }, "\(outcome.diagnostics)")
  }
}
