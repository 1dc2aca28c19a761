/// Gives every name in every expression its meaning, once, so that evaluation looks nothing up.
///
/// A body's nodes have consecutive IDs, operands first, so a body is resolved by one loop over
/// them; nothing recurses.
struct Resolver {
  private let ruleset: Ruleset
  private let scopes: Scopes
  private(set) var bindings: [Binding]
  private(set) var diagnostics: [Diagnostic] = []
  /// The functions that each function calls, in source order.
  private(set) var calls: [[FunctionID]]
  private var isCalled: [Bool]

  init(_ ruleset: Ruleset, _ facts: [MatchFacts]) {
    self.ruleset = ruleset
    scopes = Scopes(ruleset, facts)
    bindings = Array(repeating: .none, count: ruleset.expressions.count)
    calls = Array(repeating: [], count: ruleset.functions.count)
    isCalled = Array(repeating: false, count: ruleset.functions.count)
  }

  /// Resolves everything.
  mutating func run() {
    for id in scopes.duplicates { diagnostics.append(.duplicateFunction(ruleset[id].name)) }
    for index in ruleset.functions.indices { resolve(FunctionID(index)) }
    for allow in ruleset.allows {
      guard let condition = allow.condition else { continue }
      var frame = Frame(owner: .match(allow.match))
      resolve(condition, &frame)
    }
    for (index, function) in ruleset.functions.enumerated() where !isCalled[index] {
      diagnostics.append(.unusedFunction(function.name))
    }
  }

  /// The names of the function that is being resolved.
  private struct Frame {
    var owner: ScopeOwner
    var caller: FunctionID?
    var names: [Name] = []
    var isRead: [Bool] = []

    init(owner: ScopeOwner, caller: FunctionID? = nil) {
      self.owner = owner
      self.caller = caller
    }

    mutating func bind(_ name: Name) {
      names.append(name)
      isRead.append(false)
    }

    func slot(of name: Text) -> Int? { names.lastIndex { $0.text == name } }
  }

  private mutating func resolve(_ id: FunctionID) {
    let function = ruleset[id]
    var frame = Frame(owner: function.owner, caller: id)
    for parameter in function.parameters {
      reportNamespace(parameter)
      if frame.slot(of: parameter.text) != nil {
        diagnostics.append(.duplicateParameter(parameter))
      }
      frame.bind(parameter)
    }
    for binding in function.lets {
      resolve(binding.value, &frame)
      reportNamespace(binding.name)
      if ruleset.version == .one { diagnostics.append(.letInVersion1(binding.name)) }
      if frame.slot(of: binding.name.text) != nil {
        diagnostics.append(.alreadyBound(binding.name))
      }
      frame.bind(binding.name)
    }
    resolve(function.result, &frame)
    for (name, isRead) in zip(frame.names, frame.isRead) where !isRead {
      diagnostics.append(.unusedVariable(name))
    }
  }

  private mutating func reportNamespace(_ name: Name) {
    if Builtins.namespaces.contains(name.text) { diagnostics.append(.namespaceAsVariable(name)) }
  }

  private mutating func resolve(_ body: Body, _ frame: inout Frame) {
    for index in body.first.index...body.root.index {
      switch ruleset.expressions[index].kind {
      case .variable(let name):
        bindings[index] = resolveVariable(name, &frame)
      case .call(let callee, let arguments):
        bindings[index] = resolveCall(callee, arguments.count, frame)
      default: break
      }
    }
  }

  private mutating func resolveVariable(_ name: Name, _ frame: inout Frame) -> Binding {
    if let slot = frame.slot(of: name.text) {
      frame.isRead[slot] = true
      return .local(UInt8(truncatingIfNeeded: slot))
    }
    let binding = scopes.variable(name.text, in: frame.owner)
    if binding == .unknownVariable, !Builtins.namespaces.contains(name.text) {
      let known = frame.names.map { String($0.text) } + scopes.variables(in: frame.owner)
      diagnostics.append(.unknownVariable(name, known: known))
    }
    return binding
  }

  private mutating func resolveCall(_ callee: Callee, _ count: Int, _ frame: Frame) -> Binding {
    switch callee {
    case .plain(let name):
      if let id = scopes.function(name.text, in: frame.owner) {
        isCalled[id.index] = true
        if let caller = frame.caller { calls[caller.index].append(id) }
        if ruleset[id].parameters.count != count {
          diagnostics.append(.argumentCount(String(name.text), at: name.range))
        }
        return .function(id)
      }
      return resolveBuiltin(nil, name, count, frame)
    case .namespaced(let namespace, let name):
      return resolveBuiltin(namespace.text, name, count, frame)
    }
  }

  private mutating func resolveBuiltin(
    _ namespace: Text?, _ name: Name, _ count: Int, _ frame: Frame
  ) -> Binding {
    guard let builtin = Builtins.function(namespace: namespace, name: name.text) else {
      let full = (namespace.map { String($0) + "." } ?? "") + String(name.text)
      diagnostics.append(
        .unknownFunction(full, at: name.range, known: scopes.functions(in: frame.owner)))
      return .unknownFunction
    }
    let entry = Builtins.entry(builtin)
    if !entry.overloads.contains(where: { $0.count == count }) {
      diagnostics.append(.argumentCount(entry.fullName, at: name.range))
    }
    return .builtin(builtin)
  }
}
