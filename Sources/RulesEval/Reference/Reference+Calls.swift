import RulesLang

// Calls of functions and methods. What built-ins do with values is in `Functions`.

extension Reference {
  mutating func call(_ arguments: [ExprID], _ id: ExprID, _ frame: Frame) -> Outcome {
    switch rules.binding(id) {
    case .function(let function):
      let outcomes = arguments.map { evaluate($0, frame) }
      return call(function, outcomes, id, frame)
    case .builtin(let builtin):
      switch all(arguments, frame) {
      case .failure(let error): return .error(error)
      case .success(let values): return callBuiltin(builtin, nil, values, id)
      }
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      for argument in arguments { _ = evaluate(argument, frame) }
      return spent > Limits.expressions
        ? failure(.budget, id) : failure(.functionNotFound(calleeName(id)), atBeginningOf: id)
    }
  }

  func calleeName(_ id: ExprID) -> String {
    guard case .call(let callee, _) = rules.ruleset[id].kind else { return "" }
    switch callee {
    case .plain(let name): return String(name.text)
    case .namespaced(let namespace, let name):
      return String(namespace.text) + "." + String(name.text)
    }
  }

  mutating func call(
    _ function: FunctionID, _ arguments: [Outcome], _ id: ExprID, _ frame: Frame
  ) -> Outcome {
    if spent > Limits.expressions { return failure(.budget, id) }
    let declaration = rules.ruleset[function]
    guard arguments.count == declaration.parameters.count else {
      let parameters = declaration.parameters.map { String($0.text) }.joined(separator: ", ")
      return failure(
        .argumentCount(
          arguments.count, expected: "\(String(declaration.name.text))(\(parameters))"), id)
    }
    activations += 1
    watch.enter(activations, from: id, in: frame.activation)
    var inner = Frame(captures: frame.captures, locals: arguments, activation: activations)
    for binding in declaration.lets {
      guard pay() else { return failure(.budget, id) }
      inner.locals.append(evaluate(binding.value.root, inner))
    }
    return evaluate(declaration.result.root, inner)
  }

  mutating func callBuiltin(
    _ builtin: Builtin, _ receiver: Value?, _ arguments: [Value], _ id: ExprID
  ) -> Outcome {
    do throws(EvaluationError.Reason) {
      try Functions.checkArguments(builtin, receiver, arguments)
      switch builtin {
      case .get, .exists, .getAfter, .existsAfter:
        guard case .path(let path) = arguments[0] else { return failure(.nullValue, id) }
        return .value(try services.answer(builtin, path, &lookups))
      case .debug where !services.hasDebug: throw .functionNotFound("debug")
      default:
        return .value(try Functions.call(builtin, receiver ?? .null, arguments))
      }
    } catch {
      return failure(error, id)
    }
  }

  mutating func method(
    _ receiver: ExprID, _ name: Name, _ arguments: [ExprID], _ id: ExprID, _ frame: Frame
  ) -> Outcome {
    let outcome = evaluate(operand: receiver, frame)
    let values = all(arguments, frame)
    guard case .value(let value) = outcome else { return outcome }
    if case .null = value { return failure(.nullValue, id) }
    guard let builtin = Functions.method(name.text, of: value.type) else {
      return failure(.functionNotFound(String(name.text)), atBeginningOf: id)
    }
    switch values {
    case .failure(let error): return .error(error)
    case .success(let values): return callBuiltin(builtin, value, values, id)
    }
  }
}
