import RulesEval
import RulesLang
package import RulesSolver

// The cost of an evaluation by what it reaches. Which expressions are evaluated depends on the direction of
// `&&`, `||` and `?:`, and on which statement grants first. Conditions are traversed in the order of the
// engine, and each part is charged under the proposition that it is reached. The sum over the parts that some
// request can reach is compared with the limits.
//
// Sound: up to the first lookup or expression beyond a limit, evaluation is the same as without limits. So if
// no request exceeds the limits in an evaluation without limits, no limit stops a request. The sums may be
// too great: parts that different requests reach are added, two paths count as two documents even if they can
// be equal, and a missing document is charged at each read.

/// The cost of conditions by what is reached.
package struct ReachedCost {
  private let compiler: Compiler
  /// The expressions that are charged when a proposition holds.
  private var weights: [Ref: Int] = [:]
  /// The keys of `weights` in the order in which they were found.
  private var places: [Ref] = []
  /// The lookups in the order of evaluation.
  private var calls: [LookupCall] = []
  private var known: [Key: Known] = [:]
  /// Propositions that hold for all requests in question.
  private let facts: Set<Ref>

  private struct Key: Hashable {
    var lookup: Lookup
    var isAfter: Bool
  }

  /// The state of a document that calls look up: whether it is stored, and whether a call has been reached.
  private struct Known {
    var isStored: Ref
    var isReached: Ref
  }

  /// A call that looks a document up.
  private struct LookupCall {
    /// The proposition that the call is charged: the first one for a stored document, each one for a missing
    /// one.
    var isPaid: Ref
    /// The proposition that the document is stored.
    var document: Ref
    /// The lookup and the state of the database.
    var key: Key
  }

  /// Creates a cost of 0 for requests that satisfy the facts.
  fileprivate init(_ compiler: Compiler, knowing facts: Set<Ref>) {
    self.compiler = compiler
    self.facts = facts
  }

  /// For each document that is read, the proposition that it is stored. If it is, a repeated read is free.
  package var documents: [Ref] {
    var seen: Set<Ref> = []
    return calls.map { $0.document }.filter { $0 != .yes && $0 != .no && seen.insert($0).inserted }
  }

  /// True if all conditions were traversed within the limits.
  fileprivate var isComplete: Bool { !compiler.isOverwhelmed && !compiler.isCutShort }

  /// Charges expressions under the proposition that they are reached.
  mutating func pay(_ count: Int, when reach: Ref) {
    if reach == .no { return }
    if weights[reach] == nil { places.append(reach) }
    weights[reach, default: 0] += count
  }

  // MARK: Traversal of conditions

  /// Charges a condition and returns its rails.
  mutating func condition(_ id: ExprID, in frame: SymbolicFrame, when reach: Ref) -> Rails {
    let id = compiler.rules.ruleset.unparenthesized(id)
    guard reach != .no, isComplete else { return compiler.rails(of: id, in: frame) }
    _ = compiler.problem.goesOn()
    switch compiler.rules.ruleset[id].kind {
    case .not(let operand):
      pay(1, when: reach)
      return condition(operand, in: frame, when: reach).opposite
    case .binary(.and, _, _): return junction(of: id, isAnd: true, in: frame, when: reach)
    case .binary(.or, _, _): return junction(of: id, isAnd: false, in: frame, when: reach)
    case .conditional(let question, let one, let other):
      return conditional(question, one, other, in: frame, when: reach)
    case .call(_, let arguments):
      guard case .function(let function) = compiler.rules.binding(id) else { break }
      pay(1, when: reach)
      return call(function, with: arguments, in: frame, when: reach)
        ?? compiler.rails(of: id, in: frame)
    default: break
    }
    parts(of: id, in: frame, when: reach)
    return compiler.rails(of: id, in: frame)
  }

  /// Charges `a && b && c` or `a || b || c`: an operand is reached unless one before it decides.
  private mutating func junction(
    of id: ExprID, isAnd: Bool, in frame: SymbolicFrame, when reach: Ref
  ) -> Rails {
    let operands = operands(of: id, isAnd: isAnd)
    pay(operands.count - 1, when: reach)
    var here = reach
    var result: Rails?
    for operand in operands {
      if let result {
        here = compiler.problem.graph.and(reach, isAnd ? !result.no : !result.yes)
        pay(1, when: here)
      }
      let rails = condition(operand, in: frame, when: here)
      result = result.map { joined($0, with: rails, isAnd: isAnd) } ?? rails
    }
    return result ?? Rails(yes: .no, no: .no)
  }

  private func joined(_ one: Rails, with other: Rails, isAnd: Bool) -> Rails {
    isAnd ? compiler.problem.graph.both(one, other) : compiler.problem.graph.either(one, other)
  }

  private func operands(of id: ExprID, isAnd: Bool) -> [ExprID] {
    var found: [ExprID] = []
    var next = compiler.rules.ruleset.unparenthesized(id)
    while case .binary(let op, let left, let right) = compiler.rules.ruleset[next].kind,
      op == (isAnd ? .and : .or)
    {
      found.append(right)
      next = compiler.rules.ruleset.unparenthesized(left)
    }
    found.append(next)
    return found.reversed()
  }

  private mutating func conditional(
    _ question: ExprID, _ one: ExprID, _ other: ExprID, in frame: SymbolicFrame, when reach: Ref
  ) -> Rails {
    pay(2, when: reach)
    let asked = condition(question, in: frame, when: reach)
    let isFirst = compiler.problem.graph.and(reach, asked.yes)
    let isSecond = compiler.problem.graph.and(reach, asked.no)
    pay(2, when: isSecond)
    return compiler.rails(
      asked, then: condition(one, in: frame, when: isFirst),
      else: condition(other, in: frame, when: isSecond))
  }

  /// Charges the evaluation of a value.
  private mutating func value(_ id: ExprID, in frame: SymbolicFrame, when reach: Ref) {
    let id = compiler.rules.ruleset.unparenthesized(id)
    guard reach != .no, isComplete else { return }
    switch compiler.rules.ruleset[id].kind {
    case .not, .binary(.and, _, _), .binary(.or, _, _), .conditional:
      _ = condition(id, in: frame, when: reach)
    case .call(_, let arguments):
      guard case .function(let function) = compiler.rules.binding(id) else { fallthrough }
      _ = compiler.problem.goesOn()
      pay(1, when: reach)
      _ = call(function, with: arguments, in: frame, when: reach)
    default:
      _ = compiler.problem.goesOn()
      parts(of: id, in: frame, when: reach)
    }
  }

  /// Charges an expression that evaluates all of its operands.
  private mutating func parts(of id: ExprID, in frame: SymbolicFrame, when reach: Ref) {
    let expression = compiler.rules.ruleset[id]
    for operand in expression.operands { value(operand, in: frame, when: reach) }
    pay(Cost.ownExpressions(of: expression), when: reach)
    guard case .call(_, let arguments) = expression.kind, arguments.count == 1,
      case .builtin(let builtin) = compiler.rules.binding(id)
    else { return }
    switch builtin {
    case .get, .getAfter, .exists, .existsAfter, .value:
      look(builtin, at: compiler.cases(of: arguments[0], in: frame), when: reach)
    default: break
    }
  }

  /// Charges a function call and returns the rails of its result; nil if the number of arguments is wrong.
  private mutating func call(
    _ function: FunctionID, with arguments: [ExprID], in frame: SymbolicFrame, when reach: Ref
  ) -> Rails? {
    var inner = SymbolicFrame(
      captures: frame.captures, locals: [], seesDocument: frame.seesDocument)
    for argument in arguments {
      value(argument, in: frame, when: reach)
      inner.locals.append(compiler.cases(of: argument, in: frame))
    }
    let body = compiler.rules.enter(function, arguments: arguments.count, &inner) {
      binding, inner in
      value(binding.root, in: inner, when: reach)
      pay(1, when: reach)
      inner.locals.append(compiler.cases(of: binding.root, in: inner))
    }
    guard let body else { return nil }
    return condition(body.root, in: inner, when: reach)
  }

  // MARK: Lookups

  private mutating func look(_ builtin: Builtin, at path: Cases, when reach: Ref) {
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    let isRead = builtin == .get || builtin == .getAfter
    for each in path.cases {
      let call = compiler.problem.graph.and(reach, each.guardRef)
      if call == .no { continue }
      if case .path(let segments) = each.shape {
        let path = Array(segments.dropFirst(DatabaseName.rootCount))
        // The request's own document is free, and a path that does not lead to a document is an error without
        // a charge.
        if path.isEmpty || !path.count.isMultiple(of: 2) || path == compiler.scene.segments {
          continue
        }
        let lookup = Lookup(path: path, isRead: isRead, isComputed: false)
        add(call, for: Key(lookup: lookup, isAfter: isAfter))
      } else if let term = each.shape.asTerm {
        let lookup = Lookup(path: [term], isRead: isRead, isComputed: true)
        add(call, for: Key(lookup: lookup, isAfter: isAfter))
      }
    }
  }

  private mutating func add(_ call: Ref, for key: Key) {
    let before = known[key] ?? Known(isStored: isStored(key), isReached: .no)
    let isPaid = compiler.problem.graph.or(before.isReached, isRead(key))
    let isFirst = compiler.problem.graph.and(call, !isPaid)
    let isRepeated = compiler.problem.graph.and(call, !before.isStored)
    calls.append(
      LookupCall(
        isPaid: compiler.problem.graph.or(isFirst, isRepeated), document: before.isStored, key: key)
    )
    known[key] = Known(
      isStored: before.isStored,
      isReached: compiler.problem.graph.or(before.isReached, call))
  }

  /// Returns the proposition that an existence test is free because the document was read before. In queries
  /// it is not.
  private func isRead(_ key: Key) -> Ref {
    let read = Lookup(path: key.lookup.path, isRead: true, isComputed: key.lookup.isComputed)
    guard !key.lookup.isRead, compiler.scene.scenario.method != .list,
      let known = known[Key(lookup: read, isAfter: key.isAfter)]
    else { return .no }
    return compiler.problem.graph.and(known.isReached, known.isStored)
  }

  /// Returns the proposition that a document is stored. For an existence test it is true, because that is
  /// charged once in any case.
  private func isStored(_ key: Key) -> Ref {
    if !key.lookup.isRead { return .yes }
    // The document at a computed path is unknown, but the same for each read.
    let isStored =
      key.lookup.isComputed
      ? compiler.problem.holds(
        .definedBuiltin(key.isAfter ? .getAfter : .get), of: key.lookup.path)
      : compiler.isStored(
        compiler.document(at: key.lookup.path, in: key.isAfter ? .after : .before))
    return facts.contains(isStored) ? .yes : isStored
  }
}

extension ReachedCost {
  /// True if no request exceeds a limit, whichever of the charged parts it reaches.
  package var isWithinLimits: Bool {
    isComplete && greatestCalls <= Compiler.greatestLookups
      && weights.reduce(0) { $0 + $1.value } <= Limits.expressions
  }

  /// The greatest number of charged lookups; a stored document counts once.
  private var greatestCalls: Int {
    var seen: Set<Key> = []
    return calls.reduce(0) { count, call in
      call.isPaid == .no || call.document == .yes && !seen.insert(call.key).inserted
        ? count : count + 1
    }
  }

  /// The propositions that a part is reached, or a lookup is charged, which some requests satisfy.
  package var conditions: [Ref] {
    (places + calls.map { $0.isPaid }).filter { $0 != .yes && $0 != .no }
  }

  /// Removes the parts and lookups that no request in question reaches.
  ///
  /// - Parameter isRefuted: True for a proposition that no request in question satisfies.
  package mutating func leaveOut(where isRefuted: (Ref) -> Bool) {
    for place in places where isRefuted(place) { weights[place] = nil }
    places.removeAll { weights[$0] == nil }
    calls.removeAll { isRefuted($0.isPaid) }
  }
}

extension Compiler {
  /// Returns the cost of trying statements in order, for requests that satisfy some facts.
  package func reachedCost(
    of statements: [Statement], knowing facts: Set<Ref>
  ) -> ReachedCost {
    var cost = ReachedCost(self, knowing: facts)
    var reaches: [Ref] = []
    for statement in statements {
      let reach = problem.graph.and(reaches + [statement.applies])
      var grants = statement.applies
      if let condition = rules.ruleset[statement.allow].condition {
        let rails = cost.condition(condition.root, in: statement.frame, when: reach)
        grants = problem.graph.and(statement.applies, rails.yes)
      } else {
        cost.pay(1, when: reach)
      }
      reaches.append(!grants)
    }
    return cost
  }
}
