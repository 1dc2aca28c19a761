import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct ProtobufReaderTests {
  private func refusal(_ hex: String, as type: MessageType) -> WireProblem? {
    do {
      _ = try WireMessage(protobuf: Bytes.hex(hex), as: type)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("08", "a number has no end at byte 1"),
    ("08ffffffffffffffffffff01", "a number has more than ten bytes before byte 11"),
    ("00", "there is no field number at byte 0"),
    ("ffffffff7f", "there is no field number at byte 0"),
    ("1205", "the length 5 at byte 1 leaves the message"),
    ("12ffffffffffffffffff01", "the length 18446744073709551615 at byte 1 leaves the message"),
    ("1201ff", "a string before byte 3 is not UTF-8"),
    ("1203eda080", "a string before byte 5 is not UTF-8"),
    ("0f", "there is no field of type 7 before byte 1"),
    ("0e", "there is no field of type 6 before byte 1"),
    ("7c", "a group ends before byte 1 that has not begun"),
    ("7b84", "a number has no end at byte 2"),
    ("7b7484017c", "a group ends before byte 2 that has not begun"),
    ("7900000000000000", "the message ends inside of a number"),
    ("7d000000", "the message ends inside of a number"),
  ])
  func bytesThatAreNoMessageAreRefused(_ hex: String, _ detail: String) throws {
    let problem = try #require(refusal(hex, as: .status))
    #expect(problem.detail == detail)
    #expect(problem.kind == .malformed)
    #expect(problem.message == "Application error processing RPC")
  }

  @Test(arguments: [
    "7801", "7901020304050607087d01020304", "7a03010203", "7b7c", "7b8301840178017c", "d2868d0200",
    // Known numbers in layouts that the field does not have.
    "0a00", "10017d00000000", "0d01020304",
  ])
  func unknownFieldsArePassedOver(_ hex: String) throws {
    let bytes = Bytes.hex("0807" + hex + "120161")
    let status = try WireMessage(protobuf: bytes, as: .status)
    #expect(status[.statusCode] == 7)
    #expect(status[.statusMessage] == "a")
    #expect(status.protobuf(project: "") == Bytes.hex("0807120161"))
  }

  @Test func theLastScalarWins() throws {
    let status = try WireMessage(protobuf: Bytes.hex("0807120161 0805 120162"), as: .status)
    #expect(status[.statusCode] == 5)
    #expect(status[.statusMessage] == "b")
    #expect(try !WireMessage(protobuf: Bytes.hex("08070800"), as: .status).has(.statusCode))
  }

  @Test func theLastMemberOfAOneofWins() throws {
    let write = try WireMessage(protobuf: Bytes.hex("120161 2a0162"), as: .write)
    #expect(write[.writeDelete] == nil)
    #expect(write[.writeVerify] == "b")
    let value = try WireMessage(protobuf: Bytes.hex("0a0408011005"), as: .cursor)
    guard case .int(5)? = value[.cursorValues].first else {
      Issue.record("not the int")
      return
    }
  }

  @Test func partsOfAMessageAreMerged() throws {
    // A document's name and, in another part, its time; a map in two parts.
    let bytes = Bytes.hex("0a030a01610a04220208010a0912070a017812021001")
    let write = try WireMessage(protobuf: bytes, as: .write)
    let document = try #require(write[.writeUpdate])
    #expect(document[.documentName] == "a")
    #expect(document[.documentUpdateTime] == Timestamp(epochSeconds: 1))
    #expect(document[.documentFields].keys == ["x"])
  }

  @Test func partsOfAValueAreMerged() throws {
    func value(_ hex: String) throws -> Value? {
      try WireMessage(protobuf: Bytes.hex(hex), as: .cursor)[.cursorValues].first
    }
    if case .map(let map)? = try value("0a1632090a070a016b1202100132090a070a016c12021002") {
      #expect(map.keys == ["k", "l"])
    } else {
      Issue.record("no map")
    }
    if case .list(let list)? = try value("0a0c4a040a0210014a040a021002") {
      #expect(list.count == 2)
    } else {
      Issue.record("no list")
    }
    if case .timestamp(let time)? = try value("0a085202080152021005") {
      #expect(time == Timestamp(epochSeconds: 1, nanos: 5))
    } else {
      Issue.record("no time")
    }
    if case .latlng(let point)? = try value("0a1642090900000000000024404209110000000000003440") {
      #expect(point.latitude == 10 && point.longitude == 20)
    } else {
      Issue.record("no point")
    }
  }

  @Test(arguments: [
    ("1a060a0161120162 1a060a0163120164", #"{"labels":{"a":"b","c":"d"}}"#),
    ("1a060a0161120162 1a060a0163120164 1a060a0161120165", #"{"labels":{"a":"e","c":"d"}}"#),
    ("1a00 1a030a0161 1a03120162", #"{"labels":{"":"b","a":""}}"#),
  ])
  func aLabelWhoseKeyComesAgainIsReplaced(_ hex: String, _ text: String) throws {
    let request = try WireMessage(protobuf: Bytes.hex(hex), as: .batchWriteRequest)
    let json = request.json(project: "p", layout: .compact)
    #expect(String(decoding: json, as: UTF8.self) == text)
    let read = try WireMessage(jsonText: json, as: .batchWriteRequest)
    #expect(read.protobuf(project: "p") == request.protobuf(project: "p"))
  }

  @Test func numbersInAListMayBePackedOrNot() throws {
    let bytes = Bytes.hex("1001 12020203 1004 1200")
    let change = try WireMessage(protobuf: bytes, as: .targetChange)
    #expect(change[.targetChangeTargetIds] == [1, 2, 3, 4])
    #expect(change.protobuf(project: "") == Bytes.hex("120401020304"))
    #expect(refusal("120180", as: .targetChange)?.kind == .malformed)
  }

  @Test func anInt32IsTheLower32Bits() throws {
    let status = try WireMessage(protobuf: Bytes.hex("08 ffffffffff01"), as: .status)
    #expect(status[.statusCode] == -1)
    #expect(status.protobuf(project: "") == Bytes.hex("08 ffffffffffffffffff01"))
  }

  @Test func aWrapperOfNothingIsZeroAndNotAbsent() throws {
    let query = try WireMessage(protobuf: Bytes.hex("2a00"), as: .structuredQuery)
    #expect(query[.structuredQueryLimit] == 0)
    #expect(query.protobuf(project: "") == Bytes.hex("2a00"))
    #expect(WireMessage(.structuredQuery)[.structuredQueryLimit] == nil)
  }

  @Test(arguments: [
    ("12050a01781200", MessageType.document, "fields.x"),
    ("12030a0178", .document, "fields.x"),
    ("120e0a0178120932070a050a01791200", .document, "fields.x.y"),
    (
      "120312016112110a0f120d0a017812084a060a0208010a00", .commitRequest,
      "writes[1].update.fields.x[1]"
    ),
    ("0a00", .cursor, "values[0]"),
    ("1a00", .fieldFilter, "value"),
  ])
  func aValueOfNoTypeIsRefusedInTheOfficialWords(
    _ hex: String, _ type: MessageType, _ place: String
  ) throws {
    let problem = try #require(refusal(hex, as: type))
    #expect(problem.kind == .invalidArgument)
    #expect(problem.message == "Cannot convert firestore.v1.Value with type unset.")
    #expect(problem.place == place)
  }

  @Test(arguments: [
    "0a095207088083d1ffaf07", "0a085206108094ebdc03", "0a0d520b10ffffffffffffffffff01",
  ])
  func timesOutOfRangeAreRefused(_ hex: String) throws {
    let problem = try #require(refusal(hex, as: .cursor))
    #expect(problem.kind == .invalidArgument)
    #expect(problem.message.hasPrefix("Timestamp of "))
  }

  /// A value inside so many maps.
  private func nested(_ levels: Int) -> [UInt8] {
    var value: [UInt8] = [0x08, 1]
    for _ in 0..<levels {
      let entry = [0x0A, 1, 0x6B, 0x12] + length(value.count) + value
      let map = [0x0A] + length(entry.count) + entry
      value = [0x32] + length(map.count) + map
    }
    return [0x0A] + length(value.count) + value
  }

  private func length(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80] + length(count >> 7)
  }

  @Test func nestingEndsAfterAHundredMessages() throws {
    let deep = try WireMessage(protobuf: nested(33), as: .cursor)
    #expect(deep.protobuf(project: "") == nested(33))
    let problem = try #require(refusal(Bytes.hex(nested(34)), as: .cursor))
    #expect(problem.detail == "messages are nested more than 100 deep")
    let groups = [UInt8](repeating: 0x7B, count: 101)
    #expect(
      self.refusal(Bytes.hex(groups), as: .status)?.detail == "groups are nested more than 100 deep"
    )
  }

  @Test func thereIsALimitOfMessages() throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * (WireLimits.messages + 1))
    for _ in 0...WireLimits.messages { bytes += [0x12, 0] }
    do {
      _ = try WireMessage(protobuf: bytes, as: .commitRequest)
      Issue.record("read")
    } catch { #expect(error.detail == "there are more than 500000 messages in the message") }
  }
}
