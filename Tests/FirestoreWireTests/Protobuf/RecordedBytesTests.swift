import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

/// Messages as the official emulator and its clients sent them.
@Suite struct RecordedBytesTests {
  private static let name: Text = "projects/d/databases/(default)/documents/a/b"
  private static var nameHex: String { Bytes.hex(Array(name.bytes)) }

  @Test func aRequestForADocument() throws {
    let bytes = Bytes.hex("0a2c" + Self.nameHex)
    let request = try WireMessage(protobuf: bytes, as: .getDocumentRequest)
    #expect(request[.getDocumentRequestName] == Self.name)
    #expect(request.protobuf(project: "d") == bytes)
  }

  @Test func aDocument() throws {
    let bytes = Bytes.hex(
      "0a2c" + Self.nameHex + "12070a01781202 1001 1a0b08fd8ea6d80610d0e59e24"
        + "220b08fd8ea6d80610d0e59e24")
    let document = try WireMessage(protobuf: bytes, as: .document, project: "d")
    #expect(document[.documentFields].count == 1)
    guard case .int(1)? = document[.documentFields]["x"] else {
      Issue.record("x is \(String(describing: document[.documentFields]["x"]))")
      return
    }
    let time = try #require(Timestamp(epochSeconds: 1_795_786_621, nanos: 76_002_000))
    #expect(document[.documentCreateTime] == time)
    #expect(document[.documentUpdateTime] == time)
    #expect(document.protobuf(project: "d") == bytes)
  }

  @Test func theAnswerToANewTarget() throws {
    let response = WireMessage(.listenResponse) {
      $0[.listenResponseTargetChange] = WireMessage(.targetChange) {
        $0[.targetChangeTargetChangeType] = .add
        $0[.targetChangeTargetIds] = [2]
      }
    }
    #expect(response.protobuf(project: "d") == Bytes.hex("12050801120102"))
    let read = try WireMessage(protobuf: Bytes.hex("12050801120102"), as: .listenResponse)
    let change = try #require(read[.listenResponseTargetChange])
    #expect(change[.targetChangeTargetChangeType] == .add)
    #expect(change[.targetChangeTargetIds] == [2])
  }
}
