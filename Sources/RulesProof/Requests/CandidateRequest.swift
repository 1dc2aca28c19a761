import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A candidate request in separately removable parts, with the stored documents.
struct CandidateRequest {
  /// Another document, before and after the request.
  struct Other {
    var path: DocumentPath
    var before: MapValue?
    var after: MapValue?
    /// True if the request deletes it although it is not stored.
    var isDeleted = false

    /// True if the request changes it. Compares by identity, since an unchanged NaN is not a change.
    var isChanged: Bool {
      before.map { ConstantKey(of: .map($0)) } != after.map { ConstantKey(of: .map($0)) }
    }

    /// True if the request contains a write of it.
    fileprivate var isWritten: Bool {
      if before == nil, after == nil { return isDeleted }
      return isChanged
    }
  }

  /// One filter of a query.
  struct Filter {
    var field: FieldPath
    var comparison: Query.Comparison
    var value: Value
  }

  var method: Method
  var access: Scenario.Access
  /// True if a query that names its document is one of the collection group.
  var isNamedInGroup = false
  /// The length of the ancestor's path in such a query of the collection group; 0 for the root.
  var namedBelow = 0
  var path: DocumentPath
  var principal: Principal?
  var time: Timestamp
  /// The database of the request.
  var database = DatabaseName.standard
  var before: MapValue?
  var after: MapValue?
  var others: [Other] = []
  var filters: [Filter] = []
  var limit: Int64?
  var offset: Int64 = 0
  /// The values of the claim's further variables (`ClaimPath.others`).
  var variables: [Text] = []

  /// The documents stored before the request.
  var documents: Documents {
    var stored: [(DocumentPath, MapValue)] = []
    if let before { stored.append((path, before)) }
    for other in others where other.path != path {
      if let data = other.before { stored.append((other.path, data)) }
    }
    return Documents(stored)
  }

  /// The request.
  var request: Request {
    Request(principal: principal, time: time, operation: operation)
  }

  private var operation: Request.Operation {
    switch method {
    case .get: .get([path])
    case .list: .list(query)
    case .create, .update, .delete:
      .commit([write(at: path, from: before, to: after)] + otherWrites)
    }
  }

  /// The request in plain form; nil for a query or a commit with other writes.
  var plain: PlainRequest? {
    if method == .list || method.isWrite && others.contains(where: { $0.isWritten }) { return nil }
    var written: [Text]?
    if method == .update, let before, let after {
      written = SuiteWriter.updatedKeys(from: before, to: after)
    }
    return PlainRequest(
      method, by: principal, at: time, before: before, after: after, written: written)
  }

  private func write(at path: DocumentPath, from old: MapValue?, to new: MapValue?) -> Write {
    guard let new else { return Write(to: path, .delete) }
    guard let old else { return Write(to: path, .set(new, mask: nil), precondition: .missing) }
    // Exactly the update in the test of the report, which masks the changed fields.
    let mask = SuiteWriter.updatedKeys(from: old, to: new)?.map { FieldPath([$0]) }
    return Write(to: path, .set(new, mask: mask), precondition: .exists)
  }

  private var otherWrites: [Write] {
    others.compactMap { other in
      switch (other.before, other.after) {
      case (.none, .none): other.isDeleted ? Write(to: other.path, .delete) : nil
      case (.some, .some) where !other.isChanged: nil
      case (let old, let new): write(at: other.path, from: old, to: new)
      }
    }
  }

  private var query: Query {
    let segments = path.segments
    var query = Query(
      parent: DocumentPath(Array(segments.dropLast(2))), collection: segments[segments.count - 2])
    if case .group(let below) = access {
      query.parent = DocumentPath(Array(segments[..<below]))
      query.isCollectionGroup = true
    }
    var parts = filters.map { Query.Filter.field($0.field, $0.comparison, $0.value) }
    if access == .namedQuery {
      if isNamedInGroup {
        query.parent = DocumentPath(Array(segments[..<namedBelow]))
        query.isCollectionGroup = true
      }
      parts.append(.field(FieldPath(["__name__"]), .equal, .path(path.value(in: database))))
    }
    query.filter = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .and(parts)
    query.limit = limit
    query.offset = offset
    return query
  }
}
