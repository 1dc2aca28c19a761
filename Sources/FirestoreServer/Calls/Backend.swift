import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// The state and behavior of a server without its connections: rules, documents and transactions of all
/// databases, and the log of decisions. Streams are not part of it.
struct Backend: Sendable {
  /// Settings of a server that concern calls.
  struct Options: Sendable {
    /// True if decided requests are kept, not only counted.
    var keepsDecisions = true
    /// True if denials explain more than the official message.
    var explainsDenials = false
    /// True if coverage is counted.
    var countsCoverage = false
    /// The only project that is served; nil for any.
    var onlyProject: Text?
    /// Seed of random IDs.
    var seed: UInt64 = 0
    /// The documents that databases begin with.
    var documents = Seed(at: .epoch)
  }

  /// The rules of all databases.
  var rulebook: Rulebook
  /// The clock of all databases.
  var clock = ServerClock()
  /// Requests that were decided since the log was last taken.
  var decisions: [DecidedCall] = []
  /// The numbers of requests by decision.
  var counts = DecisionCounts()
  /// Lines for standard error since the last take.
  var notices: [String] = []
  /// Documents that writes named, by database, since listeners were last told.
  private(set) var changes: [DatabaseID: [DocumentPath]] = [:]
  /// True if transactions ended since calls that wait were last tried again.
  var hasEndedTransactions = false
  /// The settings of the server.
  let options: Options
  /// Coverage of the rules of each database since they were set.
  private var coverage = CoverageCounter()
  /// Random numbers for the IDs of documents that are created without one.
  private var dice: Dice
  private var stores: [DatabaseID: Store] = [:]
  private var transactions: [DatabaseID: Transactions] = [:]
  /// Databases for which the notice of open access was given.
  private var openNoticed: Set<DatabaseID> = []

  /// Creates the backend of a server.
  init(rulebook: Rulebook, options: Options) {
    self.rulebook = rulebook
    self.options = options
    dice = Dice(seed: options.seed)
  }

  // MARK: Rules

  /// Puts rules in force for a database and resets its coverage.
  mutating func setRules(_ release: Release, of id: DatabaseID) {
    rulebook.set(release, for: id)
    coverage.forget { $0 == id }
  }

  /// Replaces the rules of databases whose rules were not uploaded, and resets their coverage.
  mutating func replaceDefaultRules(
    named: [DatabaseName: [RulesFile]], general: [RulesFile]
  ) {
    rulebook.replaceDefaults(named: named, general: general)
    coverage.forget { !rulebook.isUploaded($0) }
  }

  /// Adds a decided request to the coverage of a database.
  mutating func addCoverage(
    _ request: Request, on documents: Documents, by engine: Engine, in id: DatabaseID
  ) {
    coverage.add(request, on: documents, by: engine, in: id)
  }

  /// True if decided requests wait to be counted.
  var hasUncounted: Bool { coverage.isWaiting }

  /// Counts the decided requests that wait.
  mutating func countCoverage() { coverage.count() }

  /// The coverage of a database's rules; nil if they have decided nothing.
  mutating func coverage(of id: DatabaseID) -> RuleCoverage? { coverage.coverage(of: id) }

  // MARK: Documents

  /// The documents of a database, for reading. A copy kept during a write would make the write copy them all.
  func store(_ id: DatabaseID) -> Store { stores[id] ?? options.documents.store(id) }

  /// The documents of all databases.
  var databases: StoredDatabases { StoredDatabases(stores: stores, seed: options.documents) }

  /// The stored document at a path.
  func document(_ path: DocumentPath, in id: DatabaseID) -> StoredDocument? { store(id)[path] }

  /// The documents of a database as rules see them.
  func documents(of id: DatabaseID) -> Documents { store(id).documents }

  /// Commits writes, all or none of them.
  mutating func apply(
    _ writes: [StoreWrite], to id: DatabaseID, at time: Timestamp, requestTime: Timestamp,
    readTime: Timestamp?
  ) throws(Refusal) -> Commit {
    let commit = try stores[id, default: options.documents.store(id)].commit(
      writes, at: time, requestTime: requestTime, readTime: readTime)
    note(commit.changed, in: id)
    return commit
  }

  /// Commits writes one by one, except those of documents that other transactions have locked.
  mutating func applyEach(
    _ writes: [StoreWrite], to id: DatabaseID, at time: Timestamp, locked: Set<DocumentPath>
  ) throws(Refusal) -> [BatchOutcome] {
    let outcomes = try stores[id, default: options.documents.store(id)].batch(
      writes, at: time, clock: &clock, locked: locked)
    for (write, outcome) in zip(writes, outcomes) {
      if case .written = outcome { note([write.path], in: id) }
    }
    return outcomes
  }

  /// Adds the documents of an export to a database, with one update time; other documents stay.
  mutating func add(_ seed: Seed, to id: DatabaseID, at now: Timestamp) throws(Refusal) {
    var writes: [StoreWrite] = []
    seed.store(id).forEachDocument { writes.append(StoreWrite($0.path, .set($0.data, mask: nil))) }
    let time = clock.next(after: now)
    _ = try apply(writes, to: id, at: time, requestTime: time.requestTime, readTime: nil)
  }

  /// Deletes the documents of a database, or those at and below a path.
  mutating func clear(_ id: DatabaseID, below path: DocumentPath?) {
    guard stores[id] != nil || options.documents.project != nil else { return }
    if let path {
      note(stores[id, default: options.documents.store(id)].delete(below: path), in: id)
    } else {
      note(stores[id, default: options.documents.store(id)].clear(), in: id)
    }
  }

  /// Returns an ID for a document that is created without one.
  mutating func newDocumentID() -> Text {
    Text.newDocumentID(random: (0..<Self.randomBytes).map { _ in UInt8(dice.roll(256)) })
  }

  /// Number of random bytes of a document ID, one for each character.
  private static let randomBytes = 20

  private mutating func note(_ paths: [DocumentPath], in id: DatabaseID) {
    if !paths.isEmpty { changes[id, default: []] += paths }
  }

  /// Returns and clears the documents that writes named.
  mutating func takeChanges() -> [DatabaseID: [DocumentPath]] {
    if changes.isEmpty { return [:] }
    defer { changes = [:] }
    return changes
  }

  // MARK: Transactions

  /// The transactions of a database, changed in place.
  mutating func withTransactions<Result>(
    of id: DatabaseID, _ body: (inout Transactions) throws(Refusal) -> Result
  ) throws(CallStatus) -> Result {
    do throws(Refusal) {
      return try body(&transactions[id, default: Transactions()])
    } catch {
      throw CallStatus(error)
    }
  }

  /// True if no transaction was ever begun on a database, so that there are no locks.
  func hasNoTransactions(_ id: DatabaseID) -> Bool { transactions[id] == nil }

  /// True if a transaction holds locks.
  func holdsLocks(_ transaction: TransactionID, in id: DatabaseID) -> Bool {
    transactions[id]?.holdsLocks(transaction) ?? false
  }

  /// The documents of the writes that transactions have locked.
  func lockedDocuments(of writes: [StoreWrite], in id: DatabaseID) -> Set<DocumentPath> {
    guard let transactions = transactions[id] else { return [] }
    return Set(writes.map { $0.path }.filter { transactions.isLocked($0) })
  }

  /// Ends a transaction.
  mutating func end(_ transaction: TransactionID?, in id: DatabaseID) {
    guard let transaction else { return }
    transactions[id]?.finish(transaction)
    hasEndedTransactions = true
  }

  /// Ends transactions that were idle for too long.
  mutating func expireTransactions(at now: Timestamp) {
    for id in Array(transactions.keys) {
      guard let expiry = transactions[id]?.nextExpiry, expiry <= now else { continue }
      let ended = transactions[id]?.expire(at: now) ?? []
      if ended.isEmpty { continue }
      hasEndedTransactions = true
      notices.append(
        "\(ended.count) transaction(s) of \(String(id.name)) expired: neither committed nor rolled back"
      )
    }
  }

  /// The time when the next idle transaction ends; nil if there is none.
  var nextExpiry: Timestamp? { transactions.values.compactMap { $0.nextExpiry }.min() }

  // MARK: Notices

  /// Adds a notice, once, that a database has no rules although another one of its project has.
  mutating func noticeOpen(_ id: DatabaseID) {
    guard !openNoticed.contains(id), rulebook.hasRules(inProjectOf: id) else { return }
    openNoticed.insert(id)
    notices.append(
      "\(String(id.name)) has no rules, so everything is allowed; set them with PUT "
        + "/emulator/v1/\(String(id.name)):securityRules")
  }
}
