public import RulesLang

/// An environment: what a lone expression is evaluated in, the variables and lookups of one access.
public struct Environment: Sendable {
  let access: Access
  let lookups: Lookups
  /// The database that the request is to: the value of `database`.
  public let database: DatabaseName

  /// Creates the environment of a request; for a query with several disjuncts, that of the first.
  public init?(
    _ request: Request, on documents: Documents, in database: DatabaseName,
    profile: Profile = .emulator
  ) {
    guard
      let plan = try? Plan(request, on: documents, in: database, profile: profile),
      let access = plan.accesses.first
    else { return nil }
    self.database = database
    self.access = access
    var lookups = plan.lookups
    lookups.begin(access)
    self.lookups = lookups
  }

  /// The environment without a request: only expressions that do not read one can be evaluated.
  static let empty = Environment()

  private init() {
    access = Access(
      method: .get, path: [], request: .null, resource: .success(.null), document: nil)
    database = .standard
    lookups = Lookups(before: Documents(), after: Documents(), written: [], in: database)
  }
}

extension Environment {
  /// The promise of a query's filters about the data of its documents; an empty map for other requests.
  public var promise: Value {
    if access.method == .list, case .success(.map(let resource)) = access.resource {
      return resource["data"] ?? .null
    }
    return .map(MapValue())
  }

  /// The value of the variable `request`.
  package var request: Value { access.request }

  /// The value of the variable `resource`; nil if reading it is an error.
  package var resource: Value? { try? access.resource.get() }

  /// The documents as they are after the whole request.
  public var after: Documents { lookups.after }
}
