import RulesEval
import RulesLang

// Where conditions could see how long the path of the request's document is. That is known by its whole
// path only: what `{x=**}` stands for, `request.path`, `__name__`, where a query begins. So it is
// followed where these go, and where `request`, `request.query` and documents go, of which they are
// members. Nothing is to be seen of a member that is another one, and whether there is a document, or a
// key, does not depend on the path; all else is a use.

/// The places where conditions use a path whose length is open.
struct PathUses {
  private(set) var places: [SourceRange] = []
  private let rules: Checked
  private var known: [Visit: Route] = [:]

  /// A function, and what its captures and parameters are.
  private struct Visit: Hashable {
    var function: FunctionID
    var globs: Set<UInt8>
    var locals: [Route]
  }

  /// What an expression can be that shows the path, or has it as a member.
  struct Route: OptionSet, Hashable {
    let rawValue: UInt8

    static let request = Route(rawValue: 1)
    static let query = Route(rawValue: 2)
    static let document = Route(rawValue: 4)
    static let path = Route(rawValue: 8)
  }

  /// What the names of a body stand for.
  private struct Scope {
    var globs: Set<UInt8>
    var locals: [Route]
  }

  init(_ rules: Checked) { self.rules = rules }

  /// Looks through a condition in a block with some captures of any length.
  mutating func add(_ body: Body, globs: Set<UInt8>) {
    _ = route(body, Scope(globs: globs, locals: []))
  }

  /// Looks through a function with parameters that are something, or nothing of that.
  @discardableResult
  mutating func add(
    _ function: FunctionID, globs: Set<UInt8>, parameters: [Route]
  ) -> Route {
    // Functions that call each other twice are called as often as a power of two.
    let visit = Visit(function: function, globs: globs, locals: parameters)
    if let known = known[visit] { return known }
    let declaration = rules.ruleset[function]
    var scope = Scope(globs: globs, locals: parameters)
    for binding in declaration.lets { scope.locals.append(route(binding.value, scope)) }
    let route = route(declaration.result, scope)
    known[visit] = route
    return route
  }

  /// What a body gives, having looked through it and the functions that it calls.
  private mutating func route(_ body: Body, _ scope: Scope) -> Route {
    let first = body.first.index
    var routes: [Route] = []
    for index in first...body.root.index {
      let route = route(ExprID(index), scope) { routes[$0.index - first] }
      routes.append(route)
    }
    return routes.last ?? []
  }

  private mutating func route(
    _ id: ExprID, _ scope: Scope, _ operand: (ExprID) -> Route
  ) -> Route {
    switch rules.ruleset[id].kind {
    case .literal, .invalid: return []
    case .variable: return variable(id, scope)
    case .parenthesized(let inner): return operand(inner)
    case .member(let base, let name): return member(name.text, of: base, operand(base))
    case .index(let base, let key):
      use(key, operand(key))
      guard let name = text(key) else {
        use(base, operand(base))
        return []
      }
      return member(name, of: base, operand(base))
    case .conditional(let condition, let one, let other):
      use(condition, operand(condition))
      return operand(one).union(operand(other))
    case .isType: return []
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right):
      if isNull(right), !operand(left).contains(.path) { return [] }
      if isNull(left), !operand(right).contains(.path) { return [] }
      use(left, operand(left))
      use(right, operand(right))
      return []
    case .binary(.in, let left, let right):
      use(left, operand(left))
      if operand(right).contains(.path) { use(right, operand(right)) }
      return []
    case .method(let receiver, let name, let arguments):
      if name.text == "get", arguments.count == 2, let key = text(arguments[0]) {
        use(arguments[1], operand(arguments[1]))
        return member(key, of: receiver, operand(receiver))
      }
    case .call(_, let arguments):
      guard case .function(let function) = rules.binding(id) else { break }
      var parameters = arguments.map { operand($0) }
      let count = rules.ruleset[function].parameters.count
      // A call with another number of arguments is an error.
      if parameters.count != count { parameters = Array(repeating: [], count: count) }
      return add(function, globs: scope.globs, parameters: parameters)
    case .list, .map, .path, .not, .negate, .binary, .slice: break
    }
    rules.ruleset[id].forEachOperand { use($0, operand($0)) }
    return []
  }

  private func variable(_ id: ExprID, _ scope: Scope) -> Route {
    switch rules.binding(id) {
    case .request: .request
    case .resource: .document
    case .capture(let slot): scope.globs.contains(slot) ? .path : []
    case .local(let slot): scope.locals.indices.contains(Int(slot)) ? scope.locals[Int(slot)] : []
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: []
    }
  }

  private mutating func member(_ name: Text, of base: ExprID, _ route: Route) -> Route {
    var found: Route = []
    if route.contains(.path) { use(base, route) }
    if route.contains(.request) {
      if name == "path" { found.insert(.path) }
      if name == "resource" { found.insert(.document) }
      if name == "query" { found.insert(.query) }
    }
    if route.contains(.document), name == "__name__" { found.insert(.path) }
    if route.contains(.query), name == "parent" || name == "ancestor" { found.insert(.path) }
    return found
  }

  private func text(_ id: ExprID) -> Text? {
    if case .literal(.string(let text)) = rules.ruleset[rules.ruleset.unparenthesized(id)].kind {
      return text
    }
    return nil
  }

  private func isNull(_ id: ExprID) -> Bool {
    rules.ruleset[rules.ruleset.unparenthesized(id)].kind == .literal(.null)
  }

  /// Notes that the length of a path could be seen, if the operand is or has one.
  private mutating func use(_ id: ExprID, _ route: Route) {
    let range = rules.ruleset[id].range
    if !route.isEmpty, !places.contains(range) { places.append(range) }
  }
}

extension MatchFacts {
  /// The slots of the captures that stand for any number of segments, or in a query may show one that
  /// does.
  var globs: Set<UInt8> {
    var globs = Set(
      pattern.compactMap { step -> UInt8? in
        if case .glob(let slot) = step { return slot }
        return nil
      })
    for slot in captures.indices {
      if let outer = hiddenCapture(by: slot), globs.contains(UInt8(outer)) {
        globs.insert(UInt8(slot))
      }
    }
    return globs
  }
}
