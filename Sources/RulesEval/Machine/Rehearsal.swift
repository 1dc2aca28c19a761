public import RulesLang

// Most requests that are made to try a conclusion on differ from others in one thing. Here those others
// lie in a machine, each unpacked once, and so do the things; a variant is a copy of a few entries, and
// to decide it takes a fraction of what it takes to make a request.

/// A value that lies in a rehearsal.
public struct LoadedValue: Sendable {
  let cell: Cell
}

/// A name that lies in a rehearsal.
public struct LoadedName: Sendable {
  let place: TextPlace
  let symbol: Symbol
}

/// The captures and arguments of a condition that was added to the rules, for one document.
public struct LoadedFrame: Sendable {
  let cells: [Cell]
}

/// In what a variant differs from a request.
public enum RequestDifference: Sendable {
  /// `request.auth`.
  case client(LoadedValue)
  /// A claim of the token; nil for none.
  case claim(LoadedName, LoadedValue?)
  /// A field of the document as it is stored; nil for none.
  case before(LoadedName, LoadedValue?)
  /// A field of the document as it is to be; nil for none.
  case after(LoadedName, LoadedValue?)
  /// A field of both.
  case both(LoadedName, LoadedValue?)
}

/// What rules say to a variant.
public struct Ruling: Sendable {
  /// Whether they allow it.
  public var isAllowed: Bool
  /// Whether a condition that was tried ended in an error.
  public var fails: Bool
  /// Whether it is the document that the request is about that decides.
  public var isAboutDocument: Bool

  /// Takes down what rules say.
  public init(isAllowed: Bool, fails: Bool, isAboutDocument: Bool) {
    self.isAllowed = isAllowed
    self.fails = fails
    self.isAboutDocument = isAboutDocument
  }
}

/// The path of a document that lies in a rehearsal, with where it leads.
public struct LoadedPath: Sendable {
  /// An access to the document before it has values.
  let access: Machine.Loaded
  /// The values of the path and of its last segment.
  let value: Cell
  let id: Cell
  /// The document's collection, if it is to be queried.
  let collection: LoadedCollection?
}

/// A collection that lies in a rehearsal.
struct LoadedCollection: Sendable {
  /// An access to its documents before it has values.
  let access: Machine.Loaded
  /// The values of its path, of the document above it and of its name.
  let value: Cell
  let parent: Cell
  let kind: Cell
}

/// What a request is looked up in: only few rules look anything up.
final class RehearsedLookups: Sendable {
  let accesses: [Access]
  /// What the rules look documents up in.
  let ofRules: Lookups
  /// What conditions look documents up in.
  let ofConditions: Lookups
  /// The document that conditions are about.
  let document: DocumentPath?

  /// Takes over what a request has; `own` is the access that conditions are about.
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

/// A request that lies in a rehearsal, with what conditions about its document are evaluated in.
public final class RehearsedRequest: Sendable {
  /// The method that the rules are asked for about the document.
  public let method: Method
  let accesses: [Machine.Loaded]
  /// Which access is the one to the document.
  let own: Int
  /// What conditions have for `resource`: of a query the document, not what its filters promise.
  let document: Cell
  /// Whether rules have that, too.
  let showsDocument: Bool
  /// What documents are looked up in, if any are.
  let lookups: RehearsedLookups?

  init(
    _ accesses: [Machine.Loaded], method: Method, own: Int, document: Cell, showsDocument: Bool,
    lookups: RehearsedLookups?
  ) {
    self.accesses = accesses
    self.method = method
    self.own = own
    self.document = document
    self.showsDocument = showsDocument
    self.lookups = lookups
  }
}

/// A variant that lies in a rehearsal, until something before it is dropped.
public struct Variant: Sendable {
  var request: Cell
  var resource: Cell
  var document: Cell
  /// Whether it differs from the request at all.
  let isChanged: Bool
}

/// A document that has other fields in a variant than in the request, before it and after it; null where
/// there is none.
struct VariedDocument {
  /// Where it is.
  let path: DocumentPath
  /// What `resource` is.
  let before: Cell
  /// What `request.resource` is, or `resource` if nothing is written.
  let after: Cell

  /// Whether a path is that of the document.
  func isAt(_ other: PathValue, in database: DatabaseName) -> Bool {
    guard let full = try? other.flattened() else { return false }
    return DocumentPath(full: full, in: database) == path
  }
}

/// A machine in which requests and their variants are decided; for one thread.
///
/// What it says is what `Engine` says, but where that takes more than plain data it says nothing. Of a
/// variant the order of fields and the names of those that it writes (`request.writeFields`) are those of
/// the request. So who concludes something from a variant makes it a request and asks an engine.
public final class Rehearsal {
  @exclusivity(unchecked) var machine: Machine
  let names: RehearsalNames

  /// Compiles the statements of rules that are wanted, and functions that are conditions which were added to
  /// them; the other statements cost more time.
  public convenience init(
    _ engine: Engine, adding functions: [FunctionID] = [],
    where isWanted: (AllowID) -> Bool = { _ in true }
  ) {
    self.init(
      Program(engine.rules, adding: functions, where: isWanted), profile: engine.profile)
  }

  /// Compiles the statements of rules that are wanted; the others cost more time. The rules of `other` are
  /// much like them.
  public convenience init(
    _ engine: Engine, like other: Rehearsal, where isWanted: (AllowID) -> Bool
  ) {
    self.init(
      Program(engine.rules, like: other.machine.program, where: isWanted), profile: engine.profile)
  }

  /// Makes an empty rehearsal of what another one has compiled.
  public convenience init(like other: Rehearsal) {
    self.init(other.machine.program, profile: other.machine.engine.profile)
  }

  private init(_ program: Program, profile: Profile) {
    machine = Machine(program, profile: profile)
    names = machine.loadNames()
  }

  /// Whether the rules or conditions look documents up.
  public var looksUp: Bool { names.looksUp }

  // MARK: Loading

  /// Takes a value in.
  public func load(_ value: Value) -> LoadedValue {
    LoadedValue(cell: machine.load(value))
  }

  /// Takes a name in.
  public func load(_ name: Text) -> LoadedName { machine.loadName(name) }

  /// Takes a request in; nil if it is not about a document.
  public func load(_ prepared: PreparedRequest, about path: DocumentPath) -> RehearsedRequest? {
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
    return RehearsedRequest(
      loaded, method: access.method, own: own, document: document, showsDocument: showsDocument,
      lookups: looksUp ? RehearsedLookups(plan.accesses, with: plan.lookups, own: access) : nil)
  }

  /// Takes a request in for the time of some work.
  public func withRequest<Answer>(
    _ prepared: PreparedRequest, about path: DocumentPath, do work: (RehearsedRequest) -> Answer?
  ) -> Answer? {
    let mark = machine.arena.mark
    defer { machine.arena.reset(to: mark) }
    return load(prepared, about: path).flatMap(work)
  }

  /// Takes in what a condition that was added to the rules has for its captures and arguments.
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

  /// What rules say to a variant of a request, or to the request itself, and the variant if it is about
  /// the document and there is room for it to stay; nil if the request has nothing to differ in, or if
  /// only an engine can tell.
  public func ruling(
    on target: RehearsedRequest, variedBy difference: RequestDifference?
  ) -> (ruling: Ruling, variant: Variant?)? {
    machine.ruling(on: target, by: difference, names)
  }

  /// The documents that the last ruling has looked up, stored or not.
  public var lookedUp: [DocumentPath] {
    if !machine.hasLookups { return [] }
    var found: [DocumentPath] = []
    for path in machine.lookups.documents where !found.contains(path) { found.append(path) }
    // A set has no order.
    if found.count > 1 { found.sort { Text.precedesByCodePoint($0.text, $1.text) } }
    return found
  }

  /// Whether conditions, by their places among those that were added, are true of a variant of a
  /// request: whether all of some are, and if so whether another one is; nil if only an engine can tell.
  /// The variant is one that stayed here, or differs by `difference`.
  public func holds(
    _ limits: [Int], obligation: Int?, in frame: LoadedFrame, of target: RehearsedRequest,
    for variant: Variant?, variedBy difference: RequestDifference?
  ) -> (isInScope: Bool, isMet: Bool)? {
    machine.holds(
      limits, obligation: obligation, in: frame, of: target, for: variant, variedBy: difference,
      with: names)
  }
}

extension Machine {
  /// Takes a value in.
  mutating func load(_ value: Value) -> Cell { arena.load(value, with: program.symbols) }

  /// Takes a name in.
  mutating func loadName(_ name: Text) -> LoadedName {
    let place = arena.place(name)
    return LoadedName(place: place, symbol: program.symbols.find(place, in: arena.words))
  }

  /// Beyond that, making variants anew costs less than their memory.
  private static let keptEntries = 1 << 18

  fileprivate mutating func ruling(
    on target: RehearsedRequest, by difference: RequestDifference?, _ names: RehearsalNames
  ) -> (ruling: Ruling, variant: Variant?)? {
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

  /// The same for a version of the rules, of a variant that is there or differs by `difference`; nothing
  /// stays.
  mutating func ruling(
    on target: RehearsedRequest, for variant: Variant?, by difference: RequestDifference?,
    _ names: RehearsalNames
  ) -> Ruling? {
    let mark = arena.mark
    defer { arena.reset(to: mark) }
    guard let variant = variant ?? vary(target, by: difference, with: names) else { return nil }
    varied = variedDocument(of: target, in: variant, by: difference, names)
    defer { varied = nil }
    return ruling(on: variant, of: target)
  }

  fileprivate mutating func holds(
    _ limits: [Int], obligation: Int?, in frame: LoadedFrame, of target: RehearsedRequest,
    for variant: Variant?, variedBy difference: RequestDifference?, with names: RehearsalNames
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

  /// The document of a variant, for those who look it up: what is looked up in is that of the request, and
  /// was not varied. Nil if it is as it is there, or nothing is looked up. In what a variant differs that was
  /// kept is not known any more; its document is taken, which then may be the same.
  private func variedDocument(
    of target: RehearsedRequest, in variant: Variant, by difference: RequestDifference?,
    _ names: RehearsalNames
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
    _ target: RehearsedRequest, by difference: RequestDifference?, with names: RehearsalNames
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
    of target: RehearsedRequest, with names: RehearsalNames
  ) -> Bool {
    guard arena.set(names.data, then: name, to: value?.cell, in: &variant.document) else {
      return false
    }
    if target.showsDocument { variant.resource = variant.document }
    return true
  }

  /// What the rules say to a variant; nil if it takes more than the machine.
  private mutating func ruling(
    on variant: Variant, of target: RehearsedRequest
  ) -> Ruling? {
    services = engine.services
    let known = hasLookups ? target.lookups : nil
    if let known { lookups = known.ofRules }
    var ruling = Ruling(isAllowed: false, fails: false, isAboutDocument: true)
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
          // Which expression was one too many is of no interest: it is an error that nothing absorbs, and
          // so is the first expression of each statement behind it.
          if isOverspent { fails = true }
          return isOverspent ? false : nil
        }
        if cell.isBool(true) { return true }
        if cell.kind != .bool { fails = true }
      }
    }
    return false
  }

  /// Far below the budget: a condition of a claim pays for nothing.
  private static let firstSpent = Limits.expressions - 1_000_000

  private mutating func holds(
    _ condition: Int, in frame: LoadedFrame, for variant: Variant,
    of target: RehearsedRequest
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
