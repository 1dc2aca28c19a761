public import FirestoreStore
public import RulesEval
public import RulesLang

/// A request that the rules decided, or would have decided for a client: the input of reports on a test run,
/// recorded suites and mutation analysis.
public struct DecidedCall: Sendable {
  /// The outcome of a request.
  public enum Outcome: Sendable {
    /// An administrator called, so the rules were not evaluated.
    case admin
    /// The database has no rules.
    case open
    /// The rules allow it.
    case allowed
    /// The rules deny it.
    case denied
    /// Neither allowed nor denied: rules that do not compile are in force, or the request cannot be decided.
    case refused
  }

  /// The database.
  public var id: DatabaseID
  /// The method of the service, such as `Write`.
  public var method: String
  /// The caller.
  public var caller: Caller
  /// The outcome.
  public var outcome: Outcome
  /// The request with its time; that of an administrator is written as of a client that is not signed in.
  public var request: Request
  /// The rules in force; nil if there are none, or none that compile.
  public var rules: Checked?
  /// The documents that the request names and those that the rules looked up, before the request; only the
  /// latter if it is a query.
  public var documents: Documents
  /// The decision; nil if there is none.
  public var decision: Decision?
  /// The status message of a request that is denied or refused.
  public var message: String?
}

/// The numbers of requests by outcome since the server was started.
public struct DecisionCounts: Sendable, Equatable {
  /// The number of requests by administrators.
  public var admin = 0
  /// The number of requests to databases without rules.
  public var open = 0
  /// The number of requests that rules allowed.
  public var allowed = 0
  /// The number of requests that rules denied.
  public var denied = 0
  /// The number of requests that were neither allowed nor denied.
  public var refused = 0

  /// Counts an outcome.
  mutating func add(_ outcome: DecidedCall.Outcome) {
    switch outcome {
    case .admin: admin += 1
    case .open: open += 1
    case .allowed: allowed += 1
    case .denied: denied += 1
    case .refused: refused += 1
    }
  }
}
