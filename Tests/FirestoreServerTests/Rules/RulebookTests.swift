import FirestoreStore
import RulesLang
import Testing

@testable import FirestoreServer

/// Rules that databases share.
@Suite struct RulebookTests {
  private static func id(_ project: Text, _ database: Text = "(default)") -> DatabaseID {
    DatabaseID(project: project, database: DatabaseName(database))
  }

  private static func file(_ condition: String) -> RulesFile {
    RulesFile(
      name: "firestore.rules",
      content: "service cloud.firestore { match /databases/{d}/documents {"
        + " match /{x=**} { allow read: if \(condition); } } }")
  }

  private static func place(of release: Release) -> UnsafePointer<UInt8>? {
    release.rules?.ruleset.source.bytes.withUnsafeBufferPointer { $0.baseAddress }
  }

  @Test func databasesOfAllProjectsShareWhatWasCompiled() {
    var book = Rulebook(
      named: [DatabaseName("own"): [Self.file("false")]], general: [Self.file("d == 'x'")])
    let first = book.release(of: Self.id("a"))
    let other = book.release(of: Self.id("b", "x"))
    #expect(Self.place(of: first) != nil && Self.place(of: first) == Self.place(of: other))
    #expect(first.rules?.database == .standard)
    #expect(other.rules?.database == DatabaseName("x"))
    let own = book.release(of: Self.id("a", "own"))
    #expect(Self.place(of: own) != Self.place(of: first))
    #expect(Self.place(of: own) == Self.place(of: book.release(of: Self.id("b", "own"))))
  }

  @Test func changedFilesAreCompiledAnew() {
    var book = Rulebook(named: [:], general: [Self.file("false")])
    let first = book.release(of: Self.id("a"))
    book.replaceDefaults(named: [:], general: [Self.file("true")])
    #expect(Self.place(of: book.release(of: Self.id("a"))) != Self.place(of: first))
    #expect(book.release(of: Self.id("b")).files == [Self.file("true")])
  }
}
