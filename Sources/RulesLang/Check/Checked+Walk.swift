// How conditions are gone through: every body that can be reached, once, or along calls, with what the
// names of a function stand for.

extension Checked {
  /// Bodies, and those of all functions that are called from them, each function once.
  public func bodies(reachedFrom first: [Body]) -> [Body] {
    var found = first
    var seen: Set<FunctionID> = []
    var next = 0
    while next < found.count {
      for id in found[next].nodes {
        guard case .function(let function) = binding(id), seen.insert(function).inserted else {
          continue
        }
        found += ruleset[function].bodies
      }
      next += 1
    }
    return found
  }

  /// Enters a function: binds its lets, one after another.
  ///
  /// - Parameters:
  ///   - function: The function.
  ///   - count: How many arguments it is called with.
  ///   - frame: What the names in the function stand for; at first its parameters.
  ///   - bind: Visits the value of a let and adds what it comes to to the frame.
  /// - Returns: What the function returns, to be visited in the frame; nil if it has another number of
  ///   parameters, which is an error where it is called (Docs/Language.md §5).
  public func enter<Frame, Failure>(
    _ function: FunctionID, arguments count: Int, _ frame: inout Frame,
    bind: (Body, inout Frame) throws(Failure) -> Void
  ) throws(Failure) -> Body? {
    let declaration = ruleset[function]
    guard declaration.parameters.count == count else { return nil }
    for binding in declaration.lets { try bind(binding.value, &frame) }
    return declaration.result
  }
}

extension Checked {
  /// The name of the first function that is called like a built-in one, which it hides wherever it is
  /// visible; nil if there is none. What is added to the rules may then mean something else in one block than
  /// in another.
  public var functionHidingBuiltin: SourceRange? {
    ruleset.functions.first { Builtins.function(namespace: nil, name: $0.name.text) != nil }?.name
      .range
  }

  /// The built-in by the name that a call has: `value` and not `get`, which calls of both are bound to.
  public func calledName(of builtin: Builtin, at id: ExprID) -> Builtin {
    guard builtin == .get, case .call(.plain(let name), _) = ruleset[id].kind,
      name.text == Builtins.entry(.value).name
    else { return builtin }
    return .value
  }

  /// The name that a call has, with its namespace; empty for what is no call.
  public func calleeName(_ id: ExprID) -> String {
    guard case .call(let callee, _) = ruleset[id].kind else { return "" }
    switch callee {
    case .plain(let name): return String(name.text)
    case .namespaced(let namespace, let name):
      return String(namespace.text) + "." + String(name.text)
    }
  }

  /// Whether a function, or one that it calls, looks documents up.
  public func looksUp(_ function: FunctionID) -> Bool {
    bodies(reachedFrom: ruleset[function].bodies).contains { body in
      body.nodes.contains { id in
        if case .builtin(let builtin) = binding(id) { builtin.isLookup } else { false }
      }
    }
  }
}
