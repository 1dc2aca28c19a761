/// Warns of types that can never fit, exactly where and as Google's checker does.
///
/// That checker works from the outside in: a condition is expected to be a bool, and each form passes to its
/// operands the types that it expects of them, given those expected of itself. Of the rows of an operator,
/// function or method, it keeps those whose result fits; if none fits, the form itself is reported and its
/// operands may have any type. Then, from the inside out, the uses of each variable that has no type of its
/// own are intersected; if nothing is left, the form that joins the contradictory uses is reported. Captures
/// have a type of their own. Fields, `request` and `resource` are unknown; so is the result of a ternary.
///
/// A function is checked once on its own, with any expected type, and once more for each type that a call
/// expects: this determines the types that it expects of its arguments. Nothing inside is reported then, not
/// even a result that does not fit the call. (Docs/Language.md §10)
struct TypeChecker {
  private let ruleset: Ruleset
  private let bindings: [Binding]
  private let isUndeclared: [Bool]
  /// The types of the captures that are visible in each match block, by slot.
  private var captures: [[TypeList]] = []
  private(set) var diagnostics: [Diagnostic] = []
  private var known: [Expectation: FunctionTyping] = [:]

  /// A function with the types that are expected of its result.
  private struct Expectation: Hashable {
    var function: FunctionID
    var result: TypeList
  }

  /// The typing of a call: the types expected of the arguments, and the result types.
  struct FunctionTyping {
    var parameters: [TypeList]
    var result: TypeList
  }

  init(_ ruleset: Ruleset, resolvedBy resolver: Resolver) {
    self.ruleset = ruleset
    bindings = resolver.bindings
    isUndeclared = resolver.isUndeclared
    for match in ruleset.matches {
      let around = match.parent.map { captures[$0.index] } ?? []
      captures.append(around + Self.captureTypes(of: match.pattern))
    }
  }

  /// Returns the types of the captures of one path: Google's checker gives all of them the same, so that next
  /// to a glob each of them may be a string or a path.
  private static func captureTypes(of pattern: [PathPart]) -> [TypeList] {
    let bound = pattern.filter { $0.binding != nil }
    let shared = bound.reduce(TypeList.none) { $0.union($1.isGlob ? [.path] : [.string]) }
    return bound.map { _ in shared }
  }

  /// Checks every function and every condition.
  ///
  /// - Requires: The call graph has no cycles.
  mutating func run() {
    run(from: 0)
    for allow in ruleset.allows {
      guard let condition = allow.condition else { continue }
      _ = check(condition, in: .match(allow.match), expecting: [.bool], role: .condition)
    }
  }

  /// Checks the functions from an index on.
  mutating func run(from first: Int) {
    for index in first..<ruleset.functions.count {
      _ = check(FunctionID(index), expecting: .any, isQuiet: false)
    }
  }

  /// Returns the meaning of an expression's name, as far as Google's checker knows it.
  func binding(_ id: ExprID) -> Binding { isUndeclared[id.index] ? .none : bindings[id.index] }

  /// Returns the typing of a call of which `expected` is expected.
  mutating func typing(of function: FunctionID, expecting expected: TypeList) -> FunctionTyping {
    let key = Expectation(function: function, result: expected)
    if let typing = known[key] { return typing }
    let typing = check(function, expecting: expected, isQuiet: true)
    known[key] = typing
    return typing
  }

  private mutating func check(
    _ id: FunctionID, expecting expected: TypeList, isQuiet: Bool
  ) -> FunctionTyping {
    let function = ruleset[id]
    let role: BodyTyping.Role = isQuiet ? .quiet : .function
    var (result, environment) = check(
      function.result, in: function.owner, expecting: expected, role: role)
    for (index, binding) in function.lets.enumerated().reversed() {
      let slot = Binding.local(UInt8(truncatingIfNeeded: function.parameters.count + index))
      let wanted = environment[slot]
      environment.remove(slot)
      var (_, joined) = check(binding.value, in: function.owner, expecting: wanted, role: role)
      joined.formIntersection(environment)
      for name in joined.removeContradictions() where !isQuiet {
        diagnostics.append(.contradictoryUse(name, at: binding.keyword))
      }
      environment = joined
    }
    let parameters = function.parameters.indices.map {
      environment[.local(UInt8(truncatingIfNeeded: $0))]
    }
    return FunctionTyping(parameters: parameters, result: result)
  }

  private mutating func check(
    _ body: Body, in owner: ScopeOwner, expecting expected: TypeList, role: BodyTyping.Role
  ) -> (TypeList, TypeEnvironment) {
    var typing = BodyTyping(
      body, as: role, over: ruleset.expressions, captures: types(ofCapturesIn: owner))
    typing.run(expecting: expected, &self)
    diagnostics += typing.diagnostics
    return (typing.result, typing.environment)
  }

  private func types(ofCapturesIn owner: ScopeOwner) -> [TypeList] {
    guard case .match(let match) = owner else { return [] }
    return captures[match.index]
  }
}
