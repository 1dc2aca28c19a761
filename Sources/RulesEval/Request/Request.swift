public import RulesLang

/// A request to Firestore: client, time and operation.
public struct Request: Sendable {
  /// The operation of a request.
  public enum Operation: Sendable {
    /// Reading documents by path; more than one is a batch get.
    case get([DocumentPath])
    /// A query.
    case list(Query)
    /// Writes that commit together; one is a single write.
    case commit([Write])
  }

  /// The client; nil if it is not signed in.
  public var principal: Principal?
  /// The value of `request.time` and of server timestamps.
  public var time: Timestamp
  /// The operation.
  public var operation: Operation

  /// Creates a request.
  public init(principal: Principal?, time: Timestamp, operation: Operation) {
    self.principal = principal
    self.time = time
    self.operation = operation
  }
}

/// A step of the path that match patterns are compared with.
public enum RequestStep: Sendable, Hashable {
  /// A segment of a known document.
  case segment(Text)
  /// An unknown ID: of a document in a query, of a document before the server draws its ID, or of a
  /// collection in a query of all collections. One segment.
  case anyDocument
  /// The unknown segments between the ancestor and a collection group, of any number.
  case anyRun
}

/// One thing that the rules must grant: a document operation or a disjunct of a query.
///
/// A request is allowed when each of its accesses is granted (Docs/Language.md §9).
public struct Access: Sendable {
  /// The method that an allow statement must cover.
  public var method: Method
  /// The path that the patterns of match blocks are matched with.
  public var path: [RequestStep]
  /// The value of the variable `request`.
  public var request: Value
  /// The value of the variable `resource`, or the error of reading it.
  public var resource: Result<Value, EvaluationError.Reason>
  /// The document of a get or write; nil for a query, even if that names its document.
  public var document: DocumentPath?

  /// True if it is a query whose filter on `__name__` names one document.
  var isNamedByQuery: Bool {
    guard method == .list, document == nil, case .segment? = path.last else { return false }
    return true
  }

  /// The database of the access.
  package var database: DatabaseName {
    guard path.count > DatabaseName.place, case .segment(let name) = path[DatabaseName.place]
    else { return .standard }
    return DatabaseName(name)
  }

  /// The path as people write it: `/users/alice`, `/users/?` for a query.
  public var pathText: String {
    var text = ""
    for step in path.dropFirst(DatabaseName.rootCount) {
      switch step {
      case .segment(let segment): text += "/" + String(segment)
      case .anyDocument: text += "/?"
      case .anyRun: text += "/**"
      }
    }
    return text.isEmpty ? "/" : text
  }
}

extension DocumentPath {
  /// Returns the steps that the patterns of match blocks are matched with.
  func steps(in database: DatabaseName) -> [RequestStep] {
    var steps: [RequestStep] = []
    steps.reserveCapacity(DatabaseName.rootCount + segments.count)
    for segment in database.root { steps.append(.segment(segment)) }
    for segment in segments { steps.append(.segment(segment)) }
    return steps
  }
}
