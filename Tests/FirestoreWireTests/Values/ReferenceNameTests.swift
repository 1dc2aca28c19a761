import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct ReferenceNameTests {
  private let names = ReferenceName(project: "own")

  @Test(
    arguments: [
      ("projects/own/databases/(default)/documents/a/b", "/databases/(default)/documents/a/b"),
      ("projects/other/databases/d/documents/a/b", "/projects/other/databases/d/documents/a/b"),
      ("projects/own/databases/d", "/databases/d"),
      ("projects/own", "/projects/own"),
      ("projects", "/projects"),
      ("projects/own/tables/d", "/projects/own/tables/d"),
      ("projects//databases/d", "/projects//databases/d"),
      ("projects/own/databases/d/documents/a/", "/databases/d/documents/a/"),
    ] as [(Text, Text)])
  func referencesOfTheOwnProjectLoseItsName(_ name: Text, _ text: Text) throws {
    let path = try names.path(of: name)
    #expect(path.text == text)
    #expect(names.name(of: path) == name)
  }

  @Test(arguments: [
    "", "nope", "databases/d/documents/a/b", "/projects/own/databases/d", "Projects/p",
  ])
  func aReferenceBeginsWithProjects(_ name: String) {
    #expect(
      throws: WireProblem.argument("Resource name \"\(name)\" lacks \"projects\" at index 0.")
    ) {
      try names.path(of: Text(name))
    }
  }

  @Test(
    arguments: [
      ("projects/p/databases/d/documents", "p"), ("projects/p", "p"), ("projects", ""), ("", ""),
      ("p/projects/x", ""),
    ] as [(Text, Text)])
  func theProjectOfAResourceIsItsSecondSegment(_ resource: Text, _ project: Text) {
    #expect(ReferenceName.project(of: resource) == project)
  }

  private func reference(in message: WireMessage) -> Text? {
    guard
      case .path(let path)? = message[.commitRequestWrites].first?[.writeUpdate]?[.documentFields][
        "r"]
    else { return nil }
    return path.text
  }

  @Test func aRequestSaysWhoseReferencesAreItsOwn() throws {
    let request = WireMessage(.commitRequest) { request in
      request[.commitRequestDatabase] = "projects/p/databases/d"
      request[.commitRequestWrites] = [
        WireMessage(.write) {
          $0[.writeUpdate] = WireMessage(.document) {
            $0[.documentFields] = MapValue([
              ("r", .path(PathValue(plain: ["databases", "d", "documents", "a", "b"])))
            ])
          }
        }
      ]
    }
    let bytes = request.protobuf(project: "p")
    #expect(
      reference(in: try WireMessage(protobuf: bytes, as: .commitRequest))
        == "/databases/d/documents/a/b")
    let elsewhere = try WireMessage(protobuf: bytes, as: .commitRequest, project: "q")
    #expect(reference(in: elsewhere) == "/projects/p/databases/d/documents/a/b")
    let text = request.json(project: "p")
    #expect(
      reference(in: try WireMessage(jsonText: text, as: .commitRequest))
        == "/databases/d/documents/a/b")
  }

  @Test func anUpdateTakesTheProjectFromItsDocument() throws {
    let update = WireMessage(.updateDocumentRequest) {
      $0[.updateDocumentRequestDocument] = WireMessage(.document) {
        $0[.documentName] = "projects/p/databases/d/documents/a/b"
        $0[.documentFields] = MapValue([
          ("r", .path(PathValue(plain: ["databases", "d", "documents", "c", "d"])))
        ])
      }
    }
    for read in [
      try WireMessage(protobuf: update.protobuf(project: "p"), as: .updateDocumentRequest),
      try WireMessage(jsonText: update.json(project: "p"), as: .updateDocumentRequest),
    ] {
      guard case .path(let path)? = read[.updateDocumentRequestDocument]?[.documentFields]["r"]
      else {
        Issue.record("no reference")
        continue
      }
      #expect(path.text == "/databases/d/documents/c/d")
    }
  }
}
