import FirestoreWire
import RulesLang

/// One call of a sequence, or one message of a stream; each can be removed without invalidating the others.
struct CallStep: Sendable {
  /// Kind of step.
  enum Action: Sendable {
    /// A call with one request.
    case unary(FirestoreMethod)
    /// A message on the user's stream of a method, which is opened if necessary.
    case message(FirestoreMethod)
    /// The end of that stream by the client.
    case end(FirestoreMethod)
  }

  /// A function that makes the request from a side's memory: names in its project, versions, transactions.
  typealias CandidateRequest = @Sendable (CallMemory) -> WireMessage

  /// The user who performs it.
  var user: CallUser
  /// The kind of step.
  var action: Action
  /// The request; unused for the end of a stream.
  var candidate: CandidateRequest
  /// The number under which a transaction that the answer begins is stored.
  var transaction: Int?

  /// The method.
  var method: FirestoreMethod {
    switch action {
    case .unary(let method), .message(let method), .end(let method): method
    }
  }

  /// The kind of step, for counting: `Commit`, `Listen`, `end of Listen`.
  var kind: String {
    switch action {
    case .unary(let method), .message(let method): method.name.description
    case .end(let method): "end of \(method.name)"
    }
  }

  /// True if the step writes documents, in which case a set is tried both as a create and as an update.
  var writesDocuments: Bool { [.commit, .write, .updateDocument].contains(method) }

  /// True if the step is a query that is ordered by descending names.
  var asksForDescendingNames: Bool {
    let request = candidate(CallMemory(project: ""))
    var query: WireMessage?
    if method == .runQuery {
      query = request[.runQueryRequestStructuredQuery]
    } else if method == .runAggregationQuery {
      let asked = request[.runAggregationQueryRequestStructuredAggregationQuery]
      query = asked?[.structuredAggregationQueryStructuredQuery]
    }
    return query?[.structuredQueryOrderBy].contains { order in
      order[.orderField]?[.fieldReferenceFieldPath] == "__name__"
        && order[.orderDirection] == .descending
    } ?? false
  }

  /// True if the step may read several documents, or has alternatives of a query.
  var isPlural: Bool {
    [.batchGetDocuments, .runQuery, .runAggregationQuery, .listen].contains(method)
  }
}
