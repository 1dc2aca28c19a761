import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct WireMessageTests {
  @Test func anEmptyMessageReadsAsDefaults() {
    let write = WireMessage(.write)
    #expect(write[.writeDelete] == nil)
    #expect(write[.writeUpdateTransforms].isEmpty)
    #expect(!write.has(.writeUpdate))
    #expect(WireMessage(.target)[.targetOnce] == false)
    #expect(WireMessage(.order)[.orderDirection] == .unspecified)
    #expect(WireMessage(.document)[.documentFields].count == 0)
  }

  @Test func whatIsSetIsRead() {
    let document = WireMessage(.document) {
      $0[.documentName] = "projects/p/databases/d/documents/a/b"
      $0[.documentUpdateTime] = .epoch
      $0[.documentFields] = MapValue([("x", .int(1))])
    }
    #expect(document[.documentName] == "projects/p/databases/d/documents/a/b")
    #expect(document[.documentUpdateTime] == .epoch)
    #expect(document[.documentFields].keys == ["x"])
    #expect(document[.documentCreateTime] == nil)
  }

  @Test func settingAMemberOfAOneofUnsetsTheOthers() {
    var write = WireMessage(.write)
    write[.writeDelete] = "a"
    write[.writeVerify] = "b"
    #expect(write[.writeDelete] == nil)
    #expect(write[.writeVerify] == "b")
    write[.writeUpdate] = WireMessage(.document)
    #expect(write[.writeVerify] == nil)
    write[.writeDelete] = nil
    #expect(write.has(.writeUpdate))
  }

  @Test func aMemberOfAOneofCanBeItsDefault() {
    var condition = WireMessage(.precondition)
    condition[.preconditionExists] = false
    #expect(condition[.preconditionExists] == false)
    #expect(condition.has(.preconditionExists))
    condition[.preconditionExists] = nil
    #expect(condition[.preconditionExists] == nil)
  }

  @Test func theDefaultOfAFieldWithoutPresenceUnsetsIt() {
    var status = WireMessage(.status) { $0[.statusCode] = 7 }
    #expect(status.has(.statusCode))
    status[.statusCode] = 0
    #expect(!status.has(.statusCode))
  }

  @Test func anUnknownNumberOfAnEnumerationReadsAsZeroAndIsKept() throws {
    let order = try WireMessage(protobuf: [0x10, 0x09], as: .order)
    #expect(order[.orderDirection] == .unspecified)
    #expect(order.protobuf(project: "p") == [0x10, 0x09])
  }

  @Test func messagesAreAppendedInOrder() {
    var commit = WireMessage(.commitRequest)
    for name: Text in ["a", "b", "c"] {
      commit.append(WireMessage(.write) { $0[.writeDelete] = name }, to: .commitRequestWrites)
    }
    #expect(commit[.commitRequestWrites].map { $0[.writeDelete] } == ["a", "b", "c"])
  }

  @Test func aRequestNamesItsResource() {
    let commit = WireMessage(.commitRequest) { $0[.commitRequestDatabase] = "database" }
    #expect(commit.resource == "database")
    let get = WireMessage(.getDocumentRequest) { $0[.getDocumentRequestName] = "name" }
    #expect(get.resource == "name")
    let update = WireMessage(.updateDocumentRequest) {
      $0[.updateDocumentRequestDocument] = WireMessage(.document) { $0[.documentName] = "inner" }
    }
    #expect(update.resource == "inner")
    #expect(WireMessage(.runQueryRequest).resource == "")
    #expect(WireMessage(.runQueryResponse).resource == nil)
  }

  @Test func everyRequestNamesAResource() {
    for method in FirestoreMethod.allCases {
      #expect(method.request.spec.resourceSlot != nil, "\(method.name)")
    }
  }
}
