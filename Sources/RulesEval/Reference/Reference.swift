import RulesLang

// The definition of what an expression means: recursive, obvious, and the judge of every faster
// evaluator. Three rules explain most of it (Docs/Language.md §7):
//
//   - Everything is evaluated and paid for, left to right, even after an operand has failed; the
//     first error in source order is the result. The exceptions are `&&`, `||` and `?:`.
//   - `&&` and `||` absorb an error on either side if the other side decides alone.
//   - An argument or a `let` that fails does not fail the call; the error surfaces where the
//     parameter is read. So frames hold outcomes, not values.
//
// Paying happens on entry, so at most 1000 expressions are ever open: no rules file, however
// nested, can exhaust the stack.

/// The reference interpreter: evaluates expressions of the syntax tree for one access.
struct Reference<Watch: Observer>: ~Copyable {
  /// The variables of an activation.
  struct Frame {
    /// The values of the match blocks' captures, outermost first.
    var captures: [Outcome]
    /// The parameters, then the lets evaluated so far.
    var locals: [Outcome] = []
    /// The number of the activation.
    var activation = 0
  }

  let rules: Checked
  let source: SourceText
  let access: Access
  let services: Services
  /// The expressions charged so far, over all conditions of the access.
  var spent = 0
  var lookups: Lookups
  var watch: Watch
  /// The number of calls of functions of the rules file in the condition.
  var activations = 0

  init(
    _ rules: Checked, for access: Access, with lookups: Lookups, services: Services = .documents,
    watch: Watch
  ) {
    self.rules = rules
    self.access = access
    self.lookups = lookups
    self.services = services
    self.watch = watch
    source = rules.ruleset.source
  }

  /// Evaluates a condition with the captures of its match block.
  mutating func evaluate(condition: Body, captures: [Outcome]) -> Outcome {
    activations = 0
    return evaluate(condition.root, in: Frame(captures: captures))
  }

  // MARK: Errors

  /// Returns an error of an expression, at the token that the engine points at.
  func failure(_ reason: EvaluationError.Reason, of id: ExprID, at site: SourceRange? = nil)
    -> Outcome
  {
    .error(EvaluationError(reason, at: id, site: site ?? rules.ruleset[id].mark))
  }

  /// Returns an error of an expression, at its first token.
  func failure(_ reason: EvaluationError.Reason, atBeginningOf id: ExprID) -> Outcome {
    var error = EvaluationError(reason, at: id, site: firstToken(id))
    error.isAtBeginning = true
    return .error(error)
  }

  /// The first token of an expression.
  func firstToken(_ id: ExprID) -> SourceRange {
    source.token(at: rules.ruleset[id].range.start)
  }

  /// Charges expressions to the budget; false once it is exceeded.
  mutating func pay(_ count: Int = 1) -> Bool {
    spent += count
    return spent <= Limits.expressions
  }

  // MARK: Dispatch

  /// Evaluates an expression.
  mutating func evaluate(_ outer: ExprID, in frame: Frame) -> Outcome {
    let id = rules.ruleset.unparenthesized(outer)
    guard pay() else { return failure(.budget, of: id) }
    var outcome = dispatch(id, in: frame)
    if outer != id, case .error(var error) = outcome, error.isAtBeginning, error.expression == id {
      error.site = firstToken(outer)
      outcome = .error(error)
    }
    watch.evaluated(id, as: outcome, in: frame.activation)
    return outcome
  }

  /// Evaluates the operand of a postfix form or a minus: parentheses around it belong to the larger
  /// expression, so its position begins inside them.
  mutating func evaluate(operand id: ExprID, _ frame: Frame) -> Outcome {
    evaluate(inside(id), in: frame)
  }

  /// The expression inside one pair of parentheses.
  func inside(_ id: ExprID) -> ExprID {
    if case .parenthesized(let inner) = rules.ruleset[id].kind { return inner }
    return id
  }

  mutating func dispatch(_ id: ExprID, in frame: Frame) -> Outcome {
    switch rules.ruleset[id].kind {
    case .literal(let literal): return .value(Value(literal))
    case .variable: return variable(id, in: frame)
    case .list(let elements): return list(elements, at: id, in: frame)
    case .map(let entries): return map(entries, at: id, in: frame)
    case .path(let parts): return path(parts, at: id, in: frame)
    case .parenthesized(let inner): return evaluate(inner, in: frame)
    case .not(let operand): return not(operand, at: id, in: frame)
    case .negate(let operand): return negate(operand, at: id, in: frame)
    case .binary(.and, let left, let right):
      return junction(of: left, and: right, decidedBy: false, at: id, in: frame)
    case .binary(.or, let left, let right):
      return junction(of: left, and: right, decidedBy: true, at: id, in: frame)
    case .binary(.in, let left, let right):
      return membership(of: left, within: right, at: id, in: frame)
    case .binary(let op, let left, let right):
      return binary(op, left: left, right: right, at: id, in: frame)
    case .isType(let operand, let word): return isType(of: operand, named: word, at: id, in: frame)
    case .conditional(let condition, let whenTrue, let whenFalse):
      return conditional(condition, then: whenTrue, else: whenFalse, at: id, in: frame)
    case .member(let base, let name): return member(of: base, named: name, at: id, in: frame)
    case .index(let base, let key): return index(base, by: key, at: id, in: frame)
    case .slice(let base, let from, let to):
      return slice(base, from: from, to: to, at: id, in: frame)
    case .call(_, let arguments): return call(with: arguments, at: id, in: frame)
    case .method(let receiver, let name, let arguments):
      return method(of: receiver, named: name, with: arguments, at: id, in: frame)
    case .invalid: return failure(.nullValue, of: id)
    }
  }

  /// Evaluates all expressions and returns their values or the first error.
  mutating func all(_ ids: [ExprID], in frame: Frame) -> Result<[Value], EvaluationError> {
    var values: [Value] = []
    var first: EvaluationError?
    for id in ids {
      switch evaluate(id, in: frame) {
      case .value(let value): values.append(value)
      case .error(let error): first = first ?? error
      }
    }
    if let first { return .failure(first) }
    return .success(values)
  }

  // MARK: Leaves and literals

  func variable(_ id: ExprID, in frame: Frame) -> Outcome {
    switch rules.binding(id) {
    case .local(let slot): return frame.locals[Int(slot)]
    case .capture(let slot):
      if case .error(let error) = frame.captures[Int(slot)] { return failure(error.reason, of: id) }
      return frame.captures[Int(slot)]
    case .request: return .value(access.request)
    case .resource:
      switch access.resource {
      case .success(let value): return .value(value)
      case .failure(let reason): return failure(reason, of: id)
      }
    case .none, .unknownVariable, .function, .builtin, .unknownFunction:
      return failure(.nullValue, of: id)
    }
  }

  mutating func list(_ elements: [ExprID], at id: ExprID, in frame: Frame) -> Outcome {
    switch all(elements, in: frame) {
    case .success(let values):
      Value.areTooHeavy(values) ? failure(.valueTooLarge, of: id) : .value(.list(values))
    case .failure(let error): .error(error)
    }
  }

  /// Evaluates a map literal. The first error among the keys comes before the first one among the values.
  mutating func map(
    _ entries: [Expression.MapEntry], at id: ExprID, in frame: Frame
  ) -> Outcome {
    var result = MapValue()
    var keyError: EvaluationError?
    var valueError: EvaluationError?
    for entry in entries {
      let key = key(entry.key, in: frame)
      let value = evaluate(entry.value, in: frame)
      switch (key, value) {
      case (.success(let key), .value(let value)): result[key] = value
      case (.failure(let error), _): keyError = keyError ?? error
      case (.success, .error(let error)): valueError = valueError ?? error
      }
    }
    if let error = keyError ?? valueError { return .error(error) }
    return Value.areTooHeavy([.map(result)])
      ? failure(.valueTooLarge, of: id) : .value(.map(result))
  }

  private mutating func key(_ id: ExprID, in frame: Frame) -> Result<Text, EvaluationError> {
    switch evaluate(id, in: frame) {
    case .value(.string(let text)): .success(text)
    case .value(let other):
      .failure(
        EvaluationError(.wrongType(other.type, expected: [.string]), at: id, site: firstToken(id)))
    case .error(let error): .failure(error)
    }
  }

  mutating func path(_ parts: [PathPart], at id: ExprID, in frame: Frame) -> Outcome {
    var segments: [PathValue.Segment] = []
    var first: EvaluationError?
    for part in parts {
      switch part.kind {
      case .literal(let text):
        guard pay() else { return failure(.budget, of: id) }
        segments.append(.plain(text))
      case .capture(let name): segments.append(.capture(name.text, nil))
      case .glob(let name): segments.append(.glob(name.text, nil))
      case .interpolation(let inner):
        switch evaluate(inner, in: frame) {
        case .value(.path(let path)): segments += path.segments
        case .value(let value):
          do throws(EvaluationError.Reason) {
            segments.append(.plain(try Functions.string(value)))
          } catch {
            first = first ?? EvaluationError(error, at: inner, site: firstToken(inner))
          }
        case .error(let error): first = first ?? error
        }
      }
    }
    if let first { return .error(first) }
    let path = PathValue(segments)
    if let name = path.repeatedName { return failure(.repeatedPathVariable(name), of: id) }
    return .value(.path(path))
  }
}
