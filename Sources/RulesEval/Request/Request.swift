public import RulesLang

/// A scripted request: who, when, and what.
public struct Request: Sendable {
  /// What a request asks for.
  public enum Operation: Sendable {
    /// Reading documents by path; more than one is a batch get.
    case get([DocumentPath])
    /// A query.
    case list(Query)
    /// Writes that commit together; one is a single write.
    case commit([Write])
  }

  /// Who asks; nil for a client that is not signed in.
  public var principal: Principal?
  /// The value of `request.time` and of server timestamps.
  public var time: Timestamp
  /// What is asked for.
  public var operation: Operation

  /// Makes a request.
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
  /// The document ID in a query, or that of a collection in a query of every one: no one segment.
  case anyDocument
  /// The levels between the ancestor and a collection group: any number of segments.
  case anyRun
}

/// One thing that the rules must grant: a document operation or a disjunct of a query.
///
/// A request is allowed when each of its accesses is granted (Docs/Language.md §9).
public struct Access: Sendable {
  /// The method that allow statements are asked for.
  public var method: Method
  /// The path that match blocks are compared with.
  public var path: [RequestStep]
  /// The value of the variable `request`.
  public var request: Value
  /// The value of the variable `resource`, or why it has none.
  public var resource: Result<Value, EvaluationError.Reason>
  /// The document, unless the access is a query for no one document.
  public var document: DocumentPath?

  /// Whether it is a query for the one document that a filter on `__name__` names.
  var isNamedByQuery: Bool {
    guard method == .list, document == nil, case .segment? = path.last else { return false }
    return true
  }

  /// The database that it is an access to.
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
  /// The steps that match patterns are compared with.
  func steps(in database: DatabaseName) -> [RequestStep] {
    var steps: [RequestStep] = []
    steps.reserveCapacity(DatabaseName.rootCount + segments.count)
    for segment in database.root { steps.append(.segment(segment)) }
    for segment in segments { steps.append(.segment(segment)) }
    return steps
  }
}
