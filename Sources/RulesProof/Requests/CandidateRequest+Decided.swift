import RulesEncoding
import RulesEval
import RulesLang

extension CandidateRequest {
  /// Splits a confirmed counterexample into parts.
  init(_ found: Counterexample, in database: DatabaseName) {
    self.init(
      found.request, on: found.documents, in: database, about: found.document,
      method: found.method)
    variables = found.variables
  }

  /// Splits a request about a document into parts.
  init(
    _ request: Request, on documents: Documents, in database: DatabaseName,
    about document: DocumentPath, method: Method
  ) {
    self.init(
      method: method, access: .document, path: document, principal: request.principal,
      time: request.time, database: database)
    before = documents[document]
    var after = documents
    if case .commit(let writes) = request.operation {
      _ = after.commit(writes, at: request.time)
    }
    if method == .create || method == .update { self.after = after[path] }
    var paths = documents.all.map { $0.path }
    paths += after.all.map { $0.path }.filter { !paths.contains($0) }
    for other in paths where other != path {
      others.append(Other(path: other, before: documents[other], after: after[other]))
    }
    if case .list(let query) = request.operation { adopt(query) }
  }

  private mutating func adopt(_ query: Query) {
    limit = query.limit
    offset = query.offset
    access = query.isCollectionGroup ? .group(below: query.parent.segments.count) : .query
    let parts: [Query.Filter]
    switch query.filter {
    case .and(let all): parts = all
    case .some(let one): parts = [one]
    case .none: parts = []
    }
    for case .field(let field, let comparison, let value) in parts {
      if field == FieldPath(["__name__"]) {
        access = .namedQuery
        isNamedInGroup = query.isCollectionGroup
        namedBelow = query.isCollectionGroup ? query.parent.segments.count : 0
      } else {
        filters.append(Filter(field: field, comparison: comparison, value: value))
      }
    }
  }
}
