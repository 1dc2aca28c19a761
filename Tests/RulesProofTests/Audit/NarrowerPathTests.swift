import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesProofTesting

/// A document has its answers where its path is narrowest.
@Suite struct NarrowerPathTests {
  private func matrix(_ rules: String) throws -> [String: AccessMatrix.Path] {
    let paths = Auditor(try Asked(rules, "").rules).matrix().paths
    return Dictionary(uniqueKeysWithValues: paths.map { ($0.path.text, $0) })
  }

  private func answers(
    _ path: AccessMatrix.Path?, _ operation: AccessMatrix.Operation
  ) throws -> [AccessMatrix.Answer] {
    let row = try #require(path?.rows.first { $0.operation == operation })
    return row.cells.map { $0.answer }
  }

  @Test func whatIsDeniedByDefaultIsNever() throws {
    let paths = try matrix(
      """
      match /users/{uid} { allow read, write: if request.auth.uid == uid; }
      match /posts/{post} { allow read; allow update: if resource.data.author == request.auth.uid; }
      match /{document=**} { allow read, write: if false; }
      """)
    let others = try #require(paths["/{document=**}"])
    #expect(others.path.exceptions.count == 2)
    #expect(others.clients == [.signedOut, .signedIn])
    #expect(others.rows.allSatisfy { $0.cells.allSatisfy { $0.answer == .never } })
    #expect(try answers(paths["/users/{uid}"], .get) == [.never, .never, .always])
  }

  /// What a wider block grants is granted to the documents of a narrower one, too, and what only the
  /// narrower one grants to none else.
  @Test func whatAWiderBlockGrantsIsSaidOfBoth() throws {
    let paths = try matrix(
      """
      match /{c}/{d} { allow get: if request.auth != null; }
      match /open/{d} { allow get; }
      """)
    #expect(try answers(paths["/{c}/{d}"], .get) == [.never, .always])
    #expect(try answers(paths["/open/{d}"], .get) == [.always, .always])
  }

  /// A pattern all of whose documents have narrower ones is told as that, and nobody is said to be shut out.
  @Test func whatNarrowerPathsHaveInWholeHasNoDocuments() throws {
    let rules = try Asked(
      """
      match /users/{uid} { allow read, write: if request.auth.uid == uid; }
      match /users/{uid}/{kind}/{rest=**} { allow read: if request.auth.uid == uid; }
      match /users/{document=**} { allow list: if request.auth != null; }
      """, ""
    ).rules
    let matrix = Auditor(rules).matrix()
    let whole = try #require(matrix.paths.first { $0.path.text == "/users/{document=**}" })
    #expect(whole.isOvershadowed)
    #expect(whole.rows.isEmpty)
    #expect(whole.findings.isEmpty)
    #expect(!matrix.findings.contains { $0.path == whole.path })
    // What it grants is told of the documents that have it.
    let own = try #require(matrix.paths.first { $0.path.text == "/users/{uid}" })
    #expect(try answers(own, .list) == [.never, .always, .always])
    #expect(matrix.paths.count { $0.isOvershadowed } == 1)
  }

  /// A document below another one is of no pattern for that one.
  @Test func documentsOfOtherDepthsStay() throws {
    let paths = try matrix(
      """
      match /a/{x}/{rest=**} { allow get; }
      match /a/{x} { allow delete; }
      match /a/{x}/b/{y}/{more=**} { allow create: if request.auth != null; }
      """)
    let below = try #require(paths["/a/{x}/{rest=**}"])
    #expect(below.path.exceptions.count == 2)
    #expect(try answers(below, .get) == [.always, .always])
    #expect(try answers(below, .delete) == [.never, .never])
    #expect(try answers(below, .create) == [.never, .never])
    #expect(try answers(paths["/a/{x}"], .delete) == [.always, .always])
    #expect(try answers(paths["/a/{x}"], .get) == [.always, .always])
    let deep = paths["/a/{x}/b/{y}/{more=**}"]
    #expect(try answers(deep, .create) == [.never, .always])
    #expect(try answers(deep, .get) == [.always, .always])
  }

  /// One document of a collection by its name.
  @Test func aDocumentByItsNameHasItsOwnAnswers() throws {
    let paths = try matrix(
      """
      match /settings/{id} { allow get: if request.auth != null || id == 'public'; }
      match /settings/public { allow update: if request.auth.token.admin == true; }
      """)
    #expect(try answers(paths["/settings/{id}"], .get) == [.never, .always])
    #expect(try answers(paths["/settings/public"], .get).allSatisfy { $0 == .always })
  }

  /// A statement of a general pattern that by its own condition is for other documents adds no rows.
  @Test func whatIsForOtherDocumentsIsNotAskedAbout() throws {
    let paths = try matrix(
      """
      match /{c}/{d} {
        allow get: if (c.matches('.*_pages') || c == 'pages') && resource.data.owner == request.auth.uid;
        allow list: if c in ['a'] && request.auth.token.admin == true;
        allow update: if (c != 'users' || c.matches('.*x')) && resource.data.hidden == false;
        allow delete: if !(c == 'users') && resource.data.gone == true;
      }
      match /users/{u} { allow get: if resource.data.open == true; }
      match /pages/{p} { allow get: if resource.data.open == true; }
      """)
    func fields(_ path: String) throws -> [AccessMatrix.Operation] {
      try #require(paths[path]).rows.map { $0.operation }
    }
    #expect(try fields("/users/{u}").contains(.update("open")))
    for name in ["owner", "hidden", "gone"] {
      let text = Text(name)
      #expect(try !fields("/users/{u}").contains(.update(text)), "\(name)")
      #expect(try fields("/pages/{p}").contains(.update(text)), "\(name)")
    }
    #expect(try answers(paths["/users/{u}"], .update("open")).allSatisfy { $0 == .never })
  }
}
