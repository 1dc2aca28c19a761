import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// The REST form of the service (Docs/Emulator.md, REST): a path and body are read as a call, and the answer
/// is written as JSON.
enum REST {
  /// Reads a request to `/v1/projects/P/databases/D/documents…[:VERB]`.
  static func call(_ request: HTTPRequest, segments: [String]) -> EndpointAnswer {
    guard segments.count >= 6, segments[1] == "projects", segments[3] == "databases",
      segments[5].hasPrefix("documents")
    else { return .response(.notFound) }
    var parts = Array(segments.dropFirst())
    var verb: String?
    if request.method == "POST", let last = parts.last, let colon = last.lastIndex(of: ":") {
      verb = String(last[last.index(after: colon)...])
      parts[parts.count - 1] = String(last[..<colon])
    }
    guard parts[4] == "documents" else { return .response(.notFound) }
    let call = RESTCall(
      request: request, parts: parts.map { Text($0) }, query: request.query)
    do throws(WireProblem) {
      let found: (FirestoreMethod, WireMessage)?
      if let verb {
        found = try call.custom(verb)
      } else {
        found = try call.standard()
      }
      guard let (method, message) = found else { return .response(.notFound) }
      return .call(method, message)
    } catch {
      switch error.kind {
      case .malformed: return .response(.invalidPayload)
      case .invalidArgument: return .response(.error(.invalid(error.message)))
      }
    }
  }

  /// Returns the response to a call: an object, or a list of objects if the method streams its answers.
  static func response(
    to method: FirestoreMethod, _ messages: [WireMessage], project: Text
  ) -> HTTPResponse {
    let objects = messages.map { String(decoding: $0.json(project: project), as: UTF8.self) }
    if method.isServerStreaming {
      return .json("[\n" + objects.joined(separator: ",\n") + "\n]\n")
    }
    return .json((objects.first ?? "{\n}") + "\n")
  }
}

/// The parts of a REST request from which its call is read.
private struct RESTCall {
  /// The request.
  let request: HTTPRequest
  /// The segments from `projects` on, without a verb.
  let parts: [Text]
  /// The parameters.
  let query: [(String, String)]

  /// A method with its message.
  typealias Call = (FirestoreMethod, WireMessage)

  private static let documentsPlace = 4

  /// The path below the documents.
  private var below: ArraySlice<Text> { parts.dropFirst(Self.documentsPlace + 1) }
  private var project: Text { parts[1] }

  private static func joined(_ parts: some Sequence<Text>) -> Text {
    var text = Text()
    for part in parts {
      if !text.isEmpty { text.append("/") }
      text.append(part)
    }
    return text
  }

  /// The name of the document, or of the documents' root.
  private var name: Text { Self.joined(parts) }
  private var database: Text { Self.joined(parts[..<Self.documentsPlace]) }
  private var parentOfCollection: Text { Self.joined(parts.dropLast()) }

  private func values(_ name: String) -> [Text] {
    query.filter { $0.0 == name }.map { Text($0.1) }
  }

  private func value(_ name: String) -> Text? { values(name).last }

  private func mask(_ name: String) -> WireMessage? {
    let paths = values(name + ".fieldPaths")
    return paths.isEmpty ? nil : WireMessage(.documentMask) { $0[.documentMaskFieldPaths] = paths }
  }

  private var precondition: WireMessage? {
    if let exists = value("currentDocument.exists") {
      return WireMessage(.precondition) { $0[.preconditionExists] = exists == "true" }
    }
    if let text = value("currentDocument.updateTime"), let time = Timestamp(rfc3339: text) {
      return WireMessage(.precondition) { $0[.preconditionUpdateTime] = time }
    }
    return nil
  }

  private var transaction: [UInt8]? {
    value("transaction").flatMap { Base64.standard.octets(of: $0) }
  }
  private var readTime: Timestamp? { value("readTime").flatMap { Timestamp(rfc3339: $0) } }

  private func body(as type: MessageType) throws(WireProblem) -> WireMessage {
    if request.body.isEmpty { return WireMessage(type) }
    return try WireMessage(jsonText: request.body, as: type, project: project)
  }

  /// Reads a call that method and path determine; nil if there is none.
  func standard() throws(WireProblem) -> Call? {
    let isDocument = below.count.isMultiple(of: 2) && !below.isEmpty
    let isCollection = !below.count.isMultiple(of: 2)
    switch request.method {
    case "GET" where isDocument:
      return (
        .getDocument,
        WireMessage(.getDocumentRequest) {
          $0[.getDocumentRequestName] = name
          $0[.getDocumentRequestMask] = mask("mask")
          $0[.getDocumentRequestTransaction] = transaction
          if let readTime { $0[.getDocumentRequestReadTime] = readTime }
        }
      )
    case "GET" where isCollection: return (.listDocuments, listing)
    case "DELETE" where isDocument:
      return (
        .deleteDocument,
        WireMessage(.deleteDocumentRequest) {
          $0[.deleteDocumentRequestName] = name
          $0[.deleteDocumentRequestCurrentDocument] = precondition
        }
      )
    case "PATCH" where isDocument:
      var document = try body(as: .document)
      document[.documentName] = name
      return (
        .updateDocument,
        WireMessage(.updateDocumentRequest) {
          $0[.updateDocumentRequestDocument] = document
          $0[.updateDocumentRequestUpdateMask] = mask("updateMask")
          $0[.updateDocumentRequestMask] = mask("mask")
          $0[.updateDocumentRequestCurrentDocument] = precondition
        }
      )
    case "POST" where isCollection:
      let document = try body(as: .document)
      return (
        .createDocument,
        WireMessage(.createDocumentRequest) {
          $0[.createDocumentRequestParent] = parentOfCollection
          $0[.createDocumentRequestCollectionId] = below.last ?? Text()
          $0[.createDocumentRequestDocumentId] = value("documentId") ?? Text()
          $0[.createDocumentRequestDocument] = document
          $0[.createDocumentRequestMask] = mask("mask")
        }
      )
    default: return nil
    }
  }

  private var listing: WireMessage {
    WireMessage(.listDocumentsRequest) {
      $0[.listDocumentsRequestParent] = parentOfCollection
      $0[.listDocumentsRequestCollectionId] = below.last ?? Text()
      $0[.listDocumentsRequestPageSize] = value("pageSize").flatMap { Int32(String($0)) } ?? 0
      $0[.listDocumentsRequestPageToken] = value("pageToken") ?? Text()
      $0[.listDocumentsRequestOrderBy] = value("orderBy") ?? Text()
      $0[.listDocumentsRequestMask] = mask("mask")
      $0[.listDocumentsRequestShowMissing] = value("showMissing") == Text("true")
      $0[.listDocumentsRequestTransaction] = transaction
      if let readTime { $0[.listDocumentsRequestReadTime] = readTime }
    }
  }

  /// Reads a call with a verb; nil if there is none.
  func custom(_ verb: String) throws(WireProblem) -> Call? {
    guard below.count.isMultiple(of: 2) else { return nil }
    let isRoot = below.isEmpty
    switch verb {
    case "runQuery":
      var message = try body(as: .runQueryRequest)
      message[.runQueryRequestParent] = name
      return (.runQuery, message)
    case "runAggregationQuery":
      var message = try body(as: .runAggregationQueryRequest)
      message[.runAggregationQueryRequestParent] = name
      return (.runAggregationQuery, message)
    case "partitionQuery":
      var message = try body(as: .partitionQueryRequest)
      message[.partitionQueryRequestParent] = name
      return (.partitionQuery, message)
    case "listCollectionIds":
      var message = try body(as: .listCollectionIdsRequest)
      message[.listCollectionIdsRequestParent] = name
      return (.listCollectionIDs, message)
    case "commit" where isRoot:
      var message = try body(as: .commitRequest)
      message[.commitRequestDatabase] = database
      return (.commit, message)
    case "batchGet" where isRoot:
      var message = try body(as: .batchGetDocumentsRequest)
      message[.batchGetDocumentsRequestDatabase] = database
      return (.batchGetDocuments, message)
    case "batchWrite" where isRoot:
      var message = try body(as: .batchWriteRequest)
      message[.batchWriteRequestDatabase] = database
      return (.batchWrite, message)
    case "beginTransaction" where isRoot:
      var message = try body(as: .beginTransactionRequest)
      message[.beginTransactionRequestDatabase] = database
      return (.beginTransaction, message)
    case "rollback" where isRoot:
      var message = try body(as: .rollbackRequest)
      message[.rollbackRequestDatabase] = database
      return (.rollback, message)
    default: return nil
    }
  }
}
