import RulesLang

/// What `get`, `exists`, `getAfter` and `existsAfter` see, and how many of them a request may make
/// (Docs/Language.md §8, §11).
///
/// A lookup counts once for each document and kind; `get` and `getAfter` share an entry, `exists`
/// and `existsAfter` share one, and an existence test after a read of the same document is free.
/// Refused paths do not count; documents that are missing do.
struct Lookups {
  /// The limit for a get or a single write.
  static let oneDocument = 10
  /// The limit in all for several documents; each has `oneDocument` of its own.
  static let manyDocuments = 20

  private struct Entry: Hashable {
    var path: DocumentPath
    var isRead: Bool
  }

  private let before: Documents
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
  private var current: Set<Entry> = []
  private var all: Set<Entry> = []
  /// How many the whole request may make.
  var limitInAll = Lookups.oneDocument
  /// How many one access may make.
  var limitForOne = Lookups.oneDocument
  /// Whether the accesses share one allowance, as the disjuncts of a query do.
  private var isShared: Bool { limitForOne == limitInAll }

  init(before: Documents, after: Documents, written: [DocumentPath]) {
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

  /// The distinct lookups made so far.
  var count: Int { all.count }

  /// The documents that were looked up so far, in no order.
  var documents: [DocumentPath] { all.map { $0.path } }

  /// Begins the next access; its own document is free.
  mutating func begin(_ access: Access) {
    own = access.document
    hasNoAfter = access.isNamedByQuery
    if !isShared { current = [] }
  }

  /// Answers a lookup, or fails like the engine's service call.
  mutating func answer(
    _ function: Builtin, _ path: PathValue
  ) throws(EvaluationError.Reason) -> Value {
    let full = try path.flattened()
    let refusal = EvaluationError.Reason.serviceCall(Builtins.entry(function).fullName, path: path)
    guard let document = DocumentPath(full: full), document.isDocument else { throw refusal }
    if isBlind {
      wasAsked = true
      throw .unknown
    }
    let isRead = function == .get || function == .getAfter
    let isAfter = function == .getAfter || function == .existsAfter
    if isAfter, hasNoAfter { throw .unknown }
    guard pay(document, isRead: isRead, isAfter: isAfter) else { throw refusal }
    let data = (isAfter ? after : before)[document]
    guard isRead else { return .bool(data != nil) }
    if let data { return Documents.resource(document, data) }
    if document == own || (isAfter && written.contains(document)) { return .null }
    throw refusal
  }

  /// Counts a lookup unless it is free; false if the allowance is used up.
  private mutating func pay(_ document: DocumentPath, isRead: Bool, isAfter: Bool) -> Bool {
    if document == own || (isAfter && written.contains(document)) { return true }
    var entry = Entry(path: document, isRead: isRead)
    let read = Entry(path: document, isRead: true)
    if current.contains(read) || all.contains(read) { entry = read }
    if !current.contains(entry) {
      guard current.count < limitForOne else { return false }
      guard all.contains(entry) || all.count < limitInAll else { return false }
    }
    current.insert(entry)
    all.insert(entry)
    return true
  }
}
