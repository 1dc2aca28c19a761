import FirestoreStore
public import RulesEval
import RulesLang

extension Request {
  /// Returns the bytes of the names and values of the request and of documents, as Firestore counts them.
  /// They bound the memory of a log of requests.
  public func size(with documents: Documents) -> Int {
    let stored = documents.all.reduce(0) { $0 + $1.data.storedSize }
    return stored + (principal?.token.storedSize ?? 0) + operation.size
  }
}

extension Request.Operation {
  /// Bytes of the names and values.
  fileprivate var size: Int {
    switch self {
    case .get(let paths): paths.reduce(0) { $0 + $1.storedSize }
    case .list(let query): query.size
    case .commit(let writes): writes.reduce(0) { $0 + $1.path.storedSize + $1.size }
    }
  }
}

extension Query {
  /// Bytes of the names and values.
  fileprivate var size: Int {
    orderBy.reduce(parent.storedSize + collection.bytes.count + (filter?.size ?? 0)) {
      $0 + $1.field.size
    }
  }
}

extension FieldPath {
  /// Bytes of the names.
  fileprivate var size: Int { names.reduce(0) { $0 + $1.bytes.count + 1 } }
}

extension Write {
  fileprivate var size: Int {
    let computed = transforms.reduce(0) { before, entry in
      let sum = before + entry.path.size
      return switch entry.transform {
      case .serverTimestamp: sum
      case .increment(let value), .maximum(let value), .minimum(let value): sum + value.storedSize
      case .arrayUnion(let values), .arrayRemove(let values):
        values.reduce(sum) { $0 + $1.storedSize }
      }
    }
    switch change {
    case .set(let data, let mask):
      return (mask ?? []).reduce(computed + data.storedSize) { $0 + $1.size }
    case .delete: return computed
    }
  }
}

extension Query.Filter {
  /// Bytes of the names and values. Recursion ends with the levels of messages.
  fileprivate var size: Int {
    switch self {
    case .field(let path, _, let value): path.size + value.storedSize
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }
}
