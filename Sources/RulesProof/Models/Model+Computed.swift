import RulesEval
import RulesLang
import RulesSolver

// Values that follow from other values.

extension Model {
  // MARK: Computed values

  /// Returns the value of a class that contains an application of a function; nil if there is none.
  func computed(_ members: [TermID]) -> Value? {
    for member in members {
      // An application to its own class determines nothing.
      guard case .apply(let op, let arguments) = terms[member],
        !arguments.contains(where: { isSame($0, member) })
      else { continue }
      let value: Value?
      switch op {
      case .builtin(let builtin): value = call(builtin, with: arguments.map { self.value(of: $0) })
      case .operation(let op):
        value = try? PureFunctions.apply(
          op, to: self.value(of: arguments[0]), and: self.value(of: arguments[1]))
      case .negate: value = try? PureFunctions.negate(self.value(of: arguments[0]))
      case .plus(let domain, let steps):
        value = self.value(of: arguments[0]).shifted(by: steps, domain)
      case .path: value = path(arguments)
      case .size: value = size(self.value(of: arguments[0]))
      default: value = nil
      }
      if let value { return value }
    }
    return nil
  }

  func call(_ builtin: Builtin, with arguments: [Value]) -> Value? {
    let hasReceiver = Builtins.entry(builtin).receiver != nil
    return try? PureFunctions.call(
      builtin, on: hasReceiver ? arguments.first : nil,
      with: hasReceiver ? Array(arguments.dropFirst()) : arguments)
  }

  func path(_ segments: [TermID]) -> Value {
    .path(
      PathValue(
        plain: segments.map { segment in
          if case .string(let text) = value(of: segment) { return text }
          return Text()
        }))
  }

  func size(_ value: Value) -> Value? {
    switch value {
    case .string(let text): .int(Int64(text.unitCount))
    case .list(let elements): .int(Int64(elements.count))
    case .bytes(let octets): .int(Int64(octets.count))
    default: nil
    }
  }

  // MARK: Values that stand in a relation to another

  /// Returns a value that is close to another one, or unequal to itself, as asserted; nil if
  /// neither was.
  func related(_ members: [TermID]) -> Value? {
    for fact in facts {
      guard case .apply(let op, let arguments) = terms[fact] else { continue }
      switch op {
      case .odd where members.contains(arguments[0]):
        return odd(for: theory.leader(of: arguments[0]).raw, members: members)
      case .close, .nearly:
        for (one, other) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])]
        where members.contains(where: { isSame($0, one) }) {
          if let value = equalInt(one, to: other, members: members) { return value }
          if op == .close, let value = roundedInt(one, to: known(other), members: members) {
            return value
          }
          // The value with more constraints is determined first.
          if known(other) == nil, !hasParts(one), hasParts(other) { _ = self.value(of: other) }
          let types = theory.classTypes[Int(theory.leader(of: other).raw)]
          let leader = theory.leader(of: one).raw
          if let value = nearValue(for: leader, members: members, to: known(other), of: types) {
            return value
          }
        }
      default: break
      }
    }
    return nil
  }

  /// Returns an element of a known list, or a key of a known map, that the class was asserted to be
  /// in.
  func listed(for members: [TermID], of types: TypeSet) -> Value? {
    let forbidden = forbidden(members)
    for fact in facts {
      guard case .apply(let op, let arguments) = terms[fact], op == .member || op == .has,
        members.contains(where: { isSame($0, arguments[1]) })
      else { continue }
      let demand = demand(on: theory.leader(of: arguments[1]).raw)
      for element in contents(of: known(arguments[0])) {
        if !types.contains(element.type) || forbidden.contains(ConstantKey(of: element)) {
          continue
        }
        if case .string(let text) = element, !fits(text, demand: demand) { continue }
        return element
      }
    }
    return nil
  }

  private func contents(of value: Value?) -> [Value] {
    switch value {
    case .list(let elements): elements
    case .map(let map): map.keys.map { .string($0) }
    default: []
    }
  }

  /// Determines the int of an equal int and float first; nil if the class is not the int.
  private func equalInt(_ one: TermID, to other: TermID, members: [TermID]) -> Value? {
    let leader = theory.leader(of: one).raw
    let types = theory.classTypes[Int(leader)]
    let others = theory.classTypes[Int(theory.leader(of: other).raw)]
    guard known(other) == nil else { return nil }
    if types == .int {
      return .int(Int64(clamping: count(for: leader, in: .int, members: members)))
    }
    if types == .float, others == .int { _ = value(of: other) }
    return nil
  }

  /// Returns an int that is rounded to a known float; nil if the class needs none.
  private func roundedInt(_ one: TermID, to other: Value?, members: [TermID]) -> Value? {
    let leader = theory.leader(of: one).raw
    guard theory.classTypes[Int(leader)] == .int, case .float(let number) = other,
      number.magnitude >= 0x1p53, let whole = Int64(exactly: number)
    else { return nil }
    let (lower, upper) = theory.limits(of: leader, .int)
    let forbidden = forbidden(members)
    let steps: [Int64] = isRounded(one) ? [1, -1, 2, -2, 3, -3] : [0, 1, -1, 2, -2, 3, -3]
    for step in steps {
      let (value, isOver) = whole.addingReportingOverflow(step)
      if isOver || Double(value) != number || forbidden.contains(ConstantKey(of: .int(value))) {
        continue
      }
      if Int128(value) >= lower?.value ?? .min, Int128(value) <= upper?.value ?? .max {
        return .int(value)
      }
    }
    return nil
  }

  /// Returns the value of a term if it is determined.
  func known(_ term: TermID) -> Value? {
    if let constant = theory.constant(of: term) { return terms.value(of: constant) }
    return values[theory.leader(of: term).raw]
  }

  /// Returns a value unequal to itself that satisfies the other assertions.
  func odd(for leader: Int32, members: [TermID]) -> Value {
    let types = theory.classTypes[Int(leader)]
    if types.contains(.float) { return .float(.nan) }
    if types.contains(.list) { return .list(list(for: leader, members: members, wish: .odd)) }
    if !types.contains(.map) { return .null }
    var map = map(leader)
    if map.values.allSatisfy({ Value.areEqual($0, $0) }) {
      setSomewhere(of: leader, in: &map, to: .float(.nan))
    }
    return .map(map)
  }
}
