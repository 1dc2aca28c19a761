import RulesEval
package import RulesLang
package import RulesSolver

// Turns conditions into propositions: for each expression when it is true, when it is false, or,
// for other values, which value it has in which case. Where neither applies it ends in an error.
//
// The two rails are not each other's negation: `resource.data.locked == false` is neither true nor
// false of a document without the field. So `!e` swaps the rails, and nothing ever negates one.
//
// Functions of the rules file are inlined; the graph keeps equal propositions once, so a function
// that is called twice with the same arguments costs nothing the second time.
//
// What is not interpreted (`opaque`) is free in value *and* in whether it is an error: it can only
// make more requests seem possible, never fewer.

/// A frame of variables: what the names of one body stand for.
package struct SymbolicFrame: Hashable {
  /// What the captures of the match blocks are, outermost first.
  package var captures: [Cases]
  /// The parameters, then the lets so far.
  package var locals: [Cases] = []
  /// Whether `resource` is the document itself, as in claims, or what the rules see of it.
  package var seesDocument: Bool

  /// Makes one of its parts.
  package init(captures: [Cases], locals: [Cases] = [], seesDocument: Bool) {
    self.captures = captures
    self.locals = locals
    self.seesDocument = seesDocument
  }
}

/// A place in the rules that is not interpreted.
package struct OpaquePlace {
  /// Where.
  package var range: SourceRange
  /// What it is, in a few words.
  package var reason: String
}

/// Compiles conditions of one rules file for one scenario.
package final class Compiler {
  /// The rules.
  package let rules: Checked
  /// The terms of the write that the conditions are asked about, or of the read.
  package let scene: ScenarioTerms
  /// The terms of the scenario; others than `scene` if that is another write of the same commit.
  package let home: ScenarioTerms
  /// The keys that rules and claims name, as terms, in a fixed order.
  package private(set) var keys: [TermID]
  /// The question so far.
  package var problem: Problem
  /// The places that are not interpreted; a flag `defined(n)` belongs to those with number n.
  package private(set) var obstacles: [(number: Int, place: OpaquePlace)] = []
  /// What is unknown so far, so that the same expression of the same values is the same unknown.
  var unknowns = Unknowns()
  /// Where functions stand of which nothing is known but that equal arguments give equal results.
  package private(set) var unknownFunctions: [(term: TermID, place: OpaquePlace)] = []
  /// How many expressions have been compiled.
  private var effort = 0
  /// What calls give.
  var calls: [CallKey: Cases] = [:]
  /// What parts of conditions come to that are no `&&`, `||` and `?:` of others; nil if it is not kept.
  var parts: [ExprID: [KnownPart]]?
  /// What conditions come to that are asked about again and again.
  private var asked: [Unknowns.Place: Rails] = [:]
  /// What conditions are about, once it was asked for.
  var subjects = Subjects()
  /// What the expressions with uninterpreted places do, by place.
  package var forms: [Unknowns.Place: Unknowns.Form] = [:]
  /// How many lists of a map's values were made that are like no other.
  var orderCount = 0
  /// The numbers of what is unknown at a place of these rules alone, by place.
  var ownUnknowns: [Unknowns.Place: Int] = [:]
  /// The maps that are asked for unnamed keys, with whom they are compared.
  package var pairs: [TermID: [(after: TermID, before: TermID)]] = [:]
  /// The keys with some fates between two maps, where they were asked for.
  var keySets: [KeySet] = []
  /// The greatest number of unnamed keys that was asked of each map, where it was more than one.
  package var counted: [TermID: Int] = [:]

  /// When sets have so many keys, where that was asked for.
  var keyCounts: [KeyCount: Ref] = [:]
  /// The lists of which `hasOnly` was asked, with what they may have.
  package var onlyElements: [(list: TermID, allowed: TermID)] = []
  /// The lookups that conditions can make, the request's own document aside.
  package var lookups: Set<Lookup> = []
  /// The documents that conditions look up in their state after a commit.
  var afterPaths: [[TermID]] = []
  /// Whether all names in conditions are among the keys, by statement, where that was asked for.
  var named: [AllowID: Bool] = [:]
  /// Where they are looked up first; nil in other rules than these.
  var afterPlaces: [SourceRange?] = []
  /// The documents after a commit of which it is asked whether they are null.
  var nullable: Set<TermID> = []
  /// Why further writes of a commit were left open, if they were.
  package var commitCut: Doubt?
  /// When a commit makes writes that were left open, and when what stands in a path is no text: a model with
  /// one of them is seldom confirmed, or is about a document with an odd name.
  package var unlikely: [Ref] = []
  /// The places at which the evaluator has no answer, whatever the request, so that it does not decide
  /// one that comes to them.
  package var unmodelledPlaces: [Doubt] = []
  /// What conditions cost, as far as it is known.
  var cost: Cost
  /// Whether all conditions are compiled, and what ties them together is stated.
  package var isClosed = false
  /// The fields of a query's promise that are tied to the document.
  var linked: Set<TermID> = []
  /// The comparisons of promises that are tied to the document.
  package var promised: Set<PromiseKey> = []

  /// Beyond so many expressions a condition counts as too large to reason about.
  private static let greatestEffort = 200_000
  /// A value with more cases than this is not followed.
  static let greatestCases = 24

  /// The variables that every condition has.
  struct Subjects {
    var request: Cases?
    var stored: Cases?
    var path: Cases?
  }

  /// A comparison of a promise with something.
  package struct PromiseKey: Hashable {
    /// The comparison.
    package var op: BinaryOperator
    /// Its left operand.
    package var left: TermID
    /// Its right operand.
    package var right: TermID
  }

  /// Makes a compiler; `keys` are the names that may be keys of documents.
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

  /// Makes a compiler that goes on where another left off, with other rules or for another write of
  /// the same commit: both speak of the same requests, and what is the same in both is one
  /// proposition.
  package init(_ rules: Checked, continuing other: Compiler, at scene: ScenarioTerms? = nil) {
    self.rules = rules
    self.scene = scene ?? other.home
    home = other.home
    cost = rules === other.rules ? other.cost : Cost(rules)
    keys = other.keys
    problem = other.problem
    adoptNotes(of: other)
  }

  /// Goes on where another compiler of the same requests left off.
  package func adopt(_ other: Compiler) {
    problem = other.problem
    adoptNotes(of: other)
  }

  /// Takes over what another compiler of the same requests knows beside the propositions.
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
    commitCut = isSame ? other.commitCut : other.commitCut.map { Doubt($0.reason) }
    linked = other.linked
    promised = other.promised
  }

  /// Counts the places that another compiler of the same rules did not interpret among its own.
  package func adoptPlaces(of other: Compiler) {
    obstacles += other.obstacles
    unknownFunctions += other.unknownFunctions
  }

  /// Makes a copy that goes its own way from here.
  package convenience init(copying other: Compiler) {
    self.init(other.rules, continuing: other)
    adoptPlaces(of: other)
    effort = other.effort
    (calls, parts) = (other.calls, other.parts)
    subjects = other.subjects
    forms = other.forms
    ownUnknowns = other.ownUnknowns
    lookups = other.lookups
    unmodelledPlaces = other.unmodelledPlaces
  }

  /// Whether a condition was too large, or the budget is spent.
  var isOverwhelmed: Bool { effort > Self.greatestEffort }

  /// Whether a question was broken off for want of steps, so that what others would find here is less
  /// than they would by themselves.
  package var isCutShort: Bool { problem.budget?.isSpent ?? false }

  /// Begins with another question of the same requests, at its own cost.
  package func begin(within budget: Budget) {
    problem.budget = budget
    effort = 0
  }

  /// Counts an expression.
  private func takeEffort() {
    effort += problem.goesOn(8) ? 1 : Self.greatestEffort + 1
  }

  // MARK: Opaque places

  /// A value about which nothing is known but its types, not even whether there is one.
  package func opaque(at id: ExprID, reason: String, types: TypeSet = .any) -> Cases {
    opaque(number: unknownNumber(at: id, reason: reason), at: id, reason: reason, types: types)
  }

  /// The same, where it is known which unknown it is.
  package func opaque(
    number: Int, at id: ExprID, reason: String, types: TypeSet = .any
  ) -> Cases {
    obstacles.append((number, OpaquePlace(range: rules.ruleset[id].range, reason: reason)))
    return Cases(cases: [unknown(number, types: types)])
  }

  /// An unknown value, where it is defined.
  func unknown(_ number: Int, types: TypeSet) -> Cases.Case {
    let value = problem.terms.variable(.unknown(number), types: types.intersection(valueTypes))
    return Cases.Case(guardRef: problem.flag(.defined(number)), shape: .term(value))
  }

  /// Notes where an unknown value is read.
  package func note(_ number: Int, at place: OpaquePlace) { obstacles.append((number, place)) }

  /// Notes that terms apply a function that is not interpreted.
  package func note(_ terms: [TermID], at id: ExprID, as what: String) {
    let place = OpaquePlace(range: rules.ruleset[id].range, reason: "\(what) is not followed")
    unknownFunctions += terms.map { ($0, place) }
  }

  // MARK: Rails

  /// When a condition is true and when it is false.
  package func rails(of id: ExprID, in frame: SymbolicFrame) -> Rails {
    takeEffort()
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

  /// When a condition is true and when it is false, remembered for whoever asks again.
  package func knownRails(of id: ExprID, in frame: SymbolicFrame) -> Rails {
    let place = Unknowns.Place(id: id, frame: frame)
    if let known = asked[place] { return known }
    let rails = rails(of: id, in: frame)
    // What was broken off is no answer for others.
    if !isOverwhelmed { asked[place] = rails }
    return rails
  }

  /// When one condition or another is true and when it is false.
  func rails(_ chooses: Rails, then one: Rails, else other: Rails) -> Rails {
    func either(_ left: Ref, or right: Ref) -> Ref {
      problem.graph.or(
        problem.graph.and(chooses.yes, left), problem.graph.and(chooses.no, right))
    }
    return Rails(yes: either(one.yes, or: other.yes), no: either(one.no, or: other.no))
  }

  /// When a value is true and when it is false.
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

  /// A condition as a value.
  package func cases(of rails: Rails) -> Cases {
    Cases(cases: [
      Cases.Case(guardRef: problem.graph.or(rails.yes, rails.no), shape: .truth(rails.yes))
    ])
  }

  // MARK: Values

  /// What an expression is, by cases.
  package func cases(of id: ExprID, in frame: SymbolicFrame) -> Cases {
    takeEffort()
    let id = rules.ruleset.unparenthesized(id)
    if isOverwhelmed { return opaque(at: id, reason: "the condition is too large") }
    let outer = unknowns.enter(Unknowns.Place(id: id, frame: frame))
    defer { unknowns.leave(to: outer) }
    let value = dispatch(id, in: frame)
    return value.cases.count > Self.greatestCases ? opaque(at: id, reason: "too many cases") : value
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

  /// A list that is written out is an error as soon as one element is.
  func list(_ elements: [Cases], at id: ExprID) -> Cases {
    if Cases.areTooHeavy(elements) { return opaque(at: id, reason: "a list with very many parts") }
    if let constants = constantValues(elements) {
      if Value.areTooHeavy(constants) { return unmodelled(at: id, reason: .valueTooLarge) }
      return Cases(problem.constant(.list(constants)))
    }
    let isDefined = problem.graph.and(elements.map { defined($0) })
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .list(elements))])
  }

  /// When a value is not an error.
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
      // Each is evaluated, also one that a later one replaces, and its error is one of the map.
      areDefined += [defined(key), defined(value)]
      guard let term = key.onlyTerm, case .string(let name) = problem.terms.value(of: term) else {
        isKnown = false
        continue
      }
      // A key that is repeated keeps its place.
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

  /// The values of cases that are all constants; nil if one is not.
  func constantValues(_ all: [Cases]) -> [Value]? {
    var values: [Value] = []
    for each in all {
      guard let term = each.onlyTerm, let value = problem.terms.value(of: term) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The cases of one value or another.
  package func choose(_ chooses: Rails, then one: Cases, else other: Cases) -> Cases {
    under(chooses.yes, value: one).union(under(chooses.no, value: other))
  }

  /// A value with a further condition on all its cases.
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

  /// Inlines a function. Arguments that fail do no harm until they are read, which the cases of the
  /// parameters say by themselves.
  package func call(_ function: FunctionID, with arguments: [Cases], in frame: SymbolicFrame)
    -> Cases
  {
    guard rules.ruleset[function].parameters.count == arguments.count else { return .error }
    // What is shared counts each time in the key's hash.
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
  /// The term that the value always is.
  var onlyTerm: TermID? {
    if case .term(let term) = only { return term }
    return nil
  }

  /// The cases of both.
  package func union(_ other: Cases) -> Cases {
    var merged = cases
    for each in other.cases where !merged.contains(each) { merged.append(each) }
    return Cases(cases: merged)
  }
}
