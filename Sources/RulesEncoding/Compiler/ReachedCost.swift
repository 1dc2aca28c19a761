import RulesEval
import RulesLang
package import RulesSolver

// What an evaluation costs depends on which way `&&`, `||` and `?:` go, and on which statement grants
// first. Here conditions are gone through as the engine does it: each part is counted when it is reached,
// which is a proposition like any other. What requests in question can reach comes to a sum.
//
// Sound: up to the first lookup or expression that is one too many, and missed, everything is evaluated as
// if there were no limits. So if no request makes the sums exceed the limits where there are none, no
// request is stopped. The sums may be too great: what is reached by different requests counts together,
// documents at two paths count twice though the paths may be one, and a document that is missing costs at
// each read.

/// The cost of conditions by what is reached when.
package struct ReachedCost {
  private let compiler: Compiler
  /// The expressions that are evaluated where something is reached.
  private var weights: [Ref: Int] = [:]
  /// Where something is reached, in the order in which it was found.
  private var places: [Ref] = []
  /// When documents are looked up, in the order of evaluation.
  private var calls: [LookupCall] = []
  private var known: [Key: Known] = [:]
  private var left = greatestVisits
  /// What expressions cost at most.
  private var total: Cost
  private var small: [ExprID: Int?] = [:]
  /// What is known of the requests that are meant.
  private let facts: Set<Ref>

  private struct Key: Hashable {
    var lookup: Lookup
    var isAfter: Bool
  }

  /// A document that some calls look up: whether it is there, and whether any of them was reached.
  private struct Known {
    var isStored: Ref
    var isReached: Ref
  }

  /// A call that looks a document up.
  private struct LookupCall {
    /// When it is paid for: what is there once, what is missing each time.
    var isPaid: Ref
    /// When the document is there.
    var document: Ref
    /// Which document it is.
    var key: Key
  }

  /// Maximum expressions that are visited.
  private static let greatestVisits = 12_000
  /// Expressions from which a part is visited by itself; all of a smaller one count as evaluated.
  private static let smallest = 24

  /// Nothing is counted yet; all facts hold for the requests that are meant.
  fileprivate init(_ compiler: Compiler, knowing facts: Set<Ref>) {
    self.compiler = compiler
    self.facts = facts
    total = compiler.cost
  }

  /// Of each document that is read, that it is there. Where that is known, to read it again costs nothing.
  package var documents: [Ref] {
    var seen: Set<Ref> = []
    return calls.map { $0.document }.filter { $0 != .yes && $0 != .no && seen.insert($0).inserted }
  }

  /// Whether all was gone through.
  fileprivate var isComplete: Bool { left > 0 && !compiler.isOverwhelmed }

  /// Counts expressions where something is reached.
  mutating func pay(_ count: Int, when reach: Ref) {
    if reach == .no { return }
    if weights[reach] == nil { places.append(reach) }
    weights[reach, default: 0] += count
  }

  // MARK: Going through conditions

  /// Counts a condition; says when it is true and when it is false.
  mutating func condition(_ id: ExprID, in frame: SymbolicFrame, when reach: Ref) -> Rails {
    let id = compiler.rules.ruleset.unparenthesized(id)
    guard reach != .no, isComplete else { return compiler.rails(of: id, in: frame) }
    left -= 1
    if let cost = smallCost(of: id) {
      pay(cost, when: reach)
      return compiler.rails(of: id, in: frame)
    }
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

  /// `a && b && c` or `a || b || c`: each operand is reached unless one before it has decided. What costs
  /// little is counted where something before it is reached, so that there are not too many places.
  private mutating func junction(
    of id: ExprID, isAnd: Bool, in frame: SymbolicFrame, when reach: Ref
  ) -> Rails {
    let operands = operands(of: id, isAnd: isAnd)
    pay(operands.count - 1, when: reach)
    var (here, region, paid) = (reach, reach, 0)
    var result: Rails?
    for operand in operands {
      if let result {
        here = compiler.problem.graph.and(reach, isAnd ? !result.no : !result.yes)
        if paid >= Self.smallest { (region, paid) = (here, 0) }
        pay(1, when: region)
        paid += 1
      }
      let rails: Rails
      if let cost = smallCost(of: operand) {
        pay(cost, when: region)
        paid += cost
        rails = compiler.rails(of: operand, in: frame)
      } else {
        rails = condition(operand, in: frame, when: here)
        paid = Self.smallest
      }
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

  /// The expressions of a condition that evaluates few, and looks nothing up; nil for others.
  private mutating func smallCost(of id: ExprID) -> Int? {
    if let known = small[id] { return known }
    let (expressions, lookups) = total.greatest(of: id)
    let cost = lookups == 0 && expressions < Self.smallest ? expressions : nil
    small[id] = .some(cost)
    return cost
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

  /// Counts a value.
  private mutating func value(_ id: ExprID, in frame: SymbolicFrame, when reach: Ref) {
    let id = compiler.rules.ruleset.unparenthesized(id)
    guard reach != .no, isComplete else { return }
    switch compiler.rules.ruleset[id].kind {
    case .not, .binary(.and, _, _), .binary(.or, _, _), .conditional:
      _ = condition(id, in: frame, when: reach)
    case .call(_, let arguments):
      guard case .function(let function) = compiler.rules.binding(id) else { fallthrough }
      left -= 1
      pay(1, when: reach)
      _ = call(function, with: arguments, in: frame, when: reach)
    default:
      left -= 1
      parts(of: id, in: frame, when: reach)
    }
  }

  /// Counts an expression that is no condition made of others: all its operands are evaluated.
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

  /// Counts what a function does; nil if it has another number of parameters.
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
        // The request's own document is free, and what is no document costs nothing.
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

  /// When a document that is tested for existence was read before: then the test is free, but in queries.
  private func isRead(_ key: Key) -> Ref {
    let read = Lookup(path: key.lookup.path, isRead: true, isComputed: key.lookup.isComputed)
    guard !key.lookup.isRead, compiler.scene.scenario.method != .list,
      let known = known[Key(lookup: read, isAfter: key.isAfter)]
    else { return .no }
    return compiler.problem.graph.and(known.isReached, known.isStored)
  }

  /// Whether a document is there; what is only tested for existence is paid for once in any case.
  private func isStored(_ key: Key) -> Ref {
    if !key.lookup.isRead { return .yes }
    // Of a computed path it is open what is there, but it is the same for each read of it.
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
  /// True if no request exceeds a limit, whatever is reached of what was counted.
  package var isWithinLimits: Bool {
    isComplete && greatestCalls <= Compiler.greatestLookups
      && weights.reduce(0) { $0 + $1.value } <= Limits.expressions
  }

  /// So many lookups are paid for at most, whatever is reached: of a document that is there one.
  private var greatestCalls: Int {
    var seen: Set<Key> = []
    return calls.reduce(0) { count, call in
      call.isPaid == .no || call.document == .yes && !seen.insert(call.key).inserted
        ? count : count + 1
    }
  }

  /// When something is reached that not every request reaches, and when documents are paid for.
  package var conditions: [Ref] {
    (places + calls.map { $0.isPaid }).filter { $0 != .yes && $0 != .no }
  }

  /// Leaves out what is not reached by any request that is meant.
  package mutating func leaveOut(where isRefuted: (Ref) -> Bool) {
    for place in places where isRefuted(place) { weights[place] = nil }
    places.removeAll { weights[$0] == nil }
    calls.removeAll { isRefuted($0.isPaid) }
  }
}

extension Compiler {
  /// What it costs to try some statements one after the other, for requests of which some facts are known.
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
