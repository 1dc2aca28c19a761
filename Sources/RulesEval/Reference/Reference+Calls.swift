import RulesLang

// Calls of functions and methods. What built-ins do with values is in `Functions`.

extension Reference {
  mutating func call(with arguments: [ExprID], at id: ExprID, in frame: Frame) -> Outcome {
    switch rules.binding(id) {
    case .function(let function):
      let outcomes = arguments.map { evaluate($0, in: frame) }
      return call(function, with: outcomes, at: id, in: frame)
    case .builtin(let builtin):
      switch all(arguments, in: frame) {
      case .failure(let error): return .error(error)
      case .success(let values): return callBuiltin(builtin, on: nil, with: values, at: id)
      }
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      for argument in arguments { _ = evaluate(argument, in: frame) }
      return spent > Limits.expressions
        ? failure(.budget, of: id)
        : failure(.functionNotFound(rules.calleeName(id)), atBeginningOf: id)
    }
  }

  mutating func call(
    _ function: FunctionID, with arguments: [Outcome], at id: ExprID, in frame: Frame
  ) -> Outcome {
    if spent > Limits.expressions { return failure(.budget, of: id) }
    let declaration = rules.ruleset[function]
    guard arguments.count == declaration.parameters.count else {
      let parameters = declaration.parameters.map { String($0.text) }.joined(separator: ", ")
      return failure(
        .argumentCount(
          arguments.count, expected: "\(String(declaration.name.text))(\(parameters))"), of: id)
    }
    activations += 1
    watch.enter(activations, from: id, in: frame.activation)
    var inner = Frame(captures: frame.captures, locals: arguments, activation: activations)
    for binding in declaration.lets {
      guard pay() else { return failure(.budget, of: id) }
      inner.locals.append(evaluate(binding.value.root, in: inner))
    }
    return evaluate(declaration.result.root, in: inner)
  }

  mutating func callBuiltin(
    _ builtin: Builtin, on receiver: Value?, with arguments: [Value], at id: ExprID
  ) -> Outcome {
    let builtin = rules.calledName(of: builtin, at: id)
    do throws(EvaluationError.Reason) {
      try Functions.checkArguments(of: builtin, on: receiver, with: arguments)
      switch builtin {
      case .get, .exists, .getAfter, .existsAfter, .value:
        guard case .path(let path) = arguments[0] else { return failure(.nullValue, of: id) }
        return .value(try services.answer(builtin, for: path, with: &lookups))
      case .debug where !services.hasDebug: throw .functionNotFound("debug")
      default:
        return .value(
          try Functions.call(
            builtin, on: receiver ?? .null, with: arguments, knowing: rules.patterns))
      }
    } catch {
      return failure(error, of: id)
    }
  }

  mutating func method(
    of receiver: ExprID, named name: Name, with arguments: [ExprID], at id: ExprID, in frame: Frame
  ) -> Outcome {
    let outcome = evaluate(operand: receiver, frame)
    let values = all(arguments, in: frame)
    guard case .value(let value) = outcome else { return outcome }
    if case .null = value { return failure(.nullValue, of: id) }
    guard let builtin = Functions.method(name.text, of: value.type) else {
      return failure(.functionNotFound(String(name.text)), atBeginningOf: id)
    }
    switch values {
    case .failure(let error): return .error(error)
    case .success(let values): return callBuiltin(builtin, on: value, with: values, at: id)
    }
  }
}
