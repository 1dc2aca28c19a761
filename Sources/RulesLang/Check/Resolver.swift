/// Resolves every name in every expression, once, so that evaluation looks no name up.
///
/// A body's nodes have consecutive IDs, operands first, so a body is resolved by one loop over them; nothing
/// recurses. `request`, `resource` and the lookups exist only in bodies that certain services reach, so they
/// are reported once every call is known.
struct Resolver {
  private var ruleset: Ruleset
  private var scopes: Scopes
  private(set) var bindings: [Binding]
  private(set) var diagnostics: [Diagnostic] = []
  private var warningCount = 0
  /// The functions that each function calls, in source order, for recursion and call depth: `math.f()` counts
  /// as a call of a visible function `f` (Docs/Language.md §5).
  var calls: [[FunctionID]] {
    callPlaces.map { calls in calls.sorted { $0.place < $1.place }.map { $0.function } }
  }
  private var callPlaces: [[(place: UInt32, function: FunctionID)]]
  /// By `ExprID`: true if Google's checker does not know a name, though it has a meaning.
  private(set) var isUndeclared: [Bool]
  /// The names of functions and methods that each function and each condition calls.
  private var calledNames: [[Text]]
  private var calledByConditions: [[Text]]
  private var isUsed: [Bool]
  /// The number of unknown names that may still be compared with known ones for suggestions; a file could
  /// have any number.
  private var suggestions = 100
  private var services: [ServiceName] = []
  /// The number of functions whose bodies are resolved.
  private var resolvedCount = 0
  private var areConditionsResolved = false

  /// A name that exists only for requests of some services.
  private struct ServiceName {
    var expression: Int
    var name: Name
    var user: User
    /// The number of arguments; 0 for a variable.
    var argumentCount = 0
  }

  /// The function or condition in which a name is used.
  private enum User {
    case function(FunctionID)
    case condition(AllowID)
  }

  init(_ ruleset: Ruleset, facts: [MatchFacts]) {
    self.ruleset = ruleset
    scopes = Scopes(of: ruleset, slots: facts)
    bindings = Array(repeating: .none, count: ruleset.expressions.count)
    callPlaces = Array(repeating: [], count: ruleset.functions.count)
    isUndeclared = Array(repeating: false, count: ruleset.expressions.count)
    calledNames = Array(repeating: [], count: ruleset.functions.count)
    calledByConditions = Array(repeating: [], count: ruleset.allows.count)
    isUsed = Array(repeating: false, count: ruleset.functions.count)
  }

  /// Continues from the resolver of known rules, to which only functions were added that these rules do not
  /// call. The services that reach a body are computed again.
  init(_ ruleset: Ruleset, facts: [MatchFacts], knowing bodies: Resolver) {
    self = bodies
    self.ruleset = ruleset
    scopes = Scopes(of: ruleset, slots: facts)
    bindings.extend(to: ruleset.expressions.count, with: .none)
    callPlaces.extend(to: ruleset.functions.count, with: [])
    isUndeclared.extend(to: ruleset.expressions.count, with: false)
    calledNames.extend(to: ruleset.functions.count, with: [])
    isUsed.extend(to: ruleset.functions.count, with: false)
  }

  /// Resolves everything.
  mutating func run() {
    resolveBodies()
    finish()
  }

  /// Resolves all bodies that are not resolved yet, except for names that depend on the services that reach
  /// them.
  mutating func resolveBodies() {
    for index in resolvedCount..<ruleset.functions.count { resolve(FunctionID(index)) }
    resolvedCount = ruleset.functions.count
    if areConditionsResolved { return }
    areConditionsResolved = true
    for (index, allow) in ruleset.allows.enumerated() {
      guard let condition = allow.condition else { continue }
      var frame = Frame(owner: .match(allow.match), user: .condition(AllowID(index)))
      resolve(condition, in: &frame)
    }
  }

  /// Resolves the names that depend on the services that reach a body.
  mutating func finish() {
    for id in scopes.duplicates { report(.duplicateFunction(ruleset[id].name)) }
    let reaches = ReachFinder.find(
      ruleset, calls: calledNames, conditions: calledByConditions)
    for name in services { resolve(name, with: reaches) }
    for (index, function) in ruleset.functions.enumerated() where !isUsed[index] {
      report(.unusedFunction(function.name))
    }
  }

  /// The names in the scope of the function that is being resolved.
  private struct Frame {
    var owner: ScopeOwner
    var user: User
    var names: [Name] = []
    var isRead: [Bool] = []
    /// The last slot of each name.
    private var slots: [Text: Int] = [:]

    init(owner: ScopeOwner, user: User) {
      self.owner = owner
      self.user = user
    }

    mutating func bind(_ name: Name) {
      slots[name.text] = names.count
      names.append(name)
      isRead.append(false)
    }

    func slot(of name: Text) -> Int? { slots[name] }
  }

  private mutating func resolve(_ id: FunctionID) {
    let function = ruleset[id]
    var frame = Frame(owner: function.owner, user: .function(id))
    for parameter in function.parameters {
      if frame.slot(of: parameter.text) != nil {
        report(.duplicateParameter(parameter))
      }
      frame.bind(parameter)
    }
    for binding in function.lets {
      resolve(binding.value, in: &frame)
      if ruleset.version == .one { report(.letInVersion1(binding.name)) }
      if frame.slot(of: binding.name.text) != nil {
        report(.alreadyBound(binding.name))
      }
      frame.bind(binding.name)
    }
    resolve(function.result, in: &frame)
    for (name, isRead) in zip(frame.names, frame.isRead) where !isRead {
      report(.unusedVariable(name))
    }
  }

  private mutating func resolve(_ body: Body, in frame: inout Frame) {
    for index in body.first.index...body.root.index {
      switch ruleset.expressions[index].kind {
      case .variable(let name):
        bindings[index] = resolveVariable(name, at: index, in: &frame)
      case .call(.plain(let name), let arguments):
        bindings[index] = resolveCall(name, at: index, count: arguments.count, in: frame)
      case .call(.namespaced(let namespace, let name), let arguments):
        noteCall(of: name, in: frame)
        bindings[index] = resolveBuiltin(
          in: namespace.text, name: name, count: arguments.count, from: frame)
      case .method(_, let name, let arguments):
        resolveMethod(name, count: arguments.count, in: frame)
      case .literal, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
        .conditional, .member, .index, .slice, .invalid:
        break
      }
    }
  }

  // MARK: Variables

  private mutating func resolveVariable(
    _ name: Name, at index: Int, in frame: inout Frame
  ) -> Binding {
    if let slot = frame.slot(of: name.text) {
      frame.isRead[slot] = true
      return .local(UInt8(truncatingIfNeeded: slot))
    }
    let binding = scopes.variable(name.text, in: frame.owner)
    if binding == .request || binding == .resource {
      services.append(ServiceName(expression: index, name: name, user: frame.user))
    }
    if binding == .unknownVariable, !Builtins.namespaces.contains(name.text) {
      let known =
        maySuggest()
        ? frame.names.map { String($0.text) } + scopes.variables(in: frame.owner) : []
      report(.unknownVariable(name, known: known))
    }
    return binding
  }

  private mutating func maySuggest() -> Bool {
    suggestions -= 1
    return suggestions >= 0
  }

  // MARK: Calls

  /// Resolves a method name. A method can belong to any type, so the only mistake is a name that no type has.
  private mutating func resolveMethod(_ name: Name, count: Int, in frame: Frame) {
    noteUse(of: name.text, in: frame)
    guard Builtins.signatures(ofMethod: name.text, count: count).isEmpty else { return }
    let text = String(name.text)
    report(
      Builtins.hasMethod(name.text)
        ? .argumentCount(text, at: name.range)
        : .unknownFunction(text, at: name.range, known: maySuggest() ? Builtins.methodNames : []))
  }

  private mutating func resolveCall(
    _ name: Name, at index: Int, count: Int, in frame: Frame
  ) -> Binding {
    noteUse(of: name.text, in: frame)
    guard let id = scopes.function(name.text, in: frame.owner) else {
      guard let builtin = Builtins.function(namespace: nil, name: name.text),
        builtin.isLookup || builtin == .debug
      else { return resolveBuiltin(in: nil, name: name, count: count, from: frame) }
      services.append(
        ServiceName(expression: index, name: name, user: frame.user, argumentCount: count))
      return .builtin(builtin.meaning)
    }
    noteCall(of: name, in: frame)
    if ruleset[id].parameters.count != count {
      report(.argumentCount(String(name.text), at: name.range))
    }
    return .function(id)
  }

  private mutating func noteUse(of name: Text, in frame: Frame) {
    if let id = scopes.function(name, in: frame.owner) { isUsed[id.index] = true }
    switch frame.user {
    case .function(let caller): calledNames[caller.index].append(name)
    case .condition(let allow): calledByConditions[allow.index].append(name)
    }
  }

  private mutating func noteCall(of name: Name, in frame: Frame) {
    guard case .function(let caller) = frame.user,
      let id = scopes.function(name.text, in: frame.owner)
    else { return }
    callPlaces[caller.index].append((name.range.start, id))
  }

  private mutating func resolveBuiltin(
    in namespace: Text?, name: Name, count: Int, from frame: Frame
  ) -> Binding {
    guard let builtin = Builtins.function(namespace: namespace, name: name.text) else {
      let full = (namespace.map { String($0) + "." } ?? "") + String(name.text)
      let known = maySuggest() ? scopes.functions(in: frame.owner) : []
      report(.unknownFunction(full, at: name.range, known: known))
      return .unknownFunction
    }
    checkCount(of: builtin, at: name, given: count)
    return .builtin(builtin)
  }

  private mutating func checkCount(of builtin: Builtin, at name: Name, given count: Int) {
    let entry = Builtins.entry(builtin)
    if !entry.overloads.contains(where: { $0.count == count }) {
      report(.argumentCount(entry.fullName, at: name.range))
    }
  }

  /// Adds a diagnostic; of warnings only one more than the number that is shown.
  private mutating func report(_ diagnostic: Diagnostic) {
    if diagnostic.severity != .error {
      warningCount += 1
      if warningCount > [Diagnostic].maximumTold + 1 { return }
    }
    diagnostics.append(diagnostic)
  }

  // MARK: Names of services

  private mutating func resolve(_ name: ServiceName, with reaches: [Reach]) {
    let reach: Reach
    switch name.user {
    case .function(let id): reach = reaches[id.index]
    case .condition(let id): reach = ruleset.reach(of: ruleset[id])
    }
    guard case .builtin(let builtin) = bindings[name.expression] else {
      isUndeclared[name.expression] = reach.isEmpty
      if reach.isEmpty { report(unreached(.unknownVariable(name.name, known: []), at: name)) }
      return
    }
    guard builtin.isLookup ? reach.contains(.firestore) : !reach.isEmpty else {
      isUndeclared[name.expression] = true
      let unknown = Diagnostic.unknownFunction(
        String(name.name.text), at: name.name.range, known: [])
      report(reach.isEmpty ? unreached(unknown, at: name) : unknown)
      return
    }
    if builtin.isLookup, case .function(let id) = name.user, ruleset[id].owner == .file {
      report(.lookupOutsideService(name.name))
    }
    checkCount(of: builtin, at: name.name, given: name.argumentCount)
  }
}

extension Resolver {
  /// Returns the warning of Google's compiler about a name in code that no `allow` reaches.
  private func unreached(_ diagnostic: Diagnostic, at name: ServiceName) -> Diagnostic {
    var function: Name?
    if case .function(let id) = name.user { function = ruleset[id].name }
    return diagnostic.inUnreachedCode(String(name.name.text), of: function)
  }
}

extension Array {
  /// Appends an element until there are `count`.
  fileprivate mutating func extend(to count: Int, with element: Element) {
    append(contentsOf: repeatElement(element, count: count - self.count))
  }
}
