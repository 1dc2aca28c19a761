import RulesLang

/// What `get`, `exists`, `getAfter` and `existsAfter` see, and how many of them a request may make
/// (Docs/Language.md §8, §11).
///
/// A lookup counts once for each document and kind: `get` and `getAfter` share an answer, `exists`
/// and `existsAfter` share one, and what one document of a request has paid for is free for the
/// next. A document that is not there has no answer to keep: every `get` of it counts anew. A test of
/// existence behind a read of the same document is free, but not in a query. Refused paths do not
/// count.
struct Lookups {
  /// The limit for a get or a single write.
  static let oneDocument = 10
  /// The limit in all for several documents; each has `oneDocument` of its own.
  static let manyDocuments = 20

  /// What was asked of the documents, and what came of it.
  struct Call {
    /// The function: `get`, `exists`, `getAfter` or `existsAfter`.
    var function: Builtin
    /// The path, as the rules made it.
    var path: PathValue
    /// The answer; nil if the call ended in an error.
    var answer: Value?
  }

  private struct Entry: Hashable {
    var path: DocumentPath
    var isRead: Bool
  }

  private let before: Documents
  /// The database that is looked up in.
  private let database: DatabaseName
  let after: Documents
  /// The documents that are written. Few are, and only lookups ask.
  private let written: [DocumentPath]
  private var own: DocumentPath?
  /// Whether the access is a query's look at one document, to which the state after is unknown.
  private var hasNoAfter = false
  /// Whether documents cannot be read.
  private var isBlind = false
  /// Whether a document was asked for that cannot be read.
  private(set) var wasAsked = false
  private var all: Set<Entry> = []
  /// Those of which no answer is kept, so that they are paid for again.
  private var missing: Set<Entry> = []
  /// The lookups that were paid for.
  private(set) var count = 0
  /// Those for the present access.
  private(set) var countForOne = 0
  /// How many the whole request may make.
  var limitInAll = Lookups.oneDocument
  /// How many one access may make.
  var limitForOne = Lookups.oneDocument
  /// Whether the accesses are the alternatives of a query.
  var isQuery = false
  /// Whether the emulator decides the accesses in an order of its own.
  var hasOpenOrder = false
  /// Every call in order, if that is wanted.
  var calls: [Call]?
  private var demand = Demand()
  /// Whether it may matter in which order the accesses are decided.
  private(set) var isScarce = false

  /// What the accesses would have to pay if none profited from another, and no test of existence
  /// from a read: no order asks for more.
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

  /// The same lookups before any document is read: they have no answer.
  var withoutReading: Lookups {
    var lookups = self
    lookups.isBlind = true
    return lookups
  }

  /// How many documents a client is billed for: each that was looked up, once.
  var billedReads: Int { all.count < 2 ? all.count : Set(all.map { $0.path }).count }

  /// The documents that were looked up so far, in no order.
  var documents: [DocumentPath] { all.map { $0.path } }

  /// Forgets what was looked up, so that the accesses can be decided once more.
  mutating func restart() {
    all.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
    count = 0
    demand = Demand()
    isScarce = false
  }

  /// Begins the next access; its own document is free.
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

  /// Counts a lookup unless it is paid for; false if the allowance is used up.
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
