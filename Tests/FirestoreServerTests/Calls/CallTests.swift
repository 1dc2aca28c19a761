import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Calls with one message.
@Suite struct CallTests {
  private static let root = TestClient.database + "/documents"

  private static func names(_ messages: [WireMessage]) -> [String] {
    messages.compactMap { $0[.runQueryResponseDocument] }.map {
      TestClient.path($0[.documentName])
    }
  }

  @Test func aCallHasOneMessage() {
    var client = TestClient()
    let none = client.call("GetDocument")
    client.halfClose(none)
    #expect(client.status(none) == CallStatus(.internal, "Half-closed without a request"))
    let two = client.call("GetDocument")
    let request = WireMessage(.getDocumentRequest) {
      $0[.getDocumentRequestName] = TestClient.name("a/b")
    }
    client.send(request, on: two)
    #expect(client.status(two) == nil)
    client.send(request, on: two)
    #expect(client.status(two) == CallStatus(.internal, "Too many requests"))
    let junk = client.call("GetDocument")
    client.send(bytes: [0xFF, 0xFF, 0xFF], on: junk)
    client.halfClose(junk)
    #expect(client.status(junk)?.code == .invalidArgument)
    let unknown = client.call("Nope")
    #expect(
      client.status(unknown)
        == CallStatus(
          .unimplemented, "Method not found: google.firestore.v1.Firestore/Nope"))
  }

  @Test func aBadTokenEndsACallForGood() {
    var client = TestClient()
    let stream = client.call("Write", as: "a.b")
    #expect(client.status(stream) == CallStatus(.invalidArgument, "invalid jwt"))
  }

  @Test func aDocumentIsRead() {
    var client = TestClient()
    client.commit(TestClient.set("a/b", [("x", .int(1)), ("y", .string("é"))]))
    func get(_ name: Text, mask: [Text]? = nil) -> (messages: [WireMessage], status: CallStatus?) {
      client.unary(
        .getDocument,
        WireMessage(.getDocumentRequest) {
          $0[.getDocumentRequestName] = name
          $0[.getDocumentRequestMask] = mask.map { paths in
            WireMessage(.documentMask) { $0[.documentMaskFieldPaths] = paths }
          }
        })
    }
    let (found, status) = get(TestClient.name("a/b"))
    #expect(status == .ok && found.first?[.documentFields].keys.map { String($0) } == ["x", "y"])
    #expect(
      get(TestClient.name("a/b"), mask: ["y"]).messages.first?[.documentFields].keys.map {
        String($0)
      } == ["y"])
    #expect(
      get(TestClient.name("a/none")).status
        == CallStatus(.notFound, "Document (\(String(TestClient.name("a/none")))) not found."))
    #expect(get("x").status?.code == .invalidArgument)
  }

  @Test func batchGetAnswersEachNameOnceInOrder() {
    var client = TestClient()
    client.commit(TestClient.set("a/b"))
    let (messages, status) = client.get("a/c", "a/b", "a/c")
    #expect(status == .ok && messages.count == 2)
    #expect(messages.first?[.batchGetDocumentsResponseMissing] == TestClient.name("a/c"))
    #expect(messages.last?[.batchGetDocumentsResponseFound] != nil)
    let times = messages.compactMap { $0[.batchGetDocumentsResponseReadTime] }
    #expect(times.count == 2 && times[0] == times[1])
    let none = client.get()
    #expect(none.messages.isEmpty && none.status == .ok)
  }

  @Test func aQueryAnswersADocumentAMessageAndMarksTheLast() {
    var client = TestClient()
    client.commit(
      TestClient.set("a/1"), TestClient.set("a/2", [("x", .int(2))]), TestClient.set("b/3"))
    let (messages, status) = client.run(TestClient.query("a"))
    #expect(status == .ok && Self.names(messages) == ["a/1", "a/2"])
    #expect(messages.map { $0[.runQueryResponseDone] } == [nil, true])
    var later = TestClient.query("a")
    later[.structuredQueryOffset] = 1
    client.commit(TestClient.set("a/3"))
    let skipped = client.run(later).messages.map { $0[.runQueryResponseSkippedResults] }
    #expect(skipped == [1, 0])
    let (nothing, _) = client.run(TestClient.query("c"))
    #expect(nothing.count == 1 && nothing[0][.runQueryResponseDone] == true)
    #expect(nothing[0][.runQueryResponseReadTime] != nil)
  }

  @Test func filtersOrdersCursorsLimitsAndSelectionsAreUnderstood() {
    var client = TestClient()
    for number in 1...5 {
      client.commit(
        TestClient.set("a/\(number)", [("x", .int(Int64(number))), ("t", .string("s"))]))
    }
    var query = TestClient.query("a")
    func field(_ name: Text) -> WireMessage {
      WireMessage(.fieldReference) { $0[.fieldReferenceFieldPath] = name }
    }
    func filter(_ op: FieldOperator, _ value: Value) -> WireMessage {
      WireMessage(.filter) {
        $0[.filterFieldFilter] = WireMessage(.fieldFilter) {
          $0[.fieldFilterField] = field("x")
          $0[.fieldFilterOp] = op
          $0[.fieldFilterValue] = value
        }
      }
    }
    query[.structuredQueryWhere] = WireMessage(.filter) {
      $0[.filterCompositeFilter] = WireMessage(.compositeFilter) {
        $0[.compositeFilterOp] = .and
        $0[.compositeFilterFilters] = [
          filter(.greaterThan, .int(1)), filter(.lessThanOrEqual, .int(5)),
        ]
      }
    }
    query[.structuredQueryOrderBy] = [
      WireMessage(.order) {
        $0[.orderField] = field("x")
        $0[.orderDirection] = .descending
      }
    ]
    query[.structuredQueryStartAt] = WireMessage(.cursor) { $0[.cursorValues] = [.int(5)] }
    query[.structuredQueryLimit] = 2
    query[.structuredQuerySelect] = WireMessage(.projection) {
      $0[.projectionFields] = [field("t")]
    }
    let (messages, status) = client.run(query)
    #expect(status == .ok)
    #expect(Self.names(messages) == ["a/4", "a/3"])
    #expect(
      messages.first?[.runQueryResponseDocument]?[.documentFields].keys.map { String($0) } == ["t"])
  }

  @Test func anEqualityWithNullStandsBesideNotIn() {
    var client = TestClient(rules: "match /a/{d} { allow list; }")
    func filter(_ op: FieldOperator, _ value: Value) -> WireMessage {
      WireMessage(.filter) {
        $0[.filterFieldFilter] = WireMessage(.fieldFilter) {
          $0[.fieldFilterField] = WireMessage(.fieldReference) {
            $0[.fieldReferenceFieldPath] = op == .equal ? "z" : "x"
          }
          $0[.fieldFilterOp] = op
          $0[.fieldFilterValue] = value
        }
      }
    }
    var query = TestClient.query("a")
    query[.structuredQueryWhere] = WireMessage(.filter) {
      $0[.filterCompositeFilter] = WireMessage(.compositeFilter) {
        $0[.compositeFilterOp] = .and
        $0[.compositeFilterFilters] = [filter(.equal, .null), filter(.notIn, .list([.int(2)]))]
      }
    }
    #expect(client.run(as: TestClient.user("alice"), query).status == .ok)
  }

  @Test func aListIsAskedByItsFiltersAndNotByDocuments() {
    var client = TestClient(
      rules: "match /a/{id} { allow list: if resource.data.x == 1 && request.query.limit <= 10; }")
    client.commit(TestClient.set("a/1"))
    var query = TestClient.query("a")
    #expect(client.run(as: nil, query).status?.code == .permissionDenied)
    query[.structuredQueryLimit] = 10
    query[.structuredQueryWhere] = WireMessage(.filter) {
      $0[.filterFieldFilter] = WireMessage(.fieldFilter) {
        $0[.fieldFilterField] = WireMessage(.fieldReference) { $0[.fieldReferenceFieldPath] = "x" }
        $0[.fieldFilterOp] = .equal
        $0[.fieldFilterValue] = .int(1)
      }
    }
    #expect(client.run(as: nil, query).status == .ok)
  }

  @Test func aggregatesAreCounted() {
    var client = TestClient(rules: "match /a/{id} { allow list; }")
    client.commit(TestClient.set("a/1"), TestClient.set("a/2", [("x", .float(1.5))]))
    func aggregate(_ count: Int, collection: Text = "a") -> (
      messages: [WireMessage], status: CallStatus?
    ) {
      client.unary(
        .runAggregationQuery, as: nil,
        WireMessage(.runAggregationQueryRequest) {
          $0[.runAggregationQueryRequestParent] = Self.root
          $0[.runAggregationQueryRequestStructuredAggregationQuery] = WireMessage(
            .structuredAggregationQuery
          ) {
            $0[.structuredAggregationQueryStructuredQuery] = TestClient.query(collection)
            $0[.structuredAggregationQueryAggregations] = (0..<count).map { number in
              WireMessage(.aggregation) {
                $0[.aggregationAlias] = Text("n\(number)")
                $0[.aggregationCount] = WireMessage(.count)
              }
            }
          }
        })
    }
    let (messages, status) = aggregate(2)
    #expect(status == .ok && messages.count == 1)
    let fields = messages.first?[.runAggregationQueryResponseResult]?[
      .aggregationResultAggregateFields]
    #expect(fields.map { JSONText(.map($0)).compact }?.contains("\"value\":\"2\"") == true)
    #expect(aggregate(1, collection: "b").status?.code == .permissionDenied)
    #expect(aggregate(0).status == CallStatus(.invalidArgument, "Aggregations can not be empty."))
    // Mistakes come before rules.
    #expect(aggregate(0, collection: "b").status == aggregate(0).status)
    #expect(aggregate(6).status?.code == .invalidArgument)
    #expect(aggregate(6).status?.message.contains("maximum number of aggregations") == true)
  }

  @Test func mistakesOfAQueryOfAnyCollectionComeBeforeRules() {
    var client = TestClient(rules: "match /a/{id} { allow list; }")
    var query = TestClient.query("")
    query[.structuredQueryOrderBy] = [
      WireMessage(.order) {
        $0[.orderField] = WireMessage(.fieldReference) { $0[.fieldReferenceFieldPath] = "x" }
      }
    ]
    let mistake = CallStatus(
      .invalidArgument, "kind is required for all orders except __key__ ascending")
    #expect(client.run(as: TestClient.user("alice"), query).status == mistake)
    #expect(client.run(query).status == mistake)
  }

  @Test func documentsAreListed() {
    var client = TestClient(rules: "match /a/{id} { allow list: if request.query.limit == 2; }")
    client.commit(TestClient.set("a/1"), TestClient.set("a/2"), TestClient.set("a/3/b/c"))
    func list(
      as token: String?, pageSize: Int32 = 0, missing: Bool = false, collection: Text = "a",
      mask: [Text]? = nil
    ) -> (messages: [WireMessage], status: CallStatus?) {
      client.unary(
        .listDocuments, as: token,
        WireMessage(.listDocumentsRequest) {
          $0[.listDocumentsRequestParent] = Self.root
          $0[.listDocumentsRequestCollectionId] = collection
          $0[.listDocumentsRequestPageSize] = pageSize
          $0[.listDocumentsRequestShowMissing] = missing
          $0[.listDocumentsRequestMask] = mask.map { paths in
            WireMessage(.documentMask) { $0[.documentMaskFieldPaths] = paths }
          }
        })
    }
    func names(_ messages: [WireMessage]) -> [String]? {
      messages.first?[.listDocumentsResponseDocuments].map { TestClient.path($0[.documentName]) }
    }
    #expect(names(list(as: "owner").messages) == ["a/1", "a/2"])
    #expect(names(list(as: nil, pageSize: 2).messages) == ["a/1", "a/2"])
    #expect(list(as: nil, pageSize: 3).status?.code == .permissionDenied)
    #expect(list(as: nil).status?.code == .permissionDenied)
    #expect(names(list(as: "owner", missing: true).messages) == ["a/1", "a/2", "a/3"])
    #expect(
      list(as: nil, missing: true).status
        == CallStatus(.permissionDenied, "Metadata operations require admin authentication."))
    #expect(
      list(as: nil, missing: true, collection: "").status
        == CallStatus(.invalidArgument, "collection id must be set when show_missing is true"))
    #expect(list(as: nil, collection: "b").status?.code == .permissionDenied)
    // One that was deleted has the time of its deletion, one that never was has none.
    client.commit(TestClient.set("a/2/b/c"), TestClient.delete("a/2"))
    let gone = list(as: "owner", missing: true).messages
    #expect(names(gone) == ["a/1", "a/2", "a/3"])
    #expect(
      gone.first?[.listDocumentsResponseDocuments].map { $0[.documentUpdateTime] != nil }
        == [true, true, false])
    // With missing documents the mask is read and not followed.
    for (missing, count) in [(true, 1), (false, 0)] {
      let (messages, _) = list(as: "owner", missing: missing, mask: ["y"])
      #expect(
        messages.first?[.listDocumentsResponseDocuments].first?[.documentFields].keys.count
          == count)
      #expect(
        list(as: "owner", missing: missing, mask: ["a-b"]).status?.code == .invalidArgument)
    }
  }

  /// Rules do not see an ID that the server draws (Docs/Emulator.md, Rules by method).
  @Test func rulesDoNotSeeADrawnID() {
    var client = TestClient(
      rules: """
        match /a/{d} { allow create: if d != '2'; }
        match /b/{d} { allow create: if request.autoId && request.resource.data.x == 1; }
        match /c/{d} { allow create: if request.resource.id == 'x'; }
        """)
    func create(in collection: Text, id: Text = "") -> CallStatus? {
      client.unary(
        .createDocument, as: nil,
        WireMessage(.createDocumentRequest) {
          $0[.createDocumentRequestParent] = Self.root
          $0[.createDocumentRequestCollectionId] = collection
          $0[.createDocumentRequestDocumentId] = id
          $0[.createDocumentRequestDocument] = WireMessage(.document) {
            $0[.documentFields] = MapValue([("x", .int(1))])
          }
        }
      ).status
    }
    let null = "Null value error. for 'create' @ L2"
    #expect(create(in: "a") == CallStatus(.permissionDenied, "\n\(null), \(null)"))
    #expect(create(in: "a", id: "1") == .ok)
    #expect(create(in: "b") == .ok)
    #expect(create(in: "b", id: "1")?.code == .permissionDenied)
    #expect(
      create(in: "c")
        == CallStatus(
          .permissionDenied,
          "\nProperty id is undefined on object. for 'create' @ L4, false for 'create' @ L4"))
  }

  /// Patterns that let users list the documents of any collection.
  @Test(arguments: [("/{c}/{d}", true), ("/a/{d}", false), ("/{p=**}", true)])
  func aListWithoutACollectionIsOneOfAny(_ pattern: String, _ isAllowed: Bool) {
    var client = TestClient(rules: "match \(pattern) { allow list; }")
    client.commit(TestClient.set("a/1"), TestClient.set("b/1"))
    let list = client.unary(
      .listDocuments, as: nil,
      WireMessage(.listDocumentsRequest) { $0[.listDocumentsRequestParent] = Self.root })
    #expect(list.messages.first?[.listDocumentsResponseDocuments].count == (isAllowed ? 2 : nil))
    let query = client.run(as: nil, TestClient.query(""))
    #expect(query.status?.code == (isAllowed ? .ok : .permissionDenied))
    #expect(query.messages.count == (isAllowed ? 2 : 0))
  }

  @Test func collectionsAndPartitionsAreForAdministrators() {
    var client = TestClient()
    client.commit(TestClient.set("b/1"), TestClient.set("a/1"))
    let request = WireMessage(.listCollectionIdsRequest) {
      $0[.listCollectionIdsRequestParent] = Self.root
    }
    let (messages, _) = client.unary(.listCollectionIDs, request)
    #expect(
      messages.first?[.listCollectionIdsResponseCollectionIds].map { String($0) } == ["a", "b"])
    #expect(client.unary(.listCollectionIDs, as: nil, request).status?.code == .permissionDenied)
    let partition = WireMessage(.partitionQueryRequest) {
      $0[.partitionQueryRequestParent] = Self.root
      $0[.partitionQueryRequestStructuredQuery] = TestClient.query("a")
    }
    let (answer, status) = client.unary(.partitionQuery, partition)
    #expect(status == .ok && answer.first?[.partitionQueryResponsePartitions].isEmpty == true)
  }

  @Test func documentsAreCreatedUpdatedAndDeletedOneByOne() throws {
    var client = TestClient()
    func create(_ id: Text) -> (messages: [WireMessage], status: CallStatus?) {
      client.unary(
        .createDocument,
        WireMessage(.createDocumentRequest) {
          $0[.createDocumentRequestParent] = Self.root
          $0[.createDocumentRequestCollectionId] = "a"
          $0[.createDocumentRequestDocumentId] = id
          $0[.createDocumentRequestDocument] = WireMessage(.document) {
            $0[.documentFields] = MapValue([("x", .int(1))])
          }
        })
    }
    let chosen = create("b")
    #expect(chosen.status == .ok && chosen.messages.first?[.documentName] == TestClient.name("a/b"))
    #expect(create("b").status?.code == .alreadyExists)
    let random = try #require(create("").messages.first?[.documentName])
    #expect(TestClient.path(random).split(separator: "/").last?.utf8.count == 20)
    #expect(create("").messages.first?[.documentName] != random)
    let update = WireMessage(.updateDocumentRequest) {
      $0[.updateDocumentRequestDocument] = WireMessage(.document) {
        $0[.documentName] = TestClient.name("a/b")
        $0[.documentFields] = MapValue([("y", .int(2))])
      }
      $0[.updateDocumentRequestUpdateMask] = WireMessage(.documentMask) {
        $0[.documentMaskFieldPaths] = ["y"]
      }
    }
    let updated = client.unary(.updateDocument, update)
    #expect(updated.messages.first?[.documentFields].keys.map { String($0) } == ["x", "y"])
    let delete = WireMessage(.deleteDocumentRequest) {
      $0[.deleteDocumentRequestName] = TestClient.name("a/b")
    }
    #expect(client.unary(.deleteDocument, delete).status == .ok)
    #expect(client.get("a/b").messages.first?[.batchGetDocumentsResponseMissing] != nil)
  }

  @Test func aBatchWritesEachByItselfForAdministrators() {
    var client = TestClient()
    let request = WireMessage(.batchWriteRequest) {
      $0[.batchWriteRequestDatabase] = TestClient.database
      $0[.batchWriteRequestWrites] = [
        TestClient.set("a/1"), TestClient.ifExists(true, TestClient.set("a/2")),
      ]
    }
    #expect(
      client.unary(.batchWrite, as: nil, request).status
        == CallStatus(.permissionDenied, "Batch writes require admin authentication."))
    let (messages, status) = client.unary(.batchWrite, request)
    #expect(status == .ok)
    #expect(messages.first?[.batchWriteResponseStatus].map { $0[.statusCode] } == [0, 5])
    #expect(client.get("a/1").messages.first?[.batchGetDocumentsResponseFound] != nil)
  }

  @Test func anEmptyCommitHasNoTime() {
    var client = TestClient()
    let (messages, status) = client.commit()
    #expect(status == .ok && messages.first?[.commitResponseCommitTime] == nil)
  }

  @Test func otherProjectsAreRefusedInSingleProjectMode() {
    var client = TestClient { $0.onlyProject = "demo" }
    #expect(client.commit(TestClient.set("a/b")).status == .ok)
    let status = client.unary(
      .beginTransaction,
      WireMessage(.beginTransactionRequest) {
        $0[.beginTransactionRequestDatabase] = "projects/other/databases/(default)"
      }
    ).status
    #expect(status?.code == .invalidArgument)
    #expect(status?.message.hasPrefix("Multiple projectIds are not permitted") == true)
  }

  @Test func aCallThatRunsOutOfTimeIsReset() {
    var client = TestClient()
    let stream = client.call("Listen", as: "owner", [HTTPHeader("grpc-timeout", "1S")])
    client.send(TestClient.listen(to: "a/b", as: 2), on: stream)
    client.pass(milliseconds: 900)
    #expect(client.streams[stream]?.reset == nil)
    #expect(client.server.nextDeadline != nil)
    client.pass(milliseconds: 200)
    #expect(client.streams[stream]?.reset == 8)
    #expect(client.server.nextDeadline == nil && client.server.listenerCount == 0)
  }

  @Test(arguments: [("0S", true), ("1n", true), ("100u", true), ("101u", false), ("1m", false)])
  func aCallWithoutTimeIsResetAtOnce(_ time: String, _ isReset: Bool) {
    var client = TestClient()
    let stream = client.call("Listen", as: "owner", [HTTPHeader("grpc-timeout", time)])
    client.send(TestClient.listen(to: "a/b", as: 2), on: stream)
    #expect(client.streams[stream]?.reset == (isReset ? 8 : nil))
    #expect(client.server.listenerCount == (isReset ? 0 : 1))
    #expect(client.get("a/b").status == .ok)
  }
}
