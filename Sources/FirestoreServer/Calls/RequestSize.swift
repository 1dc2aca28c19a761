import FirestoreStore
public import RulesEval
import RulesLang

extension Request {
  /// Bytes of the values of the request and of documents, as Firestore counts them: the memory that a log of
  /// requests is bounded by.
  public func size(with documents: Documents) -> Int {
    let stored = documents.all.reduce(0) { $0 + $1.data.storedSize }
    return stored + (principal?.token.storedSize ?? 0) + operation.size
  }
}

extension Request.Operation {
  private static let nameSize = 64

  /// Bytes of the values, and for each name as much as most have.
  fileprivate var size: Int {
    switch self {
    case .get(let paths): paths.count * Self.nameSize
    case .list(let query): Self.nameSize + (query.filter?.size ?? 0)
    case .commit(let writes): writes.reduce(0) { $0 + Self.nameSize + $1.size }
    }
  }
}

extension Write {
  fileprivate var size: Int {
    let computed = transforms.reduce(0) { sum, entry in
      switch entry.transform {
      case .serverTimestamp: sum
      case .increment(let value), .maximum(let value), .minimum(let value): sum + value.storedSize
      case .arrayUnion(let values), .arrayRemove(let values):
        values.reduce(sum) { $0 + $1.storedSize }
      }
    }
    switch change {
    case .set(let data, _): return computed + data.storedSize
    case .delete: return computed
    }
  }
}

extension Query.Filter {
  /// Bytes of the values. Recursion ends with the levels of messages.
  fileprivate var size: Int {
    switch self {
    case .field(_, _, let value): value.storedSize
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }
}
