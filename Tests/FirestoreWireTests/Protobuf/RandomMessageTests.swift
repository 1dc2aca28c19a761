import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct RandomMessageTests {
  private static let perType = 12

  @Test(arguments: MessageType.allCases)
  func messagesComeBackFromProtobufAndFromJSON(_ type: MessageType) throws {
    var maker = MessageMaker(seed: 0xF15E + UInt64(type.rawValue))
    for _ in 0..<Self.perType {
      let message = maker.message(type)
      let bytes = message.protobuf(project: "p")
      #expect(bytes == ReferenceEncoder.message(message, project: "p"))
      let read = try WireMessage(protobuf: bytes, as: type, project: "p")
      #expect(read.protobuf(project: "p") == bytes)
      for layout in [JSONLayout.pretty, .compact] {
        let text = message.json(project: "p", layout: layout)
        let parsed = try WireMessage(jsonText: text, as: type, project: "p")
        #expect(parsed.protobuf(project: "p") == bytes, "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  @Test func aMessageReadAsPartsOneAfterTheOtherIsMerged() throws {
    var maker = MessageMaker(seed: 7)
    for _ in 0..<40 {
      let one = maker.message(.runQueryRequest)
      let two = maker.message(.runQueryRequest)
      let bytes = one.protobuf(project: "p") + two.protobuf(project: "p")
      let merged = try WireMessage(protobuf: bytes, as: .runQueryRequest, project: "p")
      let parent = two.has(.runQueryRequestParent) ? two : one
      #expect(merged[.runQueryRequestParent] == parent[.runQueryRequestParent])
      let froms = [one, two].flatMap {
        $0[.runQueryRequestStructuredQuery]?[.structuredQueryFrom] ?? []
      }
      let from = merged[.runQueryRequestStructuredQuery]?[.structuredQueryFrom] ?? []
      #expect(from.count == froms.count)
    }
  }

  @Test func mutatedBytesNeverTrap() {
    var maker = MessageMaker(seed: 99)
    var read = 0
    for round in 0..<1200 {
      let type = MessageType.allCases[round % MessageType.allCases.count]
      var bytes = maker.message(type).protobuf(project: "p")
      if bytes.isEmpty { continue }
      for _ in 0...maker.below(4) {
        let place = maker.below(bytes.count)
        switch maker.below(3) {
        case 0: bytes[place] = UInt8(maker.below(256))
        case 1: bytes[place] ^= 1 << UInt8(maker.below(8))
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { break }
      }
      guard let message = try? WireMessage(protobuf: bytes, as: type, project: "p") else {
        continue
      }
      read += 1
      // A message that could be read can be written and read again.
      let again = try? WireMessage(
        protobuf: message.protobuf(project: "p"), as: type, project: "p")
      #expect(again?.protobuf(project: "p") == message.protobuf(project: "p"))
    }
    #expect(read > 100)
  }

  @Test func arbitraryBytesNeverTrap() {
    var maker = MessageMaker(seed: 5)
    var read = 0
    for round in 0..<4000 {
      let type = MessageType.allCases[round % MessageType.allCases.count]
      let bytes = (0..<maker.below(24)).map { _ in
        UInt8(maker.below(2) == 0 ? maker.below(40) : maker.below(256))
      }
      if (try? WireMessage(protobuf: bytes, as: type)) != nil { read += 1 }
    }
    #expect(read > 100)
  }

  @Test func mutatedTextsNeverTrap() {
    var maker = MessageMaker(seed: 31)
    var read = 0
    for round in 0..<600 {
      let type = MessageType.allCases[round % MessageType.allCases.count]
      var bytes = maker.message(type).json(project: "p", layout: .compact)
      let place = maker.below(bytes.count)
      switch maker.below(3) {
      case 0: bytes[place] = UInt8(maker.below(256))
      case 1: bytes.removeSubrange(place...)
      default: bytes.remove(at: place)
      }
      if (try? WireMessage(jsonText: bytes, as: type)) != nil { read += 1 }
    }
    #expect(read > 20)
  }
}
