import FirestoreStore
import FirestoreTransport
import RulesEval
import RulesLang

// Decisions of requests by the rules, and their log (Docs/Emulator.md, Rules by method).

extension Backend {
  /// The decisions that are logged.
  enum Logging: Sendable {
    /// All decisions.
    case always
    /// All decisions except `allow`: a listener is decided again at each change.
    case unlessAllowed
  }

  /// Decides a request by the rules, on the documents of the database or of a snapshot.
  ///
  /// - Parameter transaction: The transaction that locks the documents that the rules read.
  /// - Throws: The status of a denial, or of every request while broken rules are in force.
  mutating func authorize(
    _ operation: Request.Operation, in id: DatabaseID, time: Timestamp, for call: CallContext,
    on snapshot: Store? = nil, logging: Logging = .always,
    locking transaction: TransactionID? = nil
  ) throws(CallStatus) {
    if operation.isEmpty { return }
    let release = rulebook.release(of: id)
    let request = Request(
      principal: call.caller.principal, time: time.requestTime, operation: operation)
    var entry = DecidedCall(
      id: id, method: call.method, caller: call.caller, outcome: .admin, request: request,
      documents: Documents())
    switch release.state {
    case .broken(let message):
      entry.outcome = .refused
      entry.message = message
    case .open:
      if !call.caller.isAdmin {
        entry.outcome = .open
        noticeOpen(id)
      }
    case .compiled(let engine):
      entry.rules = engine.rules
      if !call.caller.isAdmin {
        judge(&entry, by: engine, on: snapshot, locking: transaction, at: call.now)
      }
    }
    let status = entry.status
    if status == nil, case .unlessAllowed = logging { return }
    log(entry, on: snapshot)
    if let status { throw status }
  }

  private mutating func judge(
    _ entry: inout DecidedCall, by engine: Engine, on snapshot: Store?,
    locking transaction: TransactionID?, at now: Timestamp
  ) {
    do throws(RequestProblem) {
      var judgement = try engine.judge(
        entry.request, on: snapshot?.documents ?? documents(of: entry.id),
        tracing: options.explainsDenials, explaining: options.explainsDenials)
      if let transaction {
        let targets = judgement.readDocuments.map { LockTarget.document($0) }
        _ = try? withTransactions(of: entry.id) { transactions throws(Refusal) in
          try transactions.read(targets, in: transaction, at: now)
        }
      }
      if judgement.denial == nil || !options.explainsDenials { judgement.dropTraces() }
      entry.decision = judgement.decision
      entry.outcome = judgement.denial == nil ? .allowed : .denied
      entry.message = judgement.denial
      guard options.keepsDecisions || options.countsCoverage else { return }
      let named = entry.request.operation.paths
      entry.documents = documents(judgement.lookedUp + named, in: entry.id, on: snapshot)
      if options.countsCoverage {
        addCoverage(entry.request, on: entry.documents, by: engine, in: entry.id)
      }
    } catch {
      switch error {
      case .unsupported(let message):
        entry.outcome = .refused
        entry.message = message
      }
    }
  }

  private mutating func log(_ entry: DecidedCall, on snapshot: Store?) {
    counts.add(entry.outcome)
    guard options.keepsDecisions else { return }
    var entry = entry
    if entry.decision == nil {
      entry.documents = documents(entry.request.operation.paths, in: entry.id, on: snapshot)
    }
    decisions.append(entry)
  }

  private func documents(
    _ paths: [DocumentPath], in id: DatabaseID, on snapshot: Store?
  ) -> Documents {
    var found: [(DocumentPath, MapValue)] = []
    for path in paths {
      guard let document = snapshot.map({ $0[path] }) ?? document(path, in: id) else { continue }
      found.append((path, document.data))
    }
    return Documents(found)
  }

  /// Refuses a caller who is not an administrator.
  func checkAdmin(_ call: CallContext, saying message: String) throws(CallStatus) {
    guard call.caller.isAdmin else {
      throw CallStatus(.permissionDenied, message)
    }
  }

  /// Refuses every request while rules that do not compile are in force.
  mutating func checkRules(of id: DatabaseID) throws(CallStatus) {
    try rulebook.release(of: id).checkUsable()
  }

  /// Refuses projects other than the one of the server, if it has one.
  func checkProject(_ id: DatabaseID) throws(CallStatus) {
    guard let only = options.onlyProject, id.project != only else { return }
    throw .invalid(
      "Multiple projectIds are not permitted in single project mode. Requested project ID "
        + "\(String(id.project)), but the emulator is configured for \(String(only)). "
        + "To opt-out of single project mode add/set the '\"singleProjectMode\": false' property in the "
        + "firebase.json emulators config.")
  }
}

extension Request.Operation {
  /// True if the operation reads nothing and writes nothing.
  fileprivate var isEmpty: Bool {
    switch self {
    case .get(let paths): paths.isEmpty
    case .list: false
    case .commit(let writes): writes.isEmpty
    }
  }

  /// The documents that the request names.
  fileprivate var paths: [DocumentPath] {
    switch self {
    case .get(let paths): paths
    case .list: []
    case .commit(let writes): writes.map { $0.path }
    }
  }
}

extension DecidedCall {
  /// The status of a request that is not allowed; nil if it is.
  fileprivate var status: CallStatus? {
    switch outcome {
    case .admin, .open, .allowed: nil
    case .denied: CallStatus(.permissionDenied, message ?? "")
    case .refused: .invalid(message ?? "")
    }
  }
}
