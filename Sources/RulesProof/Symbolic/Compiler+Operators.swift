import RulesEval
import RulesLang

// Operators other than `&&`, `||` and `!`.

extension Compiler {
  /// Combines each case of one value with each of another.
  func combine(
    _ left: Cases, _ right: Cases, _ body: (Shape, Shape) -> Cases
  ) -> Cases {
    var result: [Cases.Case] = []
    for one in left.cases {
      for other in right.cases {
        let guardRef = problem.graph.and(one.guardRef, other.guardRef)
        if guardRef == .no { continue }
        result += under(guardRef, body(one.shape, other.shape)).cases
      }
    }
    return Cases(cases: result)
  }

  /// Applies something to each case of a value.
  func each(_ value: Cases, _ body: (Shape) -> Cases) -> Cases {
    Cases(cases: value.cases.flatMap { under($0.guardRef, body($0.shape)).cases })
  }

  func binary(_ op: BinaryOperator, _ left: Cases, _ right: Cases, _ id: ExprID) -> Cases {
    if let constants = constantValues([left, right]), !isConstrained(left, right) {
      guard let value = try? PureFunctions.apply(op, constants[0], constants[1]) else {
        return .error
      }
      return Cases(problem.constant(value))
    }
    switch op {
    case .equal: return cases(of: equality(left, right, id))
    case .notEqual:
      let rails = equality(left, right, id)
      return cases(of: Rails(yes: rails.no, no: rails.yes))
    case .less, .lessEqual, .greater, .greaterEqual:
      return cases(of: order(op, left, right, id))
    case .add, .subtract, .multiply, .divide, .remainder:
      return combine(left, right) { arithmetic(op, $0, $1, id) }
    case .and, .or, .in: return .error
    }
  }

  private func isConstrained(_ left: Cases, _ right: Cases) -> Bool {
    [left, right].contains { $0.onlyTerm.map { problem.terms.types(of: $0) } == .constraint }
  }

  // MARK: Equality

  private func equality(_ left: Cases, _ right: Cases, _ id: ExprID) -> Rails {
    var yes: [Ref] = []
    var no: [Ref] = []
    for one in left.cases {
      for other in right.cases {
        let both = problem.graph.and(one.guardRef, other.guardRef)
        if both == .no { continue }
        let rails = equality(one.shape, other.shape, id)
        yes.append(problem.graph.and(both, rails.yes))
        no.append(problem.graph.and(both, rails.no))
      }
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  /// A proposition and its opposite: there is no error.
  func total(_ proposition: Ref) -> Rails { Rails(yes: proposition, no: !proposition) }

  private func equality(_ left: Shape, _ right: Shape, _ id: ExprID) -> Rails {
    switch (left, right) {
    case (.term(let one), .term(let other)): return equality(one, other, id)
    case (.truth(let one), .truth(let other)): return total(problem.graph.iff(one, other))
    case (.truth(let one), .term(let other)), (.term(let other), .truth(let one)):
      return total(
        problem.graph.or(
          problem.graph.and(one, problem.same(other, problem.terms.yes)),
          problem.graph.and(!one, problem.same(other, problem.terms.no))))
    case (.path(let one), .path(let other)): return total(areSegmentsSame(one, other))
    case (.path(let segments), .term(let term)), (.term(let term), .path(let segments)):
      let path = problem.terms.apply(.path, segments, .path)
      return total(problem.same(term, path))
    case (.keySet(let one), .keySet(let other)): return equality(one, other, id)
    case (.keySet(let keys), .set(let elements)), (.set(let elements), .keySet(let keys)):
      guard let literal = keySet(of: elements) else { return opaqueRails(id, "a computed set") }
      return equality(keys, literal, id)
    case (.keySet(let keys), .term(let term)), (.term(let term), .keySet(let keys)):
      guard case .set(let set) = problem.terms.value(of: term) else {
        return isNever(term, .set) ? total(.no) : opaqueRails(id, "a computed set")
      }
      guard let literal = keySet(of: set.elements) else { return total(.no) }
      return equality(keys, literal, id)
    case (.list, .list), (.list, .term), (.term, .list), (.record, .record), (.record, .term),
      (.term, .record):
      return identical(left, right).map { total($0) }
        ?? opaqueRails(id, "comparing lists or maps of computed values")
    case (.keyList(let keys), .term(let term)), (.term(let term), .keyList(let keys)):
      return equality(keyList: keys, term, id)
    case (.count(let keys), _), (_, .count(let keys)):
      return count(keys, .equal, left == .count(keys) ? right : left, id)
    case (.diff, .diff): return total(.no)
    default:
      return possibleTypes(of: left).isDisjoint(with: possibleTypes(of: right))
        ? total(.no) : opaqueRails(id, "comparing values that are computed")
    }
  }

  private func possibleTypes(of shape: Shape) -> TypeSet {
    if case .term(let term) = shape { return problem.terms.types(of: term) }
    return type(of: shape).map { TypeSet($0) } ?? .any
  }

  /// The type that a shape has, where the shape alone tells.
  func type(of shape: Shape) -> ValueType? {
    switch shape {
    case .term(let term):
      let types = problem.terms.types(of: term).types
      return types.count == 1 ? types[0] : nil
    case .truth: return .bool
    case .list, .keyList: return .list
    case .set, .keySet: return .set
    case .record, .view: return .map
    case .path: return .path
    case .count: return .int
    case .diff: return .mapDiff
    }
  }

  func isNever(_ term: TermID, _ type: ValueType) -> Bool {
    !problem.terms.types(of: term).contains(type)
  }

  /// A comparison about which nothing is known.
  func opaqueRails(_ id: ExprID, _ reason: String) -> Rails { rails(of: opaque(id, reason)) }

  private func equality(_ left: TermID, _ right: TermID, _ id: ExprID) -> Rails {
    let plain = problem.equal(left, right)
    let bound = problem.graph.or(
      problem.isType(left, .constraint), problem.isType(right, .constraint))
    if bound == .no { return total(plain) }
    // A promise is equal to something or nobody knows.
    let promised = promise(.equal, left, right)
    return Rails(
      yes: problem.graph.or(
        problem.graph.and(!bound, plain), problem.graph.and(bound, promised)),
      no: problem.graph.and(!bound, !plain))
  }

  private func areSegmentsSame(_ one: [TermID], _ other: [TermID]) -> Ref {
    guard one.count == other.count else { return .no }
    return problem.graph.and(zip(one, other).map { problem.same($0.0, $0.1) })
  }

  // MARK: Order

  private func order(
    _ op: BinaryOperator, _ left: Cases, _ right: Cases, _ id: ExprID
  ) -> Rails {
    var yes: [Ref] = []
    var no: [Ref] = []
    for one in left.cases {
      for other in right.cases {
        let both = problem.graph.and(one.guardRef, other.guardRef)
        if both == .no { continue }
        let rails = order(op, one.shape, other.shape, id)
        yes.append(problem.graph.and(both, rails.yes))
        no.append(problem.graph.and(both, rails.no))
      }
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  private func order(
    _ op: BinaryOperator, _ left: Shape, _ right: Shape, _ id: ExprID
  ) -> Rails {
    switch (left, right) {
    case (.count(let keys), _): return count(keys, op, right, id)
    case (_, .count(let keys)): return count(keys, Compiler.mirrored(op), left, id)
    case (.term(let one), .term(let other)): return order(op, one, other)
    default: return .error
    }
  }

  /// The comparison seen from the other side.
  static func mirrored(_ op: BinaryOperator) -> BinaryOperator {
    switch op {
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    case .or, .and, .in, .equal, .notEqual, .add, .subtract, .multiply, .divide, .remainder: op
    }
  }

  private func order(_ op: BinaryOperator, _ left: TermID, _ right: TermID) -> Rails {
    switch op {
    case .greater, .greaterEqual: return order(Self.mirrored(op), right, left)
    default: break
    }
    let isStrict = op == .less
    var yes: [Ref] = []
    var no: [Ref] = []
    for domain in [Domain.int, .timestamp, .duration] {
      let both = problem.graph.and(
        problem.isType(left, TypeSet(domain.type)), problem.isType(right, TypeSet(domain.type)))
      if both == .no { continue }
      let holds = problem.isLess(left, right, domain, isStrict: isStrict)
      yes.append(problem.graph.and(both, holds))
      no.append(problem.graph.and(both, !holds))
    }
    orderNumbers(left, right, isStrict, &yes, &no)
    for type in [TypeSet.string, .bytes] {
      let both = problem.graph.and(problem.isType(left, type), problem.isType(right, type))
      if both == .no { continue }
      let holds = problem.precedes(left, right, isStrict: isStrict)
      yes.append(problem.graph.and(both, holds))
      no.append(problem.graph.and(both, !holds))
    }
    let bound = problem.graph.or(
      problem.isType(left, .constraint), problem.isType(right, .constraint))
    if bound != .no { yes.append(problem.graph.and(bound, promise(op, left, right))) }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  /// Numbers of which at least one is a float.
  private func orderNumbers(
    _ left: TermID, _ right: TermID, _ isStrict: Bool, _ yes: inout [Ref], _ no: inout [Ref]
  ) {
    let numbers: TypeSet = [.int, .float]
    let both = problem.graph.and(
      problem.isType(left, numbers), problem.isType(right, numbers),
      problem.graph.or(problem.isType(left, .float), problem.isType(right, .float)))
    if both == .no { return }
    let holds = problem.isLessNumber(left, right, isStrict: isStrict)
    yes.append(problem.graph.and(both, holds))
    no.append(problem.graph.and(both, !holds))
  }

  // MARK: Arithmetic

  func negate(_ operand: ExprID, _ id: ExprID, _ frame: SymbolicFrame) -> Cases {
    // The one literal that only exists negated is already negative.
    if case .literal(.int(.min)) = rules.ruleset[operand].kind { return cases(operand, frame) }
    return each(cases(operand, frame)) { shape in
      guard case .term(let term) = shape else { return .error }
      if let value = problem.terms.value(of: term) {
        guard let result = try? PureFunctions.negate(value) else { return .error }
        return Cases(problem.constant(result))
      }
      return opaque(id, "unary minus")
    }
  }

  private func arithmetic(
    _ op: BinaryOperator, _ left: Shape, _ right: Shape, _ id: ExprID
  ) -> Cases {
    guard case .term(let one) = left, case .term(let other) = right else {
      if case .count = left { return opaque(id, "arithmetic on a number of keys") }
      if case .count = right { return opaque(id, "arithmetic on a number of keys") }
      return .error
    }
    if let first = problem.terms.value(of: one), let second = problem.terms.value(of: other) {
      guard let value = try? PureFunctions.apply(op, first, second) else { return .error }
      return Cases(problem.constant(value))
    }
    guard let (sum, rest) = shifted(op, one, other) else {
      return function(op, one, other, id)
    }
    return sum.union(under(rest, function(op, one, other, id)))
  }

  /// A term plus or minus a constant, in the steps of its domain; and when it is of no such domain.
  private func shifted(
    _ op: BinaryOperator, _ one: TermID, _ other: TermID
  ) -> (sum: Cases, rest: Ref)? {
    let (base, amount): (TermID, Value)
    switch op {
    case .add:
      if let value = problem.terms.value(of: other) {
        (base, amount) = (one, value)
      } else if let value = problem.terms.value(of: one) {
        (base, amount) = (other, value)
      } else {
        return nil
      }
    case .subtract:
      guard let value = problem.terms.value(of: other), let opposite = value.opposite else {
        return nil
      }
      (base, amount) = (one, opposite)
    default: return nil
    }
    let domains: [Domain]
    let steps: Int64?
    switch amount {
    case .int(let number): (domains, steps) = ([.int], number)
    case .duration(let length):
      let nanos = Value.duration(length).count(in: .duration)
      (domains, steps) = ([.timestamp, .duration], nanos.flatMap { Int64(exactly: $0) })
    default: return nil
    }
    guard let steps else { return nil }
    let sum = Cases(
      cases: domains.compactMap { domain in
        let isOf = problem.isType(base, TypeSet(domain.type))
        if isOf == .no { return nil }
        let sum =
          steps == 0
          ? base : problem.terms.apply(.plus(domain, steps), [base], TypeSet(domain.type))
        let fits = problem.graph.and(isOf, problem.isInRange(base, shiftedBy: steps, domain))
        return Cases.Case(guardRef: fits, shape: .term(sum))
      })
    return (sum, !problem.isType(base, domains.typeSet))
  }

  /// An operator as a function of its operands: beside the types nothing more is known of it.
  private func function(
    _ op: BinaryOperator, _ one: TermID, _ other: TermID, _ id: ExprID
  ) -> Cases {
    let (left, right) = (problem.terms.types(of: one), problem.terms.types(of: other))
    let signatures = Signature.of(op).filter {
      !left.isDisjoint(with: $0.left) && !right.isDisjoint(with: $0.right)
    }
    if signatures.isEmpty { return .error }
    let results = signatures.reduce([] as TypeSet) { $0.union(TypeSet($1.result)) }
    let isDefined = problem.holds(.definedOperation(op), [one, other])
    let value = problem.terms.apply(.operation(op), [one, other], results)
    let whether = problem.terms.apply(.definedOperation(op), [one, other], .bool)
    note([value, whether], id, "`\(op.symbol)` of two unknown values")
    var fits: [Ref] = []
    for signature in signatures {
      let isOf = problem.graph.and(
        problem.isType(one, signature.left), problem.isType(other, signature.right))
      fits.append(isOf)
      // Two texts can always be joined.
      if signature.result == .string { problem.require(isOf, implies: isDefined) }
      problem.require(
        problem.graph.and(isDefined, isOf),
        implies: problem.isType(value, TypeSet(signature.result)))
    }
    problem.require(isDefined, implies: problem.graph.or(fits))
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .term(value))])
  }
}

/// The types that an arithmetic operator takes and gives.
private struct Signature {
  var left: TypeSet
  var right: TypeSet
  var result: ValueType

  /// The signatures of an operator (Docs/Language.md §7).
  static func of(_ op: BinaryOperator) -> [Signature] {
    let numbers = [
      Signature(left: .int, right: .int, result: .int),
      Signature(left: .float, right: [.int, .float], result: .float),
      Signature(left: .int, right: .float, result: .float),
    ]
    let times = [
      Signature(left: .duration, right: .duration, result: .duration),
      Signature(left: .timestamp, right: .duration, result: .timestamp),
    ]
    switch op {
    case .add:
      return numbers + times + [
        Signature(left: .string, right: .string, result: .string),
        Signature(left: .duration, right: .timestamp, result: .timestamp),
      ]
    case .subtract:
      return numbers + times + [
        Signature(left: .timestamp, right: .timestamp, result: .duration)
      ]
    case .multiply, .divide, .remainder: return numbers
    case .or, .and, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in: return []
    }
  }
}

extension [Domain] {
  fileprivate var typeSet: TypeSet { reduce([]) { $0.union(TypeSet($1.type)) } }
}

extension Value {
  /// The value that subtracting this one adds; nil if there is none.
  fileprivate var opposite: Value? {
    switch self {
    case .int(let number) where number != .min: .int(-number)
    case .duration(let length): .duration(-length)
    default: nil
    }
  }
}
