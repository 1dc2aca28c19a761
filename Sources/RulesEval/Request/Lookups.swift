import RulesLang

/// The lookups of a request: what `get`, `exists`, `getAfter` and `existsAfter` read, and how many of them
/// are allowed (Docs/Language.md §8, §11).
///
/// A lookup counts once for each document and kind: `get` and `getAfter` share a result, and so do `exists`
/// and `existsAfter`. A lookup that one document of a request has paid for is free for the next ones. A
/// missing document has no result to share: every `get` of it counts again. A test of existence after a read
/// of the same document is free, but not in a query. Lookups of invalid paths do not count.
struct Lookups {
  /// Maximum lookups for a get or a single write.
  static let oneDocument = 10
  /// Maximum lookups for several documents together; each of them is also limited to `oneDocument`.
  static let manyDocuments = 20

  /// A lookup and its result.
  struct Call {
    /// The function: `get`, `exists`, `getAfter` or `existsAfter`.
    var function: Builtin
    /// The path, as the rules made it.
    var path: PathValue
    /// The result; nil if the call ended in an error.
    var answer: Value?
  }

  private struct Entry: Hashable {
    var path: DocumentPath
    var isRead: Bool
  }

  private let before: Documents
  /// The database whose documents are looked up.
  private let database: DatabaseName
  let after: Documents
  /// The documents that the request writes: an array, because there are few and only lookups search it.
  private let written: [DocumentPath]
  private var own: DocumentPath?
  /// True if a query names its one document, in which case the engine has no state after the request.
  private var hasNoAfter = false
  /// True if lookups fail because no document has been read yet.
  private var isBlind = false
  /// True if a lookup failed for that reason.
  private(set) var wasAsked = false
  private var all: Set<Entry> = []
  /// The lookups without a shared result, which are counted again.
  private var missing: Set<Entry> = []
  /// The number of lookups counted for the whole request.
  private(set) var count = 0
  /// The number of lookups counted for the current access.
  private(set) var countForOne = 0
  /// Maximum lookups of the whole request.
  var limitInAll = Lookups.oneDocument
  /// Maximum lookups of one access.
  var limitForOne = Lookups.oneDocument
  /// True if the accesses are the disjuncts of a query.
  var isQuery = false
  /// True if the emulator decides the accesses in an unspecified order.
  var hasOpenOrder = false
  /// Every call in order; nil if calls are not recorded.
  var calls: [Call]?
  private var demand = Demand()
  /// True if the order in which the accesses are decided may matter, because lookups are near a limit.
  private(set) var isScarce = false

  /// An upper bound of what the accesses count in any order: the lookups if nothing were shared between
  /// accesses, nor between a read and a test of existence.
  private struct Demand {
    var entries: Set<Entry> = []
    var entriesOfOne: Set<Entry> = []
    var inAll = 0
    var ofOne = 0
  }

  init(
    before: Documents, after: Documents, written: [DocumentPath], in database: DatabaseName
  ) {
    self.database = database
    self.before = before
    self.after = after
    self.written = written
  }

  /// The lookups as they are before any document has been read: every call fails.
  var withoutReading: Lookups {
    var lookups = self
    lookups.isBlind = true
    return lookups
  }

  /// The number of documents that a client is billed for: each that was looked up, once.
  var billedReads: Int { all.count < 2 ? all.count : Set(all.map { $0.path }).count }

  /// The documents looked up so far, in no order.
  var documents: [DocumentPath] { all.map { $0.path } }

  /// Removes all lookups, so that the accesses can be decided again.
  mutating func restart() {
    all.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
    count = 0
    demand = Demand()
    isScarce = false
  }

  /// Begins the next access. Lookups of its own document are free.
  mutating func begin(_ access: Access) {
    own = access.document
    hasNoAfter = access.isNamedByQuery
    countForOne = 0
    demand.entriesOfOne = []
    demand.ofOne = 0
  }

  /// Answers a lookup, or fails like the engine's service call.
  mutating func answer(
    _ function: Builtin, for path: PathValue
  ) throws(EvaluationError.Reason) -> Value {
    guard calls != nil else { return try found(by: function, at: path) }
    do throws(EvaluationError.Reason) {
      let value = try found(by: function, at: path)
      calls?.append(Call(function: function, path: path, answer: value))
      return value
    } catch {
      calls?.append(Call(function: function, path: path, answer: nil))
      throw error
    }
  }

  private mutating func found(
    by name: Builtin, at path: PathValue
  ) throws(EvaluationError.Reason) -> Value {
    let function = name.meaning
    let full = try path.flattened()
    func refusal(_ failure: EvaluationError.LookupFailure) -> EvaluationError.Reason {
      .serviceCall(Builtins.entry(name).fullName, path: path, because: failure)
    }
    guard let document = DocumentPath(full: full, in: database), document.isDocument else {
      throw refusal(.noDocument)
    }
    if isBlind {
      wasAsked = true
      throw .unknown
    }
    let isRead = function == .get || function == .getAfter
    let isAfter = function == .getAfter || function == .existsAfter
    if isAfter, hasNoAfter { throw .unknown }
    let data = (isAfter ? after : before)[document]
    let isFree = document == own || (isAfter && written.contains(document))
    guard isFree || pay(Entry(path: document, isRead: isRead), isKept: data != nil || !isRead)
    else {
      throw refusal(.limit(countForOne < limitForOne ? limitInAll : limitForOne))
    }
    guard isRead else { return .bool(data != nil) }
    if let data { return Documents.resource(at: document, with: data, in: database) }
    if isFree { return .null }
    throw refusal(.notStored)
  }

  /// Counts a lookup unless it is free; false if a limit is reached.
  private mutating func pay(_ entry: Entry, isKept: Bool) -> Bool {
    if hasOpenOrder { noteDemand(entry, isKept: isKept) }
    if isPaid(entry) { return true }
    if !entry.isRead, !isQuery, isPaid(Entry(path: entry.path, isRead: true)) { return true }
    guard countForOne < limitForOne, count < limitInAll else { return false }
    countForOne += 1
    count += 1
    all.insert(entry)
    if !isKept { missing.insert(entry) }
    return true
  }

  private func isPaid(_ entry: Entry) -> Bool { all.contains(entry) && !missing.contains(entry) }

  private mutating func noteDemand(_ entry: Entry, isKept: Bool) {
    if !isKept || demand.entries.insert(entry).inserted { demand.inAll += 1 }
    if !isKept || demand.entriesOfOne.insert(entry).inserted { demand.ofOne += 1 }
    if demand.ofOne > limitForOne || demand.inAll > limitInAll { isScarce = true }
  }
}
