import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

@testable import FirestoreServer

// Messages that tests send.

extension TestClient {
  /// A write that sets a whole document.
  static func set(_ path: String, _ fields: [(Text, Value)] = [("x", .int(1))]) -> WireMessage {
    WireMessage(.write) {
      $0[.writeUpdate] = WireMessage(.document) {
        $0[.documentName] = name(path)
        $0[.documentFields] = MapValue(fields)
      }
    }
  }

  /// A write that deletes a document.
  static func delete(_ path: String) -> WireMessage {
    WireMessage(.write) { $0[.writeDelete] = name(path) }
  }

  /// A write with a condition on whether its document exists.
  static func ifExists(_ exists: Bool, _ write: WireMessage) -> WireMessage {
    var write = write
    write[.writeCurrentDocument] = WireMessage(.precondition) { $0[.preconditionExists] = exists }
    return write
  }

  /// Commits writes.
  @discardableResult
  mutating func commit(
    as token: String? = "owner", _ writes: WireMessage...
  ) -> (messages: [WireMessage], status: CallStatus?) {
    unary(
      .commit, as: token,
      WireMessage(.commitRequest) {
        $0[.commitRequestDatabase] = Self.database
        $0[.commitRequestWrites] = writes
      })
  }

  /// Reads documents.
  mutating func get(
    as token: String? = "owner", _ paths: String...
  ) -> (messages: [WireMessage], status: CallStatus?) {
    unary(
      .batchGetDocuments, as: token,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = Self.database
        $0[.batchGetDocumentsRequestDocuments] = paths.map { Self.name($0) }
      })
  }

  /// A query of all documents of a collection.
  static func query(_ collection: Text) -> WireMessage {
    WireMessage(.structuredQuery) {
      $0[.structuredQueryFrom] = [
        WireMessage(.collectionSelector) { $0[.collectionSelectorCollectionId] = collection }
      ]
    }
  }

  /// Runs a query.
  mutating func run(
    as token: String? = "owner", _ query: WireMessage
  ) -> (messages: [WireMessage], status: CallStatus?) {
    unary(
      .runQuery, as: token,
      WireMessage(.runQueryRequest) {
        $0[.runQueryRequestParent] = Self.database + "/documents"
        $0[.runQueryRequestStructuredQuery] = query
      })
  }

  /// A request to listen to documents.
  static func listen(to paths: String..., as number: Int32) -> WireMessage {
    WireMessage(.listenRequest) {
      $0[.listenRequestDatabase] = database
      $0[.listenRequestAddTarget] = WireMessage(.target) {
        $0[.targetTargetId] = number
        $0[.targetDocuments] = WireMessage(.documentsTarget) {
          $0[.documentsTargetDocuments] = paths.map { name($0) }
        }
      }
    }
  }

  /// A request to listen to a query.
  static func listen(toQuery query: WireMessage, as number: Int32) -> WireMessage {
    WireMessage(.listenRequest) {
      $0[.listenRequestDatabase] = database
      $0[.listenRequestAddTarget] = WireMessage(.target) {
        $0[.targetTargetId] = number
        $0[.targetQuery] = WireMessage(.queryTarget) {
          $0[.queryTargetParent] = database + "/documents"
          $0[.queryTargetStructuredQuery] = query
        }
      }
    }
  }

  /// Begins `Listen` with a first message.
  mutating func listen(as token: String? = "owner", _ message: WireMessage) -> UInt32 {
    let stream = call("Listen", as: token)
    send(message, on: stream)
    return stream
  }

  /// Takes what came on a `Listen` stream, a line a message: `ADD 2`, `DOCUMENT 2 a/b`, `MISSING 2 a/b`,
  /// `RESET 2`, `CURRENT 2`, `SNAPSHOT`, `REMOVE 2`, `REMOVE 2 7 …`.
  mutating func heard(_ stream: UInt32) -> [String] {
    take(stream, as: .listenResponse).map { message in
      if let change = message[.listenResponseDocumentChange] {
        let name = change[.documentChangeDocument]?[.documentName] ?? Text()
        return "DOCUMENT \(Self.list(change[.documentChangeTargetIds])) \(Self.path(name))"
      }
      if let missing = message[.listenResponseDocumentDelete] {
        return "MISSING \(Self.list(missing[.documentDeleteRemovedTargetIds])) "
          + Self.path(missing[.documentDeleteDocument])
      }
      let change = message[.listenResponseTargetChange] ?? WireMessage(.targetChange)
      let ids = Self.list(change[.targetChangeTargetIds])
      let cause = change[.targetChangeCause].map {
        " \($0[.statusCode]) \(String($0[.statusMessage]))"
      }
      switch change[.targetChangeTargetChangeType] {
      case .noChange: return "SNAPSHOT"
      case .add: return "ADD \(ids)"
      case .remove: return "REMOVE \(ids)" + (cause ?? "")
      case .current: return "CURRENT \(ids)"
      case .reset: return "RESET \(ids)"
      }
    }
  }

  private static func list(_ numbers: [Int32]) -> String {
    numbers.map { "\($0)" }.joined(separator: " ")
  }

  /// The path of a name below the documents of the test's database.
  static func path(_ name: Text) -> String {
    String(name).split(separator: "/").dropFirst(5).joined(separator: "/")
  }

  /// Begins `Write` and takes the answer to the handshake.
  mutating func beginWrite(as token: String?) -> UInt32 {
    let stream = call("Write", as: token)
    send(WireMessage(.writeRequest) { $0[.writeRequestDatabase] = Self.database }, on: stream)
    return stream
  }

  /// Sends writes on a `Write` stream.
  mutating func write(_ writes: WireMessage..., on stream: UInt32) {
    send(WireMessage(.writeRequest) { $0[.writeRequestWrites] = writes }, on: stream)
  }

  /// Puts rules, as text with escapes for JSON.
  @discardableResult
  mutating func upload(
    _ rules: String, to target: String = "/emulator/v1/projects/demo:securityRules",
    ignoringErrors: Bool = false
  ) -> (status: Int, headers: String, body: String) {
    let file = JSONText.object([("content", .string(rules))])
    var members: [(String, JSONText)] = [("rules", .object([("files", .array([file]))]))]
    if ignoringErrors { members.append(("ignore_errors", .bool(true))) }
    return http("PUT", target, JSONText.object(members).compact)
  }
}
