import RulesEval
package import RulesLang
package import RulesSolver

// Encodes conditions as propositions. A condition becomes two rails, "is true" and "is false"; any other
// expression becomes a value by guarded cases. Where no rail or guard holds, evaluation ends in an error. A
// rail is never negated to get the other one: `resource.data.locked == false` is neither true nor false of a
// document without the field.
//
// Soundness: every request of the scenario has a model with the truth and errors that the evaluator gives it.
// An uninterpreted expression (`opaque`) is free both in its value and in being an error. So the encoding has
// more models than there are requests, never fewer, and what has no model has no request.
//
// Completeness is not promised: a model may describe no request, so each is replayed by the evaluator.

/// A frame of variables: the values of the names in one body.
package struct SymbolicFrame: Hashable {
  /// The values of the match blocks' captures, outermost first.
  package var captures: [Cases]
  /// The values of the parameters, then of the `let`s so far.
  package var locals: [Cases] = []
  /// True if `resource` is the document itself, as in claims, rather than the rules' view of it.
  package var seesDocument: Bool

  /// Creates a frame.
  package init(captures: [Cases], locals: [Cases] = [], seesDocument: Bool) {
    self.captures = captures
    self.locals = locals
    self.seesDocument = seesDocument
  }
}

/// An uninterpreted place in the rules.
package struct OpaquePlace {
  /// The source range.
  package var range: SourceRange
  /// A short description, as an open reason.
  package var reason: String
}

/// Encodes conditions of one rules file for one scenario.
package final class Compiler {
  /// The rules.
  package let rules: Checked
  /// The terms of the request that the conditions decide.
  package let scene: ScenarioTerms
  /// The terms of the scenario. They differ from `scene` if that is another write of the same commit.
  package let home: ScenarioTerms
  /// The keys that rules and claims name (the named keys), as terms in a fixed order.
  package private(set) var keys: [TermID]
  /// The query built so far.
  package var problem: Problem
  /// The uninterpreted places; flag `defined(n)` belongs to those with number n.
  package private(set) var obstacles: [(number: Int, place: OpaquePlace)] = []
  /// The numbering of uninterpreted places: equal expressions of equal values share a number.
  var unknowns = Unknowns()
  /// The applications of uninterpreted functions, with their places.
  package private(set) var unknownFunctions: [(term: TermID, place: OpaquePlace)] = []
  /// True if the budget was spent while the current query was compiled.
  private(set) var isOverwhelmed = false
  /// The cached values of function calls.
  var calls: [CallKey: Cases] = [:]
  /// The cached rails of parts other than `!`, `&&`, `||` and `?:`, by expression.
  var parts: [ExprID: [KnownPart]] = [:]
  /// The number of expressions that all versions of the file have; no part of others is cached.
  var sharedExpressions = 0
  /// The cached rails of `knownRails`.
  private var asked: [Unknowns.Place: Rails] = [:]
  /// The cached values of the request's variables.
  var subjects = Subjects()
  /// The cached forms of expressions with uninterpreted places.
  package var forms: [Unknowns.Place: Unknowns.Form] = [:]
  /// The number of unknown `values()` lists so far that no other place shares.
  var orderCount = 0
  /// The numbers of unknowns that only one place of these rules has.
  var ownUnknowns: [Unknowns.Place: Int] = [:]
  /// For each map, the comparisons of two maps that it is part of.
  package var pairs: [TermID: [(after: TermID, before: TermID)]] = [:]
  /// The cached key sets of `diff()`.
  var keySets: [KeySet] = []
  /// For each map, the greatest number of unnamed keys that is compared, if greater than 1.
  package var counted: [TermID: Int] = [:]

  /// The cached propositions "the set has at least n keys".
  var keyCounts: [KeyCount: Ref] = [:]
  /// The list and the allowed values of each `hasOnly`.
  package var onlyElements: [(list: TermID, allowed: TermID)] = []
  /// The lookups that conditions can make, except of the request's own document.
  package var lookups: Set<Lookup> = []
  /// The paths of other documents that conditions look up in their state after the commit.
  var afterPaths: [[TermID]] = []
  /// Cached by statement: true if all names in its condition are among `keys`.
  var named: [AllowID: Bool] = [:]
  /// The place that first looks up each of `afterPaths`; nil if it is in other rules.
  var afterPlaces: [SourceRange?] = []
  /// The documents after a commit that `getAfter` gives as null if the commit deleted them.
  var nullable: Set<TermID> = []
  /// The reason why further writes of a commit were left open, if they were.
  package var commitCut: OpenReason?
  /// Propositions that few confirmed models satisfy: the commit makes a write that was left open, or a
  /// computed path segment is not a string.
  package var unlikely: [Ref] = []
  /// The places at which the evaluator gives no answer, so that it decides no request that reaches them.
  package var unmodelledPlaces: [OpenReason] = []
  /// The greatest cost of conditions, as far as computed.
  var cost: Cost
  /// True once `close()` has added the axioms about all compiled conditions.
  package var isClosed = false
  /// The promised fields that are linked to the returned document.
  var linked: Set<TermID> = []
  /// The comparisons of promised fields that are linked to the returned document.
  package var promised: Set<PromiseKey> = []

  /// The variables that every condition can read.
  struct Subjects {
    var request: Cases?
    var stored: Cases?
    var path: Cases?
  }

  /// A comparison of a promised field with a value.
  package struct PromiseKey: Hashable {
    /// The comparison operator.
    package var op: BinaryOperator
    /// The left operand.
    package var left: TermID
    /// The right operand.
    package var right: TermID
  }

  /// Creates a compiler; `keys` are the names that may be document keys.
  package init(_ rules: Checked, in scene: ScenarioTerms, keys: [Text], problem: Problem) {
    self.rules = rules
    self.scene = scene
    home = scene
    self.problem = problem
    cost = Cost(rules)
    var terms: [TermID] = []
    for key in keys { terms.append(self.problem.text(key)) }
    self.keys = terms
  }

  /// Creates a compiler that continues from `other` with other rules or for another write of the same commit.
  /// Both are about the same requests, so equal propositions of both are one proposition.
  package init(_ rules: Checked, continuing other: Compiler, at scene: ScenarioTerms? = nil) {
    self.rules = rules
    self.scene = scene ?? other.home
    home = other.home
    cost = rules === other.rules ? other.cost : Cost(rules)
    keys = other.keys
    problem = other.problem
    adoptNotes(of: other)
  }

  /// Continues from another compiler of the same requests.
  package func adopt(_ other: Compiler) {
    problem = other.problem
    adoptNotes(of: other)
  }

  /// Copies everything but propositions that another compiler of the same requests knows.
  private func adoptNotes(of other: Compiler) {
    unknowns = other.unknowns
    pairs = other.pairs
    counted = other.counted
    keyCounts = other.keyCounts
    onlyElements = other.onlyElements
    afterPaths = other.afterPaths
    let isSame = rules === other.rules
    afterPlaces = isSame ? other.afterPlaces : other.afterPlaces.map { _ in nil }
    nullable = other.nullable
    unlikely = other.unlikely
    if isSame { named = other.named }
    commitCut = isSame ? other.commitCut : other.commitCut.map { OpenReason($0.reason) }
    linked = other.linked
    promised = other.promised
  }

  /// Adds the uninterpreted places of another compiler of the same rules.
  package func adoptPlaces(of other: Compiler) {
    obstacles += other.obstacles
    unknownFunctions += other.unknownFunctions
  }

  /// Creates an independent copy.
  package convenience init(copying other: Compiler) {
    self.init(other.rules, continuing: other)
    adoptPlaces(of: other)
    isOverwhelmed = other.isOverwhelmed
    (calls, parts, sharedExpressions) = (other.calls, other.parts, other.sharedExpressions)
    subjects = other.subjects
    forms = other.forms
    ownUnknowns = other.ownUnknowns
    lookups = other.lookups
    unmodelledPlaces = other.unmodelledPlaces
  }

  /// True if the budget ran out while compiling, so that results may be less precise than with a budget of
  /// their own.
  package var isCutShort: Bool { problem.budget?.isSpent ?? false }

  /// Starts another query about the same requests, with its own budget.
  package func begin(within budget: Budget) {
    problem.budget = budget
    isOverwhelmed = false
  }

  /// Charges an expression.
  private func charge() {
    if !problem.goesOn(8) { isOverwhelmed = true }
  }

  // MARK: Opaque places

  /// Returns an unknown value of given types that may also be an error.
  package func opaque(at id: ExprID, reason: String, types: TypeSet = .any) -> Cases {
    opaque(number: unknownNumber(at: id, reason: reason), at: id, reason: reason, types: types)
  }

  /// Returns the unknown value with a number, which may also be an error.
  package func opaque(
    number: Int, at id: ExprID, reason: String, types: TypeSet = .any
  ) -> Cases {
    obstacles.append((number, OpaquePlace(range: rules.ruleset[id].range, reason: reason)))
    return Cases(cases: [unknown(number, types: types)])
  }

  /// Returns the case in which the unknown with a number has a value.
  func unknown(_ number: Int, types: TypeSet) -> Cases.Case {
    let value = problem.terms.variable(.unknown(number), types: types.intersection(valueTypes))
    return Cases.Case(guardRef: problem.flag(.defined(number)), shape: .term(value))
  }

  /// Records a place that reads an unknown value.
  package func note(_ number: Int, at place: OpaquePlace) { obstacles.append((number, place)) }

  /// Records terms that apply an uninterpreted function.
  package func note(_ terms: [TermID], at id: ExprID, as what: String) {
    let place = OpaquePlace(range: rules.ruleset[id].range, reason: "\(what) is not analysed")
    unknownFunctions += terms.map { ($0, place) }
  }

  // MARK: Rails

  /// Returns the rails of a condition.
  package func rails(of id: ExprID, in frame: SymbolicFrame) -> Rails {
    charge()
    if isOverwhelmed { return rails(of: opaque(at: id, reason: "the condition is too large")) }
    let id = rules.ruleset.unparenthesized(id)
    switch rules.ruleset[id].kind {
    case .not(let operand): return rails(of: operand, in: frame).opposite
    case .binary(.and, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return problem.graph.both(one, other)
    case .binary(.or, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return problem.graph.either(one, other)
    case .conditional(let condition, let whenTrue, let whenFalse):
      return rails(
        rails(of: condition, in: frame), then: rails(of: whenTrue, in: frame),
        else: rails(of: whenFalse, in: frame))
    default: return part(id, in: frame)
    }
  }

  /// Returns the rails of a condition from the cache, which they are added to.
  package func knownRails(of id: ExprID, in frame: SymbolicFrame) -> Rails {
    let place = Unknowns.Place(id: id, frame: frame)
    if let known = asked[place] { return known }
    let rails = rails(of: id, in: frame)
    // A result that the limits cut short is not cached.
    if !isOverwhelmed { asked[place] = rails }
    return rails
  }

  /// Returns the rails of a conditional.
  func rails(_ chooses: Rails, then one: Rails, else other: Rails) -> Rails {
    func either(_ left: Ref, or right: Ref) -> Ref {
      problem.graph.or(
        problem.graph.and(chooses.yes, left), problem.graph.and(chooses.no, right))
    }
    return Rails(yes: either(one.yes, or: other.yes), no: either(one.no, or: other.no))
  }

  /// Returns the rails of a value; one that is not a bool is neither true nor false.
  package func rails(of value: Cases) -> Rails {
    var yes: [Ref] = []
    var no: [Ref] = []
    for each in value.cases {
      switch each.shape {
      case .truth(let proposition):
        yes.append(problem.graph.and(each.guardRef, proposition))
        no.append(problem.graph.and(each.guardRef, !proposition))
      case .term(let term):
        yes.append(problem.graph.and(each.guardRef, problem.same(term, problem.terms.yes)))
        no.append(problem.graph.and(each.guardRef, problem.same(term, problem.terms.no)))
      case .list, .set, .record, .view, .path, .keyList, .keySet, .count, .diff:
        break
      }
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  /// Returns a condition as a value.
  package func cases(of rails: Rails) -> Cases {
    Cases(cases: [
      Cases.Case(guardRef: problem.graph.or(rails.yes, rails.no), shape: .truth(rails.yes))
    ])
  }

  // MARK: Values

  /// Returns the value of an expression.
  package func cases(of id: ExprID, in frame: SymbolicFrame) -> Cases {
    charge()
    let id = rules.ruleset.unparenthesized(id)
    if isOverwhelmed { return opaque(at: id, reason: "the condition is too large") }
    let outer = unknowns.enter(Unknowns.Place(id: id, frame: frame))
    defer { unknowns.leave(to: outer) }
    let value = dispatch(id, in: frame)
    return value.cases.count > EncodingStrategy.cases
      ? opaque(at: id, reason: "too many cases") : value
  }

  private func dispatch(_ id: ExprID, in frame: SymbolicFrame) -> Cases {
    switch rules.ruleset[id].kind {
    case .literal(let literal): return Cases(problem.constant(Value(literal)))
    case .variable: return variable(id, in: frame)
    case .list(let elements): return list(elements.map { cases(of: $0, in: frame) }, at: id)
    case .map(let entries): return map(entries, at: id, in: frame)
    case .path(let parts): return path(parts, at: id, in: frame)
    case .parenthesized(let inner): return cases(of: inner, in: frame)
    case .not, .binary(.and, _, _), .binary(.or, _, _): return cases(of: rails(of: id, in: frame))
    case .negate(let operand): return negate(operand, at: id, in: frame)
    case .binary(.in, let left, let right):
      return cases(
        of: membership(of: cases(of: left, in: frame), in: cases(of: right, in: frame), at: id))
    case .binary(let op, let left, let right):
      return binary(
        op, left: cases(of: left, in: frame), right: cases(of: right, in: frame), at: id)
    case .isType(let operand, let word):
      return isType(of: cases(of: operand, in: frame), word: word)
    case .conditional(let condition, let whenTrue, let whenFalse):
      return choose(
        rails(of: condition, in: frame), then: cases(of: whenTrue, in: frame),
        else: cases(of: whenFalse, in: frame))
    case .member(let base, let name):
      return member(of: cases(of: base, in: frame), named: name.text, at: id)
    case .index(let base, let key):
      return index(cases(of: base, in: frame), by: cases(of: key, in: frame), at: id)
    case .slice(let base, let from, let to):
      return slice(of: base, from: from, to: to, at: id, in: frame)
    case .call(_, let arguments):
      return call(with: arguments.map { cases(of: $0, in: frame) }, at: id, in: frame)
    case .method(let receiver, let name, let arguments):
      return method(
        of: cases(of: receiver, in: frame), named: name.text,
        with: arguments.map { cases(of: $0, in: frame) }, at: id)
    case .invalid: return .error
    }
  }

  /// Returns the value of a list literal, which is an error if an element is.
  func list(_ elements: [Cases], at id: ExprID) -> Cases {
    if Cases.areTooHeavy(elements) { return opaque(at: id, reason: "a list with very many parts") }
    if let constants = constantValues(elements) {
      if Value.areTooHeavy(constants) { return unmodelled(at: id, reason: .valueTooLarge) }
      return Cases(problem.constant(.list(constants)))
    }
    let isDefined = problem.graph.and(elements.map { defined($0) })
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .list(elements))])
  }

  /// Returns the proposition that a value is not an error.
  package func defined(_ value: Cases) -> Ref { problem.graph.or(value.cases.map { $0.guardRef }) }

  private func map(
    _ entries: [Expression.MapEntry], at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    var fields: [Shape.Field] = []
    var areDefined: [Ref] = []
    var isKnown = true
    for entry in entries {
      let key = guarded(by: OperandTypes.key, operands: [cases(of: entry.key, in: frame)], at: id) {
        Cases($0[0])
      }
      let value = cases(of: entry.value, in: frame)
      // Every entry is evaluated, even if a later one replaces it, so its error is the map's.
      areDefined += [defined(key), defined(value)]
      guard let term = key.onlyTerm, case .string(let name) = problem.terms.value(of: term) else {
        isKnown = false
        continue
      }
      // A repeated key keeps its first position.
      if let place = fields.firstIndex(where: { $0.key == name }) {
        fields[place].value = value
      } else {
        fields.append(Shape.Field(key: name, value: value))
      }
    }
    let isDefined = problem.graph.and(areDefined)
    if isDefined == .no { return .error }
    guard isKnown else {
      return under(isDefined, value: opaque(at: id, reason: "a map whose keys are computed"))
    }
    if Cases.areTooHeavy(fields.map { $0.value }) {
      return opaque(at: id, reason: "a map with very many parts")
    }
    if let constants = constantValues(fields.map { $0.value }) {
      if Value.areTooHeavy(constants) { return unmodelled(at: id, reason: .valueTooLarge) }
      let pairs = zip(fields, constants).map { ($0.0.key, $0.1) }
      return under(isDefined, value: Cases(problem.constant(.map(MapValue(pairs)))))
    }
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .record(fields))])
  }

  /// Returns the constants that values always are; nil if one may be anything else.
  func constantValues(_ all: [Cases]) -> [Value]? {
    var values: [Value] = []
    for each in all {
      guard let term = each.onlyTerm, let value = problem.terms.value(of: term) else { return nil }
      values.append(value)
    }
    return values
  }

  /// Returns the value of a conditional.
  package func choose(_ chooses: Rails, then one: Cases, else other: Cases) -> Cases {
    under(chooses.yes, value: one).union(under(chooses.no, value: other))
  }

  /// Returns a value whose cases have one more condition.
  package func under(_ condition: Ref, value: Cases) -> Cases {
    Cases(
      cases: value.cases.map {
        Cases.Case(guardRef: problem.graph.and(condition, $0.guardRef), shape: $0.shape)
      })
  }

  // MARK: Functions

  private func call(with arguments: [Cases], at id: ExprID, in frame: SymbolicFrame) -> Cases {
    switch rules.binding(id) {
    case .function(let function): return call(function, with: arguments, in: frame)
    case .builtin(let builtin): return builtinCall(builtin, with: arguments, at: id, in: frame)
    case .unknownFunction: return unknownCall(of: rules.calleeName(id), with: arguments, at: id)
    case .none, .local, .capture, .request, .resource, .unknownVariable: return .error
    }
  }

  /// Inlines a function call. An argument's error matters only where the parameter is read, which the cases
  /// of the parameter express.
  package func call(_ function: FunctionID, with arguments: [Cases], in frame: SymbolicFrame)
    -> Cases
  {
    guard rules.ruleset[function].parameters.count == arguments.count else { return .error }
    // The hash of the key visits shared parts each time.
    _ = problem.goesOn(Cases.weight(of: arguments))
    let key = CallKey(
      function: function, arguments: arguments, captures: frame.captures,
      seesDocument: frame.seesDocument)
    if let known = calls[key] { return known }
    var inner = SymbolicFrame(
      captures: frame.captures, locals: arguments, seesDocument: frame.seesDocument)
    let orders = orderCount
    let body = rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      inner.locals.append(cases(of: value.root, in: inner))
    }
    guard let body else { return .error }
    let result = cases(of: body.root, in: inner)
    if orderCount == orders { calls[key] = result }
    return result
  }
}

extension Cases {
  /// The term that the value always is; nil for others.
  var onlyTerm: TermID? {
    if case .term(let term) = only { return term }
    return nil
  }

  /// Returns the cases of both values.
  package func union(_ other: Cases) -> Cases {
    var merged = cases
    for each in other.cases where !merged.contains(each) { merged.append(each) }
    return Cases(cases: merged)
  }
}
