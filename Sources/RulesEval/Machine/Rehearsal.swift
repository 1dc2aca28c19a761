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
public enum Difference: Sendable {
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

/// A request that lies in a rehearsal, with what conditions about its document are evaluated in.
public final class RehearsedRequest {
  let request: LoadedRequest
  /// Which access is the one to the document.
  let own: Int
  /// What conditions have for `resource`: of a query the document, not what its filters promise.
  let document: Cell
  /// Whether rules have that, too.
  let showsDocument: Bool
  /// What conditions look documents up in.
  let lookups: Lookups

  init(
    _ request: LoadedRequest, own: Int, document: Cell, showsDocument: Bool, lookups: Lookups
  ) {
    self.request = request
    self.own = own
    self.document = document
    self.showsDocument = showsDocument
    self.lookups = lookups
  }

  /// The method that the rules are asked for about the document.
  public var method: Method { request.accesses[own].method }
}

/// A variant that lies in a rehearsal until it is dropped.
public struct Variant: Sendable {
  var request: Cell
  var resource: Cell
  var document: Cell
  /// Whether it differs from the request at all.
  let isChanged: Bool
  let mark: Arena.Mark
}

/// A machine in which requests and their variants are decided; for one thread.
///
/// What it says is what `Engine` says, but where that takes more than plain data, or a variant's own
/// document is looked up, it says nothing. Of a variant the order of fields and the names of those that
/// it writes (`request.writeFields`) are those of the request. So who concludes something from a variant
/// makes it a request and asks an engine.
public final class Rehearsal {
  private var machine: Machine
  private let auth: LoadedName
  private let token: LoadedName
  private let resource: LoadedName
  private let data: LoadedName

  /// Compiles rules, and functions that are conditions which were added to them.
  public init(_ engine: Engine, adding functions: [FunctionID] = []) {
    machine = Machine(Program(engine.rules, adding: functions), profile: engine.profile)
    auth = machine.loadName("auth")
    token = machine.loadName("token")
    resource = machine.loadName("resource")
    data = machine.loadName("data")
  }

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
    var request = LoadedRequest(accesses: plan.accesses, lookups: plan.lookups)
    for access in plan.accesses { request.loaded.append(machine.load(access, unpacking: true)) }
    var access = plan.accesses[own]
    var document = request.loaded[own].resource
    var showsDocument = true
    if access.method == .list {
      let value = prepared.documents[path].map { Documents.resource(path, $0) } ?? .null
      document = machine.load(value)
      showsDocument = access.isNamedByQuery
      access.document = path
    }
    var lookups = plan.lookups
    lookups.limitForOne = .max
    lookups.limitInAll = .max
    lookups.begin(access)
    return RehearsedRequest(
      request, own: own, document: document, showsDocument: showsDocument,
      lookups: lookups)
  }

  /// Takes a request in for the time of some work.
  public func withRequest<Answer>(
    _ prepared: PreparedRequest, about path: DocumentPath, _ work: (RehearsedRequest) -> Answer?
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

  /// Makes a variant; nil if the request has nothing to differ in.
  public func vary(_ target: RehearsedRequest, by difference: Difference?) -> Variant? {
    let loaded = target.request.loaded[target.own]
    var variant = Variant(
      request: loaded.request, resource: loaded.resource, document: target.document,
      isChanged: difference != nil, mark: machine.arena.mark)
    let isVaried: Bool
    switch difference {
    case .none: isVaried = true
    case .client(let client): isVaried = set([auth], to: client, in: &variant.request)
    case .claim(let name, let value):
      isVaried = set([auth, token, name], to: value, in: &variant.request)
    case .before(let name, let value):
      isVaried = setStored(name, to: value, in: &variant, target)
    case .after(let name, let value):
      isVaried = set([resource, data, name], to: value, in: &variant.request)
    case .both(let name, let value):
      isVaried =
        setStored(name, to: value, in: &variant, target)
        && set([resource, data, name], to: value, in: &variant.request)
    }
    if !isVaried { drop(variant) }
    return isVaried ? variant : nil
  }

  /// Drops a variant and everything that was taken in after it.
  public func drop(_ variant: Variant) { machine.arena.reset(to: variant.mark) }

  private func setStored(
    _ name: LoadedName, to value: LoadedValue?, in variant: inout Variant,
    _ target: RehearsedRequest
  ) -> Bool {
    guard set([data, name], to: value, in: &variant.document) else { return false }
    if target.showsDocument { variant.resource = variant.document }
    return true
  }

  private func set(_ names: [LoadedName], to value: LoadedValue?, in cell: inout Cell) -> Bool {
    machine.arena.set(names[...], to: value?.cell, in: &cell)
  }

  // MARK: Deciding

  /// What rules say to a variant; nil if only an engine can tell.
  public func ruling(on variant: Variant, of target: RehearsedRequest) -> Ruling? {
    machine.ruling(on: variant, of: target)
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

  /// Whether a condition, by its place among those that were added, is true of a variant; nil if only
  /// an engine can tell.
  public func holds(
    _ condition: Int, _ frame: LoadedFrame, _ variant: Variant, of target: RehearsedRequest
  ) -> Bool? {
    machine.holds(condition, frame, variant, target)
  }
}

extension Machine {
  /// Takes a value in.
  fileprivate mutating func load(_ value: Value) -> Cell { arena.load(value, program.symbols) }

  /// Takes a name in.
  fileprivate mutating func loadName(_ name: Text) -> LoadedName {
    let place = arena.place(name)
    return LoadedName(place: place, symbol: program.symbols.find(place, in: arena.words))
  }

  /// What the rules say to a variant; nil if it takes more than the machine.
  fileprivate mutating func ruling(
    on variant: Variant, of target: RehearsedRequest
  ) -> Ruling? {
    services = engine.services
    if hasLookups { lookups = target.request.lookups }
    var ruling = Ruling(isAllowed: false, fails: false, isAboutDocument: true)
    for number in 0..<target.request.loaded.count {
      var loaded = target.request.loaded[number]
      ruling.isAboutDocument = number == target.own
      if number == target.own {
        loaded.request = variant.request
        loaded.resource = variant.resource
      }
      if hasLookups { lookups.begin(target.request.accesses[number]) }
      guard let isGranted = isGranted(loaded, &ruling.fails) else { return nil }
      if hasLookups, lookups.asksForOwn, variant.isChanged { return nil }
      if !isGranted { return ruling }
    }
    if hasLookups, lookups.isScarce { return nil }
    ruling.isAllowed = true
    ruling.isAboutDocument = true
    return ruling
  }

  private mutating func isGranted(_ loaded: Loaded, _ fails: inout Bool) -> Bool? {
    var nobody = NoObserver()
    for place in begin(loaded) {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.rawValue & loaded.method != 0 else { continue }
        guard let cell = evaluate(statement.allow, &nobody) else { return nil }
        if cell.isBool(true) { return true }
        if cell.kind != .bool { fails = true }
      }
    }
    return false
  }

  /// Far below the budget: a condition of a claim pays for nothing.
  private static let firstSpent = Limits.expressions - 1_000_000

  fileprivate mutating func holds(
    _ condition: Int, _ frame: LoadedFrame, _ variant: Variant,
    _ target: RehearsedRequest
  ) -> Bool? {
    guard let statement = program.added[condition] else { return nil }
    for place in frame.cells.indices { registers[place] = frame.cells[place] }
    current = target.request.loaded[target.own]
    current.request = variant.request
    current.resource = variant.document
    services = .documents
    if statement.hasLookups { lookups = target.lookups }
    spent = Self.firstSpent
    var nobody = NoObserver()
    let cell = run(statement, &nobody)
    if statement.hasLookups, lookups.asksForOwn, variant.isChanged { return nil }
    return cell.map { $0.isBool(true) }
  }
}

extension Arena {
  /// Puts a value where a way of names leads to, or takes it away, in copies of the maps on the way.
  /// False if there are no maps.
  fileprivate mutating func set(
    _ names: ArraySlice<LoadedName>, to value: Cell?, in cell: inout Cell
  ) -> Bool {
    guard cell.kind == .map, let name = names.first else { return false }
    var inner = value
    if names.count > 1 {
      guard let place = find(name.place, in: maps[Int(cell.index)]) else { return false }
      var part = entries[place].value
      guard set(names.dropFirst(), to: value, in: &part) else { return false }
      inner = part
    }
    cell = replacing(name, in: cell, by: inner)
    return true
  }

  /// A map that differs from another one in one key.
  private mutating func replacing(
    _ name: LoadedName, in map: Cell, by value: Cell?
  ) -> Cell {
    let old = maps[Int(map.index)]
    let found = find(name.place, in: old)
    let isMore = found == nil && value != nil
    let isLess = found != nil && value == nil
    let count = Int(old.count) + (isMore ? 1 : 0) - (isLess ? 1 : 0)
    let first = beginMap(count)
    var next = first
    for place in Int(old.first)..<Int(old.first + old.count) {
      var entry = entries[place]
      if place == found {
        guard let value else { continue }
        entry.value = value
      }
      setEntry(next, entry)
      next += 1
    }
    if isMore, let value {
      setEntry(next, Entry(key: name.place, symbol: name.symbol, value: value))
    }
    return endMap(first: first, count: count)
  }
}
