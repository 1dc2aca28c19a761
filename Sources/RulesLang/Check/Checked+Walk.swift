// Walks over conditions: each reachable body once, or along calls, with the values of a function's names.

extension Checked {
  /// Returns the bodies, and those of all functions that are called from them, each function once.
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

  /// Enters a function: visits and binds its lets, one after another.
  ///
  /// - Parameters:
  ///   - function: The function.
  ///   - count: How many arguments it is called with.
  ///   - frame: The values of the function's names; at first those of its parameters.
  ///   - bind: Visits the value of a let and adds the result to the frame.
  /// - Returns: The function's result expression, to be visited in the frame; nil if it has another number of
  ///   parameters, which is an error of the call (Docs/Language.md §5).
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
  /// The name of the first function that hides a built-in function of the same name; nil if there is none.
  /// Code that is added to such rules may have different meanings in different blocks.
  public var functionHidingBuiltin: SourceRange? {
    ruleset.functions.first { Builtins.function(namespace: nil, name: $0.name.text) != nil }?.name
      .range
  }

  /// Returns the built-in that a call names: `value` or `get`, although calls of both are bound to `get`.
  public func calledName(of builtin: Builtin, at id: ExprID) -> Builtin {
    guard builtin == .get, case .call(.plain(let name), _) = ruleset[id].kind,
      name.text == Builtins.entry(.value).name
    else { return builtin }
    return .value
  }

  /// Returns the called name, with its namespace; empty for an expression that is not a call.
  public func calleeName(_ id: ExprID) -> String {
    guard case .call(let callee, _) = ruleset[id].kind else { return "" }
    switch callee {
    case .plain(let name): return String(name.text)
    case .namespaced(let namespace, let name):
      return String(namespace.text) + "." + String(name.text)
    }
  }

  /// True if a function, or one that it calls, looks documents up.
  public func looksUp(_ function: FunctionID) -> Bool {
    bodies(reachedFrom: ruleset[function].bodies).contains { body in
      body.nodes.contains { id in
        if case .builtin(let builtin) = binding(id) { builtin.isLookup } else { false }
      }
    }
  }
}
