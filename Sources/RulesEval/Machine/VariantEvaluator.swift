public import RulesLang

// Decisions of many variants of a request. Most requests that test a conclusion differ from others in one
// thing. The originals and the differences are loaded into a machine once; a variant copies a few entries,
// and deciding it takes a fraction of the time to make a request.

/// A value in the memory of a variant evaluator.
public struct LoadedValue: Sendable {
  let cell: Cell
}

/// A field or key name in the memory of a variant evaluator.
public struct LoadedName: Sendable {
  let place: TextPlace
  let symbol: Symbol
}

/// The captures and arguments of an added condition for one document, loaded.
public struct LoadedFrame: Sendable {
  let cells: [Cell]
}

/// The one part in which a variant differs from its request.
public enum RequestDifference: Sendable {
  /// `request.auth`.
  case client(LoadedValue)
  /// A claim of the token; nil removes it.
  case claim(LoadedName, LoadedValue?)
  /// A field of the stored document; nil removes it.
  case before(LoadedName, LoadedValue?)
  /// A field of the document after the write; nil removes it.
  case after(LoadedName, LoadedValue?)
  /// A field of the document before and after the write; nil removes it.
  case both(LoadedName, LoadedValue?)
}

/// The decision of the rules on a variant.
public struct VariantDecision: Sendable {
  /// True if the variant is allowed.
  public var isAllowed: Bool
  /// True if a condition that was tried ended in an error.
  public var fails: Bool
  /// True if the access to the request's own document decided; false if another access was refused first.
  public var isAboutDocument: Bool

  /// Creates a ruling.
  public init(isAllowed: Bool, fails: Bool, isAboutDocument: Bool) {
    self.isAllowed = isAllowed
    self.fails = fails
    self.isAboutDocument = isAboutDocument
  }
}

/// The loaded path of a document, with the blocks that match it.
public struct LoadedPath: Sendable {
  /// The access to the document, without `request` and `resource`.
  let access: Machine.Loaded
  /// The path as a value, and its last segment as a value.
  let value: Cell
  let id: Cell
  /// The document's collection; nil if it is not queried.
  let collection: LoadedCollection?
}

/// A collection in the memory of a variant evaluator.
struct LoadedCollection: Sendable {
  /// The query's access to the collection, without `request` and `resource`.
  let access: Machine.Loaded
  /// The collection's path, its parent document's path and its ID, as values.
  let value: Cell
  let parent: Cell
  let kind: Cell
}

/// The documents for a request's lookups, kept apart because few rules look anything up.
final class VariantLookups: Sendable {
  let accesses: [Access]
  /// The lookups of the rules, with their limits.
  let ofRules: Lookups
  /// The lookups of added conditions, without limits.
  let ofConditions: Lookups
  /// The document that conditions are about.
  let document: DocumentPath?

  /// Takes over the lookups of a request; `own` is the access that added conditions are about.
  init(_ accesses: [Access], with lookups: Lookups, own: Access) {
    self.accesses = accesses
    document = own.document
    ofRules = lookups
    var unlimited = lookups
    unlimited.limitForOne = .max
    unlimited.limitInAll = .max
    unlimited.begin(own)
    ofConditions = unlimited
  }
}

/// A loaded request, with the scope in which added conditions are evaluated.
public final class VariantRequest: Sendable {
  /// The method of the access to the request's document.
  public let method: Method
  let accesses: [Machine.Loaded]
  /// The index in `accesses` of the access to the request's document.
  let own: Int
  /// The value of `resource` for added conditions: for a query the document itself rather than the filters'
  /// promise.
  let document: Cell
  /// True if the rules' `resource` is `document`; false if they see only what a query's filters promise.
  let showsDocument: Bool
  /// The documents for lookups; nil if nothing looks documents up.
  let lookups: VariantLookups?

  init(
    _ accesses: [Machine.Loaded], method: Method, own: Int, document: Cell, showsDocument: Bool,
    lookups: VariantLookups?
  ) {
    self.accesses = accesses
    self.method = method
    self.own = own
    self.document = document
    self.showsDocument = showsDocument
    self.lookups = lookups
  }
}

/// A loaded variant of a request, valid until memory loaded before it is dropped.
public struct Variant: Sendable {
  var request: Cell
  var resource: Cell
  var document: Cell
  /// True if it differs from the request at all.
  let isChanged: Bool
}

/// A document with other fields in a variant than in the request, for lookups; null where there is no
/// document.
struct VariedDocument {
  /// The document's path.
  let path: DocumentPath
  /// The value of `resource`.
  let before: Cell
  /// The value of `request.resource`, or of `resource` if nothing is written.
  let after: Cell

  /// True if a path is that of the document.
  func isAt(_ other: PathValue, in database: DatabaseName) -> Bool {
    guard let full = try? other.flattened() else { return false }
    return DocumentPath(full: full, in: database) == path
  }
}

/// Evaluates requests and their variants in one machine; for one thread.
///
/// Decisions are those of `Engine`; requests that need more than plain data get none. A variant keeps its
/// request's field order and `request.writeFields`, which a real request with its data may not have. So a
/// caller that concludes something from a variant makes it a request and has an engine decide it.
public final class VariantEvaluator {
  @exclusivity(unchecked) var machine: Machine
  let names: VariantNames

  /// Compiles the wanted statements of the rules, and added conditions (`functions`). Requests that need
  /// other statements are not decided.
  public convenience init(
    _ engine: Engine, adding functions: [FunctionID] = [],
    where isWanted: (AllowID) -> Bool = { _ in true }
  ) {
    self.init(
      Program(engine.rules, adding: functions, where: isWanted), profile: engine.profile)
  }

  /// Compiles the wanted statements of the rules, reusing what `other` has compiled of similar rules.
  public convenience init(
    _ engine: Engine, like other: VariantEvaluator, where isWanted: (AllowID) -> Bool
  ) {
    self.init(
      Program(engine.rules, like: other.machine.program, where: isWanted), profile: engine.profile)
  }

  /// Creates an empty variant evaluator that shares another one's compiled program.
  public convenience init(like other: VariantEvaluator) {
    self.init(other.machine.program, profile: other.machine.engine.profile)
  }

  private init(_ program: Program, profile: Profile) {
    machine = Machine(program, profile: profile)
    names = machine.loadNames()
  }

  /// True if the rules or conditions look documents up.
  public var looksUp: Bool { names.looksUp }

  // MARK: Loading

  /// Loads a value.
  public func load(_ value: Value) -> LoadedValue {
    LoadedValue(cell: machine.load(value))
  }

  /// Loads a name.
  public func load(_ name: Text) -> LoadedName { machine.loadName(name) }

  /// Loads a request; nil if it accesses no document.
  public func load(_ prepared: PreparedRequest, about path: DocumentPath) -> VariantRequest? {
    let plan = prepared.plan
    guard
      let own = plan.accesses.firstIndex(where: { $0.document == path })
        ?? plan.accesses.indices.first
    else { return nil }
    var loaded: [Machine.Loaded] = []
    loaded.reserveCapacity(plan.accesses.count)
    for access in plan.accesses { loaded.append(machine.load(access, unpacking: true)) }
    var access = plan.accesses[own]
    var document = loaded[own].resource
    var showsDocument = true
    if access.method == .list {
      let value =
        prepared.documents[path].map {
          Documents.resource(at: path, with: $0, in: prepared.database)
        } ?? .null
      document = machine.load(value)
      showsDocument = access.isNamedByQuery
      access.document = path
    }
    return VariantRequest(
      loaded, method: access.method, own: own, document: document, showsDocument: showsDocument,
      lookups: looksUp ? VariantLookups(plan.accesses, with: plan.lookups, own: access) : nil)
  }

  /// Loads a request, runs `work` on it, and drops it.
  public func withRequest<Answer>(
    _ prepared: PreparedRequest, about path: DocumentPath, do work: (VariantRequest) -> Answer?
  ) -> Answer? {
    let mark = machine.arena.mark
    defer { machine.arena.reset(to: mark) }
    return load(prepared, about: path).flatMap(work)
  }

  /// Loads the captures and arguments of an added condition.
  public func load(
    frameOf owner: ScopeOwner, _ arguments: [Value], for document: DocumentPath
  ) -> LoadedFrame {
    let captures = machine.engine.captures(of: owner, document).map { outcome -> Cell in
      guard case .value(let value) = outcome else { return .error }
      return load(value).cell
    }
    return LoadedFrame(cells: captures + arguments.map { load($0).cell })
  }

  // MARK: Variants

  /// Decides a variant of a request, or the request itself.
  ///
  /// - Returns: The decision, and the variant if it stays loaded: if the request's own document decided and
  ///   there is room. Nil if the request lacks the part that differs, or if only an engine can decide.
  public func ruling(
    on target: VariantRequest, variedBy difference: RequestDifference?
  ) -> (ruling: VariantDecision, variant: Variant?)? {
    machine.ruling(on: target, by: difference, names)
  }

  /// Decides a variant of a request, or the request itself; nothing stays loaded. Nil if only an engine can
  /// decide it.
  public func decide(
    _ target: VariantRequest, variedBy difference: RequestDifference?
  ) -> VariantDecision? {
    machine.decide(target, variedBy: difference, names)
  }

  /// The documents that the last ruling looked up, stored or not, in order of path.
  public var lookedUp: [DocumentPath] {
    if !machine.hasLookups { return [] }
    var found: [DocumentPath] = []
    for path in machine.lookups.documents where !found.contains(path) { found.append(path) }
    // A set has no order.
    if found.count > 1 { found.sort { Text.precedesByCodePoint($0.text, $1.text) } }
    return found
  }

  /// Evaluates added conditions, by their index, on a variant that is loaded or that differs by `difference`.
  ///
  /// - Returns: `isInScope`, true if all of `limits` are true; `isMet`, true if `obligation` is true, too.
  ///   Nil if only an engine can decide.
  public func holds(
    _ limits: [Int], obligation: Int?, in frame: LoadedFrame, of target: VariantRequest,
    for variant: Variant?, variedBy difference: RequestDifference?
  ) -> (isInScope: Bool, isMet: Bool)? {
    machine.holds(
      limits, obligation: obligation, in: frame, of: target, for: variant, variedBy: difference,
      with: names)
  }
}

extension Machine {
  /// Loads a value.
  mutating func load(_ value: Value) -> Cell { arena.load(value, with: program.symbols) }

  /// Loads a name.
  mutating func loadName(_ name: Text) -> LoadedName {
    let place = arena.place(name)
    return LoadedName(place: place, symbol: program.symbols.find(place, in: arena.words))
  }

  /// Maximum entries in the arena for a variant to stay loaded; beyond that, making it again costs less than
  /// its memory.
  private static let keptEntries = 1 << 18

  fileprivate mutating func ruling(
    on target: VariantRequest, by difference: RequestDifference?, _ names: VariantNames
  ) -> (ruling: VariantDecision, variant: Variant?)? {
    let start = arena.mark
    guard let variant = vary(target, by: difference, with: names) else {
      arena.reset(to: start)
      return nil
    }
    let end = arena.mark
    varied = variedDocument(of: target, in: variant, by: difference, names)
    defer { varied = nil }
    let ruling = ruling(on: variant, of: target)
    let isKept = ruling?.isAboutDocument ?? false && arena.entries.count < Self.keptEntries
    arena.reset(to: isKept ? end : start)
    return ruling.map { ($0, isKept ? variant : nil) }
  }

  fileprivate mutating func decide(
    _ target: VariantRequest, variedBy difference: RequestDifference?, _ names: VariantNames
  ) -> VariantDecision? {
    let mark = arena.mark
    defer { arena.reset(to: mark) }
    guard let variant = vary(target, by: difference, with: names) else { return nil }
    varied = variedDocument(of: target, in: variant, by: difference, names)
    defer { varied = nil }
    return ruling(on: variant, of: target)
  }

  fileprivate mutating func holds(
    _ limits: [Int], obligation: Int?, in frame: LoadedFrame, of target: VariantRequest,
    for variant: Variant?, variedBy difference: RequestDifference?, with names: VariantNames
  ) -> (isInScope: Bool, isMet: Bool)? {
    let mark = arena.mark
    defer { arena.reset(to: mark) }
    guard let variant = variant ?? vary(target, by: difference, with: names) else { return nil }
    varied = variedDocument(of: target, in: variant, by: difference, names)
    defer { varied = nil }
    for limit in limits {
      guard let isTrue = holds(limit, in: frame, for: variant, of: target) else { return nil }
      if !isTrue { return (false, false) }
    }
    guard let obligation else { return (true, false) }
    return holds(obligation, in: frame, for: variant, of: target).map { (true, $0) }
  }

  /// Returns the document of a variant as lookups must see it, because their documents are those of the
  /// request. Nil if the variant does not change the document, or nothing is looked up. For a variant that
  /// was kept, the difference is no longer known; its document is returned even if it is unchanged.
  private func variedDocument(
    of target: VariantRequest, in variant: Variant, by difference: RequestDifference?,
    _ names: VariantNames
  ) -> VariedDocument? {
    guard names.looksUp, variant.isChanged, let path = target.lookups?.document else { return nil }
    switch difference {
    case .client, .claim: return nil
    case .before, .after, .both, nil: break
    }
    let isWrite = target.method != .get && target.method != .list
    let after = isWrite ? arena.member(names.resource.place, of: variant.request) : variant.document
    return VariedDocument(path: path, before: variant.document, after: after)
  }

  private mutating func vary(
    _ target: VariantRequest, by difference: RequestDifference?, with names: VariantNames
  ) -> Variant? {
    let loaded = target.accesses[target.own]
    var variant = Variant(
      request: loaded.request, resource: loaded.resource, document: target.document,
      isChanged: difference != nil)
    guard let difference else { return variant }
    let isVaried: Bool
    switch difference {
    case .client(let client):
      isVaried = arena.set(names.auth, to: client.cell, in: &variant.request)
    case .claim(let name, let value):
      isVaried = arena.set(
        names.auth, then: names.token, then: name, to: value?.cell, in: &variant.request)
    case .before(let name, let value):
      isVaried = setStored(name, to: value, in: &variant, of: target, with: names)
    case .after(let name, let value):
      isVaried = arena.set(
        names.resource, then: names.data, then: name, to: value?.cell, in: &variant.request)
    case .both(let name, let value):
      isVaried =
        setStored(name, to: value, in: &variant, of: target, with: names)
        && arena.set(
          names.resource, then: names.data, then: name, to: value?.cell, in: &variant.request)
    }
    return isVaried ? variant : nil
  }

  private mutating func setStored(
    _ name: LoadedName, to value: LoadedValue?, in variant: inout Variant,
    of target: VariantRequest, with names: VariantNames
  ) -> Bool {
    guard arena.set(names.data, then: name, to: value?.cell, in: &variant.document) else {
      return false
    }
    if target.showsDocument { variant.resource = variant.document }
    return true
  }

  /// Decides a variant; nil if the machine cannot.
  private mutating func ruling(
    on variant: Variant, of target: VariantRequest
  ) -> VariantDecision? {
    services = engine.services
    let known = hasLookups ? target.lookups : nil
    if let known { lookups = known.ofRules }
    var ruling = VariantDecision(isAllowed: false, fails: false, isAboutDocument: true)
    for number in target.accesses.indices {
      var loaded = target.accesses[number]
      ruling.isAboutDocument = number == target.own
      if number == target.own {
        loaded.request = variant.request
        loaded.resource = variant.resource
      }
      if let known { lookups.begin(known.accesses[number]) }
      guard let isGranted = isGranted(loaded, fails: &ruling.fails) else { return nil }
      if !isGranted { return ruling }
    }
    if known != nil, lookups.isScarce { return nil }
    ruling.isAllowed = true
    ruling.isAboutDocument = true
    return ruling
  }

  private mutating func isGranted(_ loaded: Loaded, fails: inout Bool) -> Bool? {
    var nobody = NoObserver()
    for place in begin(loaded) {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.rawValue & loaded.method != 0 else { continue }
        isOverspent = false
        guard let cell = evaluate(statement.allow, watchedBy: &nobody) else {
          // The exceeded limit is an error that nothing absorbs, and every later statement fails at its first
          // expression. The expression that exceeded it need not be known.
          if isOverspent { fails = true }
          return isOverspent ? false : nil
        }
        if cell.isBool(true) { return true }
        if cell.kind != .bool { fails = true }
      }
    }
    return false
  }

  /// The starting value of the budget counter for conditions of claims, far below the limit: they are not
  /// charged.
  private static let firstSpent = Limits.expressions - 1_000_000

  private mutating func holds(
    _ condition: Int, in frame: LoadedFrame, for variant: Variant,
    of target: VariantRequest
  ) -> Bool? {
    guard let statement = program.added[condition] else { return nil }
    for place in frame.cells.indices { registers[place] = frame.cells[place] }
    current = target.accesses[target.own]
    current.request = variant.request
    current.resource = variant.document
    services = .documents
    if statement.hasLookups {
      guard let known = target.lookups else { return nil }
      lookups = known.ofConditions
    }
    spent = Self.firstSpent
    var nobody = NoObserver()
    let cell = run(statement, watchedBy: &nobody)
    return cell.map { $0.isBool(true) }
  }
}
