import RulesLang
import Testing

/// Whether rules look at the name of their database.
@Suite struct DatabaseNameTests {
  private func depends(_ condition: String, in root: String = "{database}") throws -> Bool {
    let text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/\(root)/documents { match /a/{id} { allow get: if \(condition); } }
      }
      """
    let outcome = Checker.check(SourceText(name: "a.rules", text))
    return try #require(outcome.checked).dependsOnDatabase
  }

  @Test(arguments: [
    "true", "request.auth.uid == id", "exists(/databases/$(database)/documents/a/$(id))",
  ])
  func rulesThatDoNotLookAtTheNameDecideAlike(_ condition: String) throws {
    #expect(try !depends(condition))
  }

  @Test(arguments: [
    "database == 'prod'", "request.path[1] == 'prod'", "resource.__name__ == /a/b",
    "exists(/databases/prod/documents/a/b)", "request['path'] == /a/b",
    "string(resource.data.r) == ''",
    "/a/b[0] == 'a'",
  ])
  func rulesThatMayLookAtTheNameAreKnown(_ condition: String) throws {
    #expect(try depends(condition))
  }

  @Test func blocksThatNameADatabaseDependOnIt() throws {
    #expect(try depends("true", in: "(default)"))
    #expect(try depends("true", in: "prod"))
  }

  @Test func anEmptyNameIsThatOfTheDefaultDatabaseAlone() {
    #expect(DatabaseName.standard.isNamed(by: Text()))
    #expect(!DatabaseName("prod").isNamed(by: Text()))
    #expect(DatabaseName("a/b").problem != nil && DatabaseName(Text()).problem != nil)
  }
}
