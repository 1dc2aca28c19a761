import RulesLang

/// An abstract interpreter: evaluates conditions for an abstract request.
///
/// The result of an expression is a `Prospect`: an over-approximation of its possible outcomes. So "only
/// true" means that every such request is granted, and "never true" that none is; anything between means
/// nothing. Function calls are followed, with abstract arguments.
struct Outlook {
  private let checked: Checked
  private let request: AbstractRequest
  private var calls: [Call: Activation] = [:]
  /// The possible outcomes of each expression that is evaluated at all, over all conditions evaluated so far.
  private(set) var reached: [ExprID: Prospect.Outcomes] = [:]
  private var marked: Set<Call> = []

  /// A call of a function with abstract arguments.
  private struct Call: Hashable {
    var function: FunctionID
    var arguments: [Prospect]
  }

  /// The results of the nodes of one body.
  private struct View {
    var body: Body
    var locals: [Prospect]
    var prospects: [Prospect]

    func prospect(_ id: ExprID) -> Prospect { prospects[id.index - body.first.index] }
  }

  /// The results of the bodies of a called function: those of its lets, then its result.
  private struct Activation {
    var views: [View]
    var result: Prospect { views[views.count - 1].prospects.last ?? .any }
  }

  init(on checked: Checked, in request: AbstractRequest) {
    self.checked = checked
    self.request = request
  }

  /// Evaluates the condition of a statement, and records the expressions that are reached.
  mutating func outcomes(of allow: AllowID) -> Prospect.Outcomes {
    guard let condition = checked.ruleset[allow].condition else { return .truth }
    let view = look(at: condition, locals: [])
    mark(view)
    return view.prospect(condition.root).outcomes
  }

  // MARK: From the operands up

  private mutating func look(at body: Body, locals: [Prospect]) -> View {
    var view = View(body: body, locals: locals, prospects: [])
    view.prospects.reserveCapacity(body.root.index - body.first.index + 1)
    for index in body.first.index...body.root.index {
      view.prospects.append(prospect(of: ExprID(index), in: view))
    }
    return view
  }

  /// Evaluates a call. Recurses along calls, whose depth is limited.
  private mutating func activation(_ call: Call) -> Activation {
    if let known = calls[call] { return known }
    var locals = call.arguments
    var views: [View] = []
    let body = checked.enter(call.function, arguments: locals.count, &locals) { value, locals in
      let view = look(at: value, locals: locals)
      locals.append(view.prospect(value.root))
      views.append(view)
    }
    if let body { views.append(look(at: body, locals: locals)) }
    let activation = Activation(views: views)
    calls[call] = activation
    return activation
  }

  private mutating func prospect(of id: ExprID, in view: View) -> Prospect {
    let node = checked.ruleset[id]
    func of(_ operand: ExprID) -> Prospect { view.prospect(operand) }
    switch node.kind {
    case .literal(let literal): return Prospect(of: literal)
    case .variable: return variable(checked.binding(id), among: view.locals)
    case .parenthesized(let inner): return of(inner)
    case .not(let inner): return Prospect(.not(of(inner).outcomes))
    case .binary(let symbol, let left, let right):
      return binary(symbol, left: of(left), right: of(right))
    case .isType(let inner, _):
      return Prospect(.strict([of(inner).outcomes], giving: isOutcome(of(inner))))
    case .conditional(let condition, let whenTrue, let whenFalse):
      return conditional(of(condition).outcomes, then: of(whenTrue), else: of(whenFalse))
    case .member(let base, let name): return member(name.text, of: of(base))
    case .list(let elements):
      let texts = elements.compactMap { element -> Text? in
        if case .string(let text) = of(element).shape { text } else { nil }
      }
      let shape = texts.count == elements.count ? Prospect.Shape.strings(texts) : .unknown
      return Prospect(.strict(elements.map { of($0).outcomes }, giving: .other), shape: shape)
    case .call(_, let arguments): return call(id, with: arguments.map { of($0) })
    case .method(let receiver, let name, let arguments):
      return method(name.text, on: [of(receiver)] + arguments.map { of($0) })
    case .map, .path, .negate, .index, .slice:
      let operands = node.operands.map { of($0).outcomes }
      return Prospect(.strict(operands, giving: strictResult(of: node, operands)))
    case .invalid: return .any
    }
  }

  private func isOutcome(_ operand: Prospect) -> Prospect.Outcomes {
    operand.outcomes == .null ? .falsity : .bool
  }

  private func strictResult(
    of node: Expression, _ operands: [Prospect.Outcomes]
  ) -> Prospect.Outcomes {
    switch node.kind {
    case .map, .path: [.other, .error]
    case .index, .slice: operands.first == .null ? .error : .any
    default: [.other, .error]
    }
  }

  private func variable(_ binding: Binding, among locals: [Prospect]) -> Prospect {
    switch binding {
    case .local(let slot): Int(slot) < locals.count ? locals[Int(slot)] : .any
    // A query leaves the last capture of a path unbound, which is an error to read.
    case .capture: Prospect(request.method == .list ? [.other, .error] : .other)
    case .request: Prospect(.other, shape: .request)
    case .resource: request.resource
    case .unknownVariable: .error
    case .none, .function, .builtin, .unknownFunction: .any
    }
  }

  private func conditional(
    _ condition: Prospect.Outcomes, then whenTrue: Prospect, else whenFalse: Prospect
  ) -> Prospect {
    if condition == .truth { return whenTrue }
    if condition == .falsity { return whenFalse }
    var result: Prospect.Outcomes = []
    if condition.contains(.truth) { result.formUnion(whenTrue.outcomes) }
    if condition.contains(.falsity) { result.formUnion(whenFalse.outcomes) }
    if condition.isNotBool { result.formUnion(.error) }
    return Prospect(result)
  }

  private func member(_ name: Text, of base: Prospect) -> Prospect {
    if base.outcomes.isDisjoint(with: .other) { return .error }
    var result = request.member(name, of: base.shape)
    // A base that is not a map, or an error itself, gives an error.
    if base.outcomes != .other { result.outcomes.formUnion(.error) }
    return result
  }

  private func binary(
    _ symbol: BinaryOperator, left: Prospect, right: Prospect
  ) -> Prospect {
    let operands = [left.outcomes, right.outcomes]
    switch symbol {
    case .and: return Prospect(.and(left.outcomes, right.outcomes))
    case .or: return Prospect(.or(left.outcomes, right.outcomes))
    case .equal: return Prospect(.strict(operands, giving: equality(of: left, and: right)))
    case .notEqual: return Prospect(.strict(operands, giving: .not(equality(of: left, and: right))))
    case .in:
      if right.outcomes == .null { return .error }
      return Prospect(.strict(operands, giving: membership(of: left, in: right)))
    case .less, .lessEqual, .greater, .greaterEqual:
      return Prospect(.strict(operands, giving: orders(operands) ? [.bool, .error] : .error))
    case .add, .subtract, .multiply, .divide, .remainder:
      return Prospect(.strict(operands, giving: orders(operands) ? [.other, .error] : .error))
    }
  }

  /// True if both operands may have a type with an order and arithmetic.
  private func orders(_ operands: [Prospect.Outcomes]) -> Bool {
    operands.allSatisfy { $0.contains(.other) }
  }

  private func equality(of left: Prospect, and right: Prospect) -> Prospect.Outcomes {
    if let known = knownEquality(of: left.shape, and: right.shape) { return known }
    // A filter that is not an equality leaves a field half known; comparing it may be an error.
    let values = (
      left.outcomes.subtracting(.error), right.outcomes.subtracting(.error)
    )
    if values.0.isDisjoint(with: values.1) { return .falsity }
    let isSingle = values.0 == values.1 && [.null, .truth, .falsity].contains(values.0)
    if isSingle { return .truth }
    let isPlain = values.0.isSubset(of: [.null, .bool]) && values.1.isSubset(of: [.null, .bool])
    return isPlain ? .bool : [.bool, .error]
  }

  private func knownEquality(
    of left: Prospect.Shape, and right: Prospect.Shape
  ) -> Prospect.Outcomes? {
    switch (left, right) {
    case (.method, .string(let text)), (.string(let text), .method):
      Text(request.method.word) == text ? .truth : .falsity
    case (.string(let one), .string(let other)): one == other ? .truth : .falsity
    default: nil
    }
  }

  private func membership(of left: Prospect, in right: Prospect) -> Prospect.Outcomes {
    guard case .strings(let texts) = right.shape else { return [.bool, .error] }
    switch left.shape {
    case .method: return texts.contains(Text(request.method.word)) ? .truth : .falsity
    case .string(let text): return texts.contains(text) ? .truth : .falsity
    default: return left.outcomes.contains(.other) ? .bool : .falsity
    }
  }

  private mutating func call(_ id: ExprID, with arguments: [Prospect]) -> Prospect {
    switch checked.binding(id) {
    case .function(let function):
      guard arguments.count == checked.ruleset[function].parameters.count else { return .error }
      return activation(Call(function: function, arguments: arguments)).result
    case .builtin(let builtin):
      if builtin == .debug { return arguments.first ?? .error }
      let result = Prospect.Outcomes(Builtins.entry(builtin).result)
      return Prospect(.strict(arguments.map { $0.outcomes }, giving: result.union(.error)))
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      return .any
    }
  }

  private func method(_ name: Text, on operands: [Prospect]) -> Prospect {
    if operands[0].outcomes.isDisjoint(with: .other) { return .error }
    let rows = Builtins.methods(named: name)
    // An unknown method may give anything.
    if rows.isEmpty { return .any }
    let result = rows.reduce(Prospect.Outcomes.error) { $0.union(.init($1.result)) }
    return Prospect(.strict(operands.map { $0.outcomes }, giving: result))
  }

  // MARK: From the root down

  /// Records the results of the nodes of a body that are evaluated.
  private mutating func mark(_ view: View) {
    var isReached = Array(repeating: false, count: view.prospects.count)
    isReached[isReached.count - 1] = true
    for index in view.prospects.indices.reversed() where isReached[index] {
      let id = ExprID(index + view.body.first.index)
      reached[id, default: []].formUnion(view.prospects[index].outcomes)
      for operand in reachedOperands(of: id, in: view) {
        isReached[operand.index - view.body.first.index] = true
      }
      guard case .call(_, let arguments) = checked.ruleset[id].kind,
        case .function(let function) = checked.binding(id)
      else { continue }
      mark(Call(function: function, arguments: arguments.map { view.prospect($0) }))
    }
  }

  private mutating func mark(_ call: Call) {
    guard let activation = calls[call], marked.insert(call).inserted else { return }
    for view in activation.views { mark(view) }
  }

  private func reachedOperands(of id: ExprID, in view: View) -> [ExprID] {
    let node = checked.ruleset[id]
    switch node.kind {
    case .binary(.and, let left, let right):
      return view.prospect(left).outcomes == .falsity ? [left] : [left, right]
    case .binary(.or, let left, let right):
      return view.prospect(left).outcomes == .truth ? [left] : [left, right]
    case .conditional(let condition, let whenTrue, let whenFalse):
      let outcomes = view.prospect(condition).outcomes
      return [condition] + (outcomes.contains(.truth) ? [whenTrue] : [])
        + (outcomes.contains(.falsity) ? [whenFalse] : [])
    default:
      return node.operands
    }
  }
}

extension Prospect {
  /// Creates the prospect of a literal.
  init(of literal: Literal) {
    switch literal {
    case .null: self.init(.null)
    case .bool(let flag): self.init(flag ? .truth : .falsity)
    case .string(let text): self.init(.other, shape: .string(text))
    case .int, .float, .bytes: self.init(.other)
    }
  }
}

extension Prospect.Outcomes {
  /// Creates the outcomes of values of some types.
  init(_ types: TypeSet) {
    self = []
    if types.contains(.bool) { formUnion(.bool) }
    if types.contains(.null) { formUnion(.null) }
    if !types.subtracting([.bool, .null]).isEmpty { formUnion(.other) }
  }
}
