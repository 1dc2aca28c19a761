/// The place of a whole expression, not an operand, in the rules.
public enum BodyPlace: Hashable, Sendable {
  /// The condition of a statement.
  case condition(AllowID)
  /// The value of one of the lets of a function.
  case binding(FunctionID, Int)
  /// The result of a function.
  case result(FunctionID)
}

extension Ruleset {
  /// Returns the expression at a place.
  ///
  /// - Requires: There is one.
  public func body(at place: BodyPlace) -> Body {
    switch place {
    case .condition(let allow):
      guard let condition = self[allow].condition else {
        preconditionFailure("the statement has no condition")
      }
      return condition
    case .binding(let function, let position): return self[function].lets[position].value
    case .result(let function): return self[function].result
    }
  }

  /// Returns the place of the whole expression that a node belongs to; nil if it belongs to none.
  public func place(of id: ExprID) -> BodyPlace? {
    func has(_ body: Body) -> Bool { body.first <= id && id <= body.root }
    for index in allows.indices where allows[index].condition.map(has) ?? false {
      return .condition(AllowID(index))
    }
    for index in functions.indices {
      if has(functions[index].result) { return .result(FunctionID(index)) }
      for (position, binding) in functions[index].lets.enumerated() where has(binding.value) {
        return .binding(FunctionID(index), position)
      }
    }
    return nil
  }

  /// Sets the expression at a place; only a condition can be nil.
  mutating func setBody(at place: BodyPlace, to body: Body?) {
    switch (place, body) {
    case (.condition(let allow), _): allows[allow.index].condition = body
    case (.binding(let function, let position), let body?):
      functions[function.index].lets[position].value = body
    case (.result(let function), let body?): functions[function.index].result = body
    case (.binding, nil), (.result, nil): preconditionFailure("a function needs its expressions")
    }
  }
}

extension Checked {
  /// Returns the meaning of a variable in the expression at a place.
  func meaning(of name: Text, at place: BodyPlace) -> Binding {
    let owner: ScopeOwner
    var names: [Name] = []
    switch place {
    case .condition(let allow): owner = .match(ruleset[allow].match)
    case .binding(let function, let position):
      owner = ruleset[function].owner
      names = ruleset[function].parameters + ruleset[function].lets[..<position].map { $0.name }
    case .result(let function):
      owner = ruleset[function].owner
      names = ruleset[function].parameters + ruleset[function].lets.map { $0.name }
    }
    if let slot = names.lastIndex(where: { $0.text == name }) { return .local(UInt8(slot)) }
    return Scopes(of: ruleset, slots: matches).variable(name, in: owner)
  }
}
