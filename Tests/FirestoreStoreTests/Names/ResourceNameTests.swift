import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Names of documents, parents and databases, with the words of the official emulator.
@Suite struct ResourceNameTests {
  private static let long = String(repeating: "k", count: 1501)
  private static let reserved = "is invalid because it is reserved."
  private static let noRoot =
    "Omit \"/documents\" when referencing a database (except as the parent of a document)."

  @Test(arguments: [
    ("~/a", "Document name \"~/a\" lacks \"/\" at index 49."),
    ("", "Document name \"\" lacks \"projects\" at index 0."),
    ("nope", "Document name \"nope\" lacks \"projects\" at index 0."),
    ("~", "Document name \"~\" is invalid: \(noRoot)"),
    ("~/a/.", "Document name \"~/a/.\" contains a resource id \".\" at index 50."),
    ("~/a/..", "Document name \"~/a/..\" contains a resource id \"..\" at index 50."),
    ("~/a//b/c", "Document name \"~/a//b/c\" lacks a resource id at index 50."),
    ("~/a/b/", "Document name \"~/a/b/\" lacks a resource id at index 52."),
    ("~/ü/b/c", "Document name \"~/ü/b/c\" lacks \"/\" at index 53."),
    ("projects", "Document name \"projects\" lacks \"/\" at index 8."),
    ("projects/p/x", "Document name \"projects/p/x\" lacks \"databases\" at index 11."),
    ("projects/p/databases/d", "Document name \"projects/p/databases/d\" lacks \"/\" at index 22."),
    ("~/a/__x__", "Resource id \"__x__\" \(reserved)"),
    ("~/__c__/x", "Collection id \"__c__\" \(reserved)"),
    ("~/__id7__/x", "Collection id \"__id7__\" \(reserved)"),
    ("~/a/\(long)", "The key path element name is longer than 1500 bytes."),
    ("~/\(long)/a", "The key path element name is longer than 1500 bytes."),
    (
      "~/" + Array(repeating: "a/b", count: 101).joined(separator: "/"),
      "Key path is too long. Cannot exceed 100 elements."
    ),
  ])
  func aNameThatIsNoneOfADocumentIsRefused(_ name: String, _ message: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try ResourceName(document: Fixture.name(name))
    }
    #expect(refusal == "3 " + String(Fixture.name(message)))
  }

  @Test(arguments: [
    "~/a/b", "~/a/__id7__", "~/a/__id-7__", "~/a/ü ü", "~/a/...", "~/a/__x",
    "~/a/\(long.dropLast())",
    "~/" + Array(repeating: "a/b", count: 100).joined(separator: "/"),
    "projects/other/databases/second/documents/a/b",
  ])
  func aNameOfADocumentIsRead(_ name: String) throws {
    let name = Fixture.name(name)
    let read = try ResourceName(document: name)
    #expect(read.text == name)
    #expect(read.path.isDocument)
  }

  @Test func aNameSaysItsDatabase() throws {
    let read = try ResourceName(document: "projects/p/databases/second/documents/a/b")
    #expect(read.database == DatabaseID(project: "p", database: DatabaseName("second")))
    #expect(read.path == Fixture.path("a/b"))
  }

  @Test(arguments: [
    ("~/a", "Document parent name \"~/a\" lacks \"/\" at index 49."),
    ("", "Document parent name \"\" lacks \"projects\" at index 0."),
    ("~/a/__x__", "Resource id \"__x__\" \(reserved)"),
  ])
  func aNameThatIsNoParentIsRefused(_ name: String, _ message: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try ResourceName(parent: Fixture.name(name))
    }
    #expect(refusal == "3 " + String(Fixture.name(message)))
  }

  @Test func theRootIsAParent() throws {
    let root = try ResourceName(parent: Fixture.name("~"))
    #expect(root.path.segments.isEmpty)
    #expect(root.text == Fixture.name("~"))
    #expect(try ResourceName(parent: Fixture.name("~/a/b")).path == Fixture.path("a/b"))
  }

  @Test(arguments: [
    ("", "Database name \"\" lacks \"projects\" at index 0."),
    ("nope", "Database name \"nope\" lacks \"projects\" at index 0."),
    ("projects/p", "Database name \"projects/p\" lacks \"/\" at index 10."),
    (
      "projects//databases/d",
      "Database name \"projects//databases/d\" lacks a resource id at index 9."
    ),
    ("~", "Database name \"~\" is invalid: \(noRoot)"),
  ])
  func aNameThatIsNoDatabaseIsRefused(_ name: String, _ message: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try DatabaseID(name: Fixture.name(name))
    }
    #expect(refusal == "3 " + String(Fixture.name(message)))
  }

  @Test func aDatabaseIsRead() throws {
    let id = try DatabaseID(name: "projects/p/databases/second")
    #expect(id == DatabaseID(project: "p", database: DatabaseName("second")))
    #expect(id.name == "projects/p/databases/second")
    #expect(id.name(of: Fixture.path("a/b")) == "projects/p/databases/second/documents/a/b")
  }

  @Test(arguments: [
    ("a/b/c", "Collection id \"a/b/c\" is invalid because it contains \"/\"."),
    ("__c__", "Collection id \"__c__\" \(reserved)"),
    (long, "The query kind is longer than 1500 bytes."),
    (".", "Collection id \".\" \(reserved)"), ("..", "Collection id \"..\" \(reserved)"),
  ])
  func anIDThatIsNoneOfACollectionIsRefused(_ id: String, _ message: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in try Text(id).checkCollection() }
    #expect(refusal == "3 " + message)
  }

  @Test func aLongNameIsCutInMessages() {
    let name = Text(String(repeating: "x", count: 1 << 20))
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try ResourceName(document: name) }
    #expect((refusal?.utf8.count ?? 0) < 4000)
  }

  @Test func anIDThatTheServerMakesHas20LettersAndDigits() {
    let id = Text.newDocumentID(random: (0..<20).map { UInt8($0 * 12) })
    #expect(id == "AMYkw8KWiu6IUgs4GSeq")
    #expect(Text.newDocumentID(random: []).bytes.count == 20)
  }
}
