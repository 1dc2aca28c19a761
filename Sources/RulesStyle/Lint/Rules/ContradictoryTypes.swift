import RulesLang

/// The lint for a value that has to be of two types at once.
enum ContradictoryTypes {
  /// The lint.
  static let lint = Lint(
    "contradictory-types", level: .on(.warning),
    summary: "a condition that needs a value to have two types at once",
    reason: """
      `a && b` is true only if both sides are. If one side needs a field to be a string and the other
      needs a number, no value satisfies both: the whole condition is false or an error for every
      request. Google's compiler does not check fields.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.auth != null
                      && request.resource.data.tags.size() > 0 && request.resource.data.tags < 10;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null
                      && request.resource.data.tags.size() > 0 && request.resource.data.tags.size() < 10;
      }
      """,
    find: { subject in
      var isInner: Set<ExprID> = []
      // Operands come before the forms that use them.
      return subject.allNodes.reversed().flatMap { id -> [Diagnostic] in
        guard case .binary(.and, let left, let right) = subject.rules[id].kind else { return [] }
        isInner.formUnion([left, right].map { subject.rules.unparenthesized($0) })
        if isInner.contains(id) { return [] }
        var demands = TypeDemands(of: subject)
        demands.note(id)
        return demands.contradictions
      }
    })
}

/// The types that expressions must have for a condition to be true.
private struct TypeDemands {
  /// One expression at one place.
  private struct Demand {
    var range: SourceRange
    var types: TypeSet
  }

  /// The required result of an expression.
  private enum Wish { case truth, falsity, value }

  private let subject: LintSubject
  private var demands: [Demand] = []

  init(of subject: LintSubject) { self.subject = subject }

  /// A finding for each expression without a possible type.
  var contradictions: [Diagnostic] {
    var places: [Text: Int] = [:]
    var earlier: [[Demand]] = []
    var findings: [Diagnostic] = []
    for demand in demands {
      let spelling = subject.spelling(demand.range)
      let place = places[spelling] ?? earlier.count
      if place == earlier.count {
        places[spelling] = place
        earlier.append([])
      }
      let others = earlier[place]
      earlier[place].append(demand)
      let left = others.reduce(types(ofRequest: spelling)) { $0.intersection($1.types) }
      // A conflict among earlier demands was already reported.
      guard !left.isEmpty, left.isDisjoint(with: demand.types),
        let other = others.last(where: { $0.types.isDisjoint(with: demand.types) }) ?? others.last
      else { continue }
      findings.append(
        Diagnostic.finding(
          "`\(subject.quote(demand.range))` would need two types at once, so this is never true",
          at: demand.range, label: demand.types.demanded
        ).relating(other.range, as: other.types.demanded))
    }
    return findings
  }

  /// Returns the types of a value that a request sends, which is never the constraint of a query.
  private func types(ofRequest spelling: Text) -> TypeSet {
    String(spelling).hasPrefix("request ") ? TypeSet.any.subtracting(.constraint) : .any
  }

  /// Records the requirements for a condition to be true.
  mutating func note(_ condition: ExprID) {
    var open = [(condition, Wish.truth)]
    while let (id, wish) = open.popLast() {
      // An expression that always fails has its own diagnostic.
      if subject.checked.types[id.index].isEmpty { continue }
      let node = subject.rules[id]
      switch (node.kind, wish) {
      case (.parenthesized(let inner), _): open.append((inner, wish))
      case (.not(let inner), .truth): open.append((inner, .falsity))
      case (.not(let inner), .falsity): open.append((inner, .truth))
      case (.binary(.and, let left, let right), .truth),
        (.binary(.or, let left, let right), .falsity):
        open += [(right, wish), (left, wish)]
      // One side may be an error if the other one decides.
      case (.binary(.and, _, _), _), (.binary(.or, _, _), _): break
      case (.conditional(let condition, _, _), _): open.append((condition, .value))
      default:
        if wish != .value { demand(id, [.bool, .constraint]) }
        if wish == .truth { compare(node) }
        demandOperands(of: id, node, wish)
        if !isCall(id) { open += node.operands.reversed().map { ($0, .value) } }
      }
    }
  }

  /// True if an expression calls a function of the rules, which need not evaluate its arguments.
  private func isCall(_ id: ExprID) -> Bool {
    if case .function = subject.checked.binding(id) { true } else { false }
  }

  /// Records that two equal values have a common type.
  private mutating func compare(_ node: Expression) {
    guard case .binary(.equal, let left, let right) = node.kind else { return }
    for (side, other) in [(left, right), (right, left)] {
      demand(
        side,
        ImpossibleComparison.comparable(subject.checked.types[other.index]).union(.constraint))
    }
  }

  private mutating func demandOperands(of id: ExprID, _ node: Expression, _ wish: Wish) {
    if case .isType(let operand, let word) = node.kind, !word.accepts.isEmpty, wish != .value {
      demand(operand, wish == .truth ? word.accepts : TypeSet.any.subtracting(word.accepts))
    }
    let rows = rows(of: id, node)
    let operands = node.operands
    let types = operands.map { subject.checked.types[$0.index] }
    let fitting = rows.filter { $0.operands.count == types.count && $0.mayTake(types) }
    if fitting.isEmpty { return }
    for (place, operand) in operands.enumerated() {
      demand(operand, fitting.reduce([]) { $0.union($1.operands[place]) })
    }
  }

  private func rows(of id: ExprID, _ node: Expression) -> [OperandTypes.Row] {
    switch node.kind {
    case .negate: return OperandTypes.negate
    case .binary(let symbol, _, _): return OperandTypes.rows(symbol)
    case .member: return OperandTypes.member
    case .index: return OperandTypes.index
    case .call(_, let arguments):
      guard case .builtin(let builtin) = subject.checked.binding(id) else { return [] }
      return Builtins.entry(builtin).rows(count: arguments.count)
    case .method(_, let name, let arguments):
      return Builtins.methods(named: name.text).flatMap { entry in
        entry.rows(count: arguments.count).map { row in
          OperandTypes.Row(entry.receiver.map { [TypeSet($0)] + row.operands } ?? [], giving: .any)
        }
      }
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .isType, .conditional,
      .slice, .invalid:
      return []
    }
  }

  private mutating func demand(_ id: ExprID, _ types: TypeSet) {
    let id = subject.rules.unparenthesized(id)
    switch subject.rules[id].kind {
    case .variable, .member, .index, .call, .method:
      demands.append(Demand(range: subject.rules[id].range, types: types))
    case .literal, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .slice, .invalid:
      break
    }
  }
}

extension TypeSet {
  /// The required types in words: `int or float`, `no string`.
  fileprivate var demanded: String {
    let others = TypeSet.any.subtracting(self)
    let isMost = others.rawValue.nonzeroBitCount < 4
    let told = isMost ? others : self == .constraint ? self : subtracting(.constraint)
    return (isMost ? "no " : "") + told.types.map { $0.word }.joined(separator: " or ")
  }
}
