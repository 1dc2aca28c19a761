import RulesLang

// Terms of conditions. Lints compare conditions by their meaning rather than by their split into functions:
// calls are inlined, parameters and lets are replaced by their values, and equal expressions are one term.
//
// Sound: two expressions that are one term have the same value, or are both an error, in every request for
// the same path. Not complete: different terms may still have the same value.

/// The hash-consed terms of all conditions of a rules file, with functions inlined.
struct InlinedTerms {
  /// One term. Its operands have smaller indices, so terms are processed by loops.
  struct Term: Hashable, Comparable, Sendable {
    /// The index in the table.
    let index: Int

    /// Orders operands before the terms that use them.
    static func < (left: Term, right: Term) -> Bool { left.index < right.index }
  }

  /// A segment of a path term.
  enum Segment: Hashable, Sendable {
    case literal(Text)
    case value(Term)
  }

  /// The node of a term.
  enum Node: Hashable, Sendable {
    case literal(Literal)
    case request, resource
    /// The segment of the request's path at an index of the block's pattern; behind a glob counted from the
    /// end, the last one is -1.
    case capture(Int)
    /// The segments that match the glob of the block's pattern.
    case run
    case list([Term])
    /// Keys and values in turn.
    case map([Term])
    case path([Segment])
    case not(Term), negate(Term)
    case binary(BinaryOperator, Term, Term)
    case isType(Term, TypeWord)
    case conditional(Term, Term, Term)
    case member(Term, Text)
    case index(Term, Term)
    case slice(Term, Term?, Term?)
    case method(Term, Text, [Term])
    case builtin(Builtin, [Term])
    /// An expression that is not analysed; equal only to itself.
    case opaque(ExprID)
  }

  /// The node of each term, by its index.
  private(set) var nodes: [Node] = []
  private let checked: Checked
  private var known: [Node: Term] = [:]
  private var calls: [Call: Term] = [:]

  /// A call of a function with its arguments.
  private struct Call: Hashable {
    var function: FunctionID
    var arguments: [Term]
    var match: MatchID
  }

  /// Maximum terms of one file. Functions that pass ever longer arguments to each other would make any
  /// number; the largest of 126 real files has 475, one of 1,000 blocks 3,015.
  private static let greatestCount = 100_000

  /// Prepares to inline the conditions of these rules.
  init(_ checked: Checked) { self.checked = checked }

  /// The node of a term.
  subscript(term: Term) -> Node { nodes[term.index] }

  /// Inlines the condition of a statement; without a condition it is `true`.
  mutating func condition(of allow: AllowID) -> InlinedCondition {
    guard let body = checked.ruleset[allow].condition else {
      let root = term(.literal(.bool(true)))
      return InlinedCondition(root: root, own: [], in: self)
    }
    let terms = look(at: body, locals: [], in: checked.ruleset[allow].match)
    let own = zip(body.nodes, terms).map { (id: $0, term: $1) }
    return InlinedCondition(root: terms[terms.count - 1], own: own, in: self)
  }

  /// Returns the term of a node, making it if there is none yet.
  mutating func term(_ node: Node) -> Term {
    if let found = known[node] { return found }
    let made = Term(index: nodes.count)
    nodes.append(node)
    known[node] = made
    return made
  }

  private mutating func look(at body: Body, locals: [Term], in match: MatchID) -> [Term] {
    var view: [Term] = []
    view.reserveCapacity(body.root.index - body.first.index + 1)
    for index in body.first.index...body.root.index {
      let made = translated(ExprID(index), view, from: body.first.index, locals, match)
      view.append(made)
    }
    return view
  }

  /// Inlines a call. Recurses along calls, whose depth is limited.
  private mutating func result(of call: Call, at id: ExprID) -> Term {
    if let found = calls[call] { return found }
    guard nodes.count < Self.greatestCount else { return term(.opaque(id)) }
    var locals = call.arguments
    let body = checked.enter(call.function, arguments: locals.count, &locals) { value, locals in
      let terms = look(at: value, locals: locals, in: call.match)
      locals.append(terms[terms.count - 1])
    }
    let result = body.flatMap { look(at: $0, locals: locals, in: call.match).last }
    let found = result ?? term(.opaque(id))
    calls[call] = found
    return found
  }

  private mutating func translated(
    _ id: ExprID, _ view: [Term], from first: Int, _ locals: [Term], _ match: MatchID
  ) -> Term {
    func of(_ operand: ExprID) -> Term { view[operand.index - first] }
    switch checked.ruleset[id].kind {
    case .literal(let literal): return term(.literal(literal))
    case .variable: return variable(id, locals, match)
    case .list(let elements): return term(.list(elements.map { of($0) }))
    case .map(let entries): return term(.map(entries.flatMap { [of($0.key), of($0.value)] }))
    case .path(let parts): return term(.path(parts.compactMap { segment($0, of) }))
    case .parenthesized(let inner): return of(inner)
    case .not(let operand): return term(.not(of(operand)))
    case .negate(let operand): return term(.negate(of(operand)))
    case .binary(let symbol, let left, let right):
      let isSymmetric = symbol == .equal || symbol == .notEqual
      let (one, other) = (of(left), of(right))
      if isSymmetric, other < one { return term(.binary(symbol, other, one)) }
      return term(.binary(symbol, one, other))
    case .isType(let operand, let word): return term(.isType(of(operand), word))
    case .conditional(let condition, let one, let other):
      return term(.conditional(of(condition), of(one), of(other)))
    case .member(let base, let name): return term(.member(of(base), name.text))
    case .index(let base, let key): return term(.index(of(base), of(key)))
    case .slice(let base, let low, let high):
      return term(.slice(of(base), low.map { of($0) }, high.map { of($0) }))
    case .method(let receiver, let name, let arguments):
      return term(.method(of(receiver), name.text, arguments.map { of($0) }))
    case .call(_, let arguments): return call(id, arguments.map { of($0) }, match)
    case .invalid: return term(.opaque(id))
    }
  }

  private func segment(_ part: PathPart, _ of: (ExprID) -> Term) -> Segment? {
    switch part.kind {
    case .literal(let text): .literal(text)
    case .interpolation(let id): .value(of(id))
    case .capture, .glob: nil
    }
  }

  private mutating func variable(_ id: ExprID, _ locals: [Term], _ match: MatchID) -> Term {
    switch checked.binding(id) {
    case .local(let slot) where Int(slot) < locals.count: return locals[Int(slot)]
    case .capture(let slot):
      return term(place(of: slot, in: checked.matches[match.index].pattern) ?? .opaque(id))
    case .request: return term(.request)
    case .resource: return term(.resource)
    case .none, .local, .unknownVariable, .function, .builtin, .unknownFunction:
      return term(.opaque(id))
    }
  }

  private func place(of slot: UInt8, in pattern: [PatternStep]) -> Node? {
    var isBehindGlob = false
    for (index, step) in pattern.enumerated() {
      switch step {
      case .capture(slot): return .capture(isBehindGlob ? index - pattern.count : index)
      case .glob(slot): return .run
      case .glob: isBehindGlob = true
      case .literal, .capture: continue
      }
    }
    return nil
  }

  private mutating func call(_ id: ExprID, _ arguments: [Term], _ match: MatchID) -> Term {
    switch checked.binding(id) {
    case .function(let function):
      return result(of: Call(function: function, arguments: arguments, match: match), at: id)
    case .builtin(.debug) where arguments.count == 1: return arguments[0]
    case .builtin(let builtin): return term(.builtin(builtin, arguments))
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      return term(.opaque(id))
    }
  }
}

extension InlinedTerms {
  /// Returns the operands of a term.
  func operands(of term: Term) -> [Term] {
    switch self[term] {
    case .literal, .request, .resource, .capture, .run, .opaque: []
    case .list(let elements), .map(let elements): elements
    case .path(let segments):
      segments.compactMap { if case .value(let value) = $0 { value } else { nil } }
    case .not(let operand), .negate(let operand), .isType(let operand, _),
      .member(let operand, _):
      [operand]
    case .binary(_, let left, let right), .index(let left, let right): [left, right]
    case .conditional(let condition, let one, let other): [condition, one, other]
    case .slice(let base, let low, let high): [base] + [low, high].compactMap { $0 }
    case .method(let receiver, _, let arguments): [receiver] + arguments
    case .builtin(_, let arguments): arguments
    }
  }

  /// Returns the operands of a chain of one connective, in order; the term itself if it is none.
  func chain(_ symbol: BinaryOperator, of root: Term) -> [Term] {
    var found: [Term] = []
    var rest = [root]
    while let next = rest.popLast() {
      if case .binary(symbol, let left, let right) = self[next] {
        rest += [right, left]
      } else {
        found.append(next)
      }
    }
    return found
  }

  /// Returns the subterms of a term, itself first, operands after the terms that use them.
  func terms(in root: Term) -> [Term] {
    var seen: Set<Term> = [root]
    var rest = [root]
    while let next = rest.popLast() {
      for operand in operands(of: next) where seen.insert(operand).inserted { rest.append(operand) }
    }
    return seen.sorted { $0 > $1 }
  }

  /// Returns the text of a string constant.
  func text(_ term: Term) -> Text? {
    if case .literal(.string(let text)) = self[term] { text } else { nil }
  }

  /// True if a term is a member of another one with a name.
  func isMember(_ term: Term, _ name: Text, of base: (Node) -> Bool) -> Bool {
    guard case .member(let owner, name) = self[term] else { return false }
    return base(self[owner])
  }

  /// True if a term is `resource.data`.
  func isStoredData(_ term: Term) -> Bool { isMember(term, "data") { $0 == .resource } }

  /// True if a term is `request.resource`.
  func isWritten(_ term: Term) -> Bool { isMember(term, "resource") { $0 == .request } }

  /// True if a term is `request.resource.data`.
  func isWrittenData(_ term: Term) -> Bool {
    guard case .member(let base, "data") = self[term] else { return false }
    return isWritten(base)
  }

  /// True if a term is `request.auth`.
  func isAuth(_ term: Term) -> Bool { isMember(term, "auth") { $0 == .request } }

  /// True if a term is `request.auth.uid`.
  func isClient(_ term: Term) -> Bool {
    guard case .member(let base, "uid") = self[term] else { return false }
    return isAuth(base)
  }

  /// True if a term is `request.auth != null`.
  func isSignedIn(_ term: Term) -> Bool {
    guard case .binary(.notEqual, let one, let other) = self[term] else { return false }
    return isAuth(one) && self[other] == .literal(.null)
      || isAuth(other) && self[one] == .literal(.null)
  }

  /// True if a term is `request.auth == null`.
  func isSignedOut(_ term: Term) -> Bool {
    guard case .binary(.equal, let one, let other) = self[term] else { return false }
    return isAuth(one) && self[other] == .literal(.null)
      || isAuth(other) && self[one] == .literal(.null)
  }
}

/// The condition of a statement with the functions that it calls inlined.
struct InlinedCondition {
  /// The condition's term.
  let root: InlinedTerms.Term
  /// The expressions written in the statement itself, operands first, with their terms.
  let own: [(id: ExprID, term: InlinedTerms.Term)]
  /// All terms in it, operands after the terms that use them.
  let terms: [InlinedTerms.Term]

  /// Collects the terms of a condition.
  init(
    root: InlinedTerms.Term, own: [(id: ExprID, term: InlinedTerms.Term)], in table: InlinedTerms
  ) {
    self.root = root
    self.own = own
    terms = table.terms(in: root)
  }

  /// Returns the smallest expression of the statement itself whose term contains a term, directly or through
  /// a call.
  func place(of term: InlinedTerms.Term, in table: InlinedTerms) -> ExprID? {
    (own.first { $0.term == term } ?? own.first { table.terms(in: $0.term).contains(term) })?.id
  }
}
