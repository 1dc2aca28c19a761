import Testing

@testable import FirestoreTransport

@Suite struct RecordingTests {
  static let commit = "google.firestore.v1.Firestore/Commit"
  static let listen = "google.firestore.v1.Firestore/Listen"

  static let cCore = [
    "call 1 \(commit)", "message 1 first", "end 1", "call 3 \(commit)", "message 3 second", "end 3",
    "call 5 \(listen)", "message 5 target", "end 5", "call 7 \(commit)",
    "message 7 " + String(repeating: "third", count: 20), "end 7",
  ]
  static let node = [
    "call 1 google.firestore.v1.Firestore/Write", "message 1 handshake", "end 1",
    "call 3 google.firestore.v1.Firestore/Fail", "message 3 one", "message 3 two", "end 3",
    "call 5 \(listen)", "call 7 \(listen)", "call 9 \(listen)", "message 5 target 1", "end 5",
    "message 7 target 2", "end 7", "message 9 target 3", "end 9",
  ]

  @Test(arguments: [(Recordings.cCore, cCore), (Recordings.node, node)])
  func whatClientsSendIsReadInPiecesOfAnySize(recording: [UInt8], expected: [String]) {
    var random = TrialRandom(seed: 31)
    for round in 0..<20 {
      var connection = ServerConnection()
      var events: [String] = []
      var place = 0
      while place < recording.count {
        let end = round == 0 ? recording.count : min(recording.count, place + 1 + random.below(50))
        events += connection.receive(Array(recording[place..<end])).map(TestClient.text(of:))
        place = end
      }
      #expect(events == expected)
      #expect(!connection.isFinished)
    }
  }

  /// The fields that a token travels in, as the tables of C-core and nghttp2 had them.
  @Test func headersOfLaterCallsComeFromTheTables() {
    for (recording, token) in [
      (Recordings.cCore, "Bearer e30.e30."), (Recordings.node, "Bearer owner"),
    ] {
      var connection = ServerConnection()
      var last: CallHead?
      for event in connection.receive(recording) {
        if case .call(let head, _) = event { last = head }
      }
      #expect(last?.metadata.value(of: "authorization") == token)
      #expect(last?.metadata.value(of: "te") == "trailers")
      #expect(last?.metadata.value(of: "user-agent")?.hasPrefix("grpc-") == true)
    }
  }
}
