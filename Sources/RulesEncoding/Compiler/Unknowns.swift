package import RulesLang
import RulesSolver

// Uninterpreted expressions are functions of their operands: the same operator on the same values gives the
// same result. So an uninterpreted place is numbered by its operator and the cases of its operands rather
// than by its position. Two versions of a rules file, or a rule and a claim, then share an unknown even if
// one of them reaches it through a function call.
//
// Compiling one operator can reach several uninterpreted places; their order, which depends on the operands
// alone, distinguishes them.

/// The numbering of uninterpreted places.
package struct Unknowns {
  /// An expression under a frame of variables.
  package struct Place: Hashable {
    /// The expression.
    package var id: ExprID
    /// The values of its variables.
    package var frame: SymbolicFrame
  }

  /// An operator applied to values: expressions of equal form have equal results.
  package struct Form: Hashable {
    /// The operator.
    package var kind: Kind
    /// The operands.
    package var operands: [Cases]
  }

  /// An operator: an expression without its operands.
  package enum Kind: Hashable {
    case literal(Literal)
    case variable(Cases)
    case list, map, parenthesized, not, negate, conditional, index, invalid
    case slice(hasStart: Bool, hasEnd: Bool)
    case path([Text?])
    case binary(BinaryOperator)
    case isType(TypeWord)
    case member(Text)
    case call(Builtin)
    case method(Text)
  }

  private struct Key: Hashable {
    var form: Form
    var reason: String
    var ordinal: Int
  }

  fileprivate struct Count: Hashable {
    var reason: String
    var id: ExprID
  }

  /// The expression that is being compiled, with the number of uninterpreted places reached so far.
  package struct Context {
    fileprivate var place: Place?
    fileprivate var counts: [Count: Int] = [:]
  }

  private var context = Context(place: nil)
  private var numbers: [Key: Int] = [:]
  /// A lookup of a path that is the value of a term.
  struct ComputedLookup: Hashable {
    /// `get`, `exists`, `getAfter` or `existsAfter`.
    var builtin: Builtin
    /// The path.
    var path: TermID
    /// The number of the write that looks it up.
    var write: Int
  }

  private var lookups: [ComputedLookup: Int] = [:]
  private var next = 0

  private mutating func fresh() -> Int {
    next += 1
    return next - 1
  }

  /// Starts an expression and returns the context to restore with `leave(to:)`. With nil, every uninterpreted
  /// place until then gets a fresh number.
  mutating func enter(_ place: Place?) -> Context {
    let outer = context
    context = Context(place: place)
    return outer
  }

  /// Restores the context of the enclosing expression.
  package mutating func leave(to outer: Context) { context = outer }

  /// The expression that is being compiled; nil if places get fresh numbers.
  package var place: Place? { context.place }

  /// Returns the number of an uninterpreted place in the expression that is being compiled: shared by equal
  /// forms, fresh if `form` is nil.
  package mutating func number(of form: Form?, at id: ExprID, reason: String) -> Int {
    guard let form else { return fresh() }
    let count = Count(reason: reason, id: id)
    let ordinal = context.counts[count, default: 0]
    context.counts[count] = ordinal + 1
    let key = Key(form: form, reason: reason, ordinal: ordinal)
    if let known = numbers[key] { return known }
    let number = fresh()
    numbers[key] = number
    return number
  }

  /// The lookups of computed paths with their numbers, in order of number.
  var computedLookups: [(lookup: ComputedLookup, number: Int)] {
    lookups.map { ($0.key, $0.value) }.sorted { $0.1 < $1.1 }
  }

  /// Returns the number of a computed lookup's result, true if the number is new, and the number of a second
  /// lookup if that occurred before.
  mutating func number(
    of lookup: ComputedLookup, beside other: ComputedLookup
  ) -> (own: Int, isNew: Bool, other: Int?) {
    if let known = lookups[lookup] { return (known, false, lookups[other]) }
    let number = fresh()
    lookups[lookup] = number
    return (number, true, lookups[other])
  }
}

extension Compiler {
  /// Returns the number of an uninterpreted place in the expression that is being compiled.
  func unknownNumber(at id: ExprID, reason: String) -> Int {
    guard let place = unknowns.place, !isOverwhelmed, place.id == id else {
      return unknowns.number(of: nil, at: id, reason: reason)
    }
    let form = form(of: place)
    // Compiling the operands may have exceeded the limits.
    return unknowns.number(of: isOverwhelmed ? nil : form, at: id, reason: reason)
  }

  /// Returns the form of an expression; nil for a call of a function of the rules, which another file may
  /// define differently.
  private func form(of place: Unknowns.Place) -> Unknowns.Form? {
    if let known = forms[place] { return known }
    guard let kind = kind(of: place) else { return nil }
    let expression = rules.ruleset[place.id]
    var operands: [Cases] = []
    expression.forEachOperand { operands.append(cases(of: $0, in: place.frame)) }
    let form = Unknowns.Form(kind: kind, operands: operands)
    forms[place] = form
    return form
  }

  private func kind(of place: Unknowns.Place) -> Unknowns.Kind? {
    switch rules.ruleset[place.id].kind {
    case .literal(let literal): .literal(literal)
    case .variable: .variable(variable(place.id, in: place.frame))
    case .list: .list
    case .map: .map
    case .path(let parts): .path(parts.map { $0.text })
    case .parenthesized: .parenthesized
    case .not: .not
    case .negate: .negate
    case .binary(let op, _, _): .binary(op)
    case .isType(_, let word): .isType(word)
    case .conditional: .conditional
    case .member(_, let name): .member(name.text)
    case .index: .index
    case .slice(_, let start, let end): .slice(hasStart: start != nil, hasEnd: end != nil)
    case .call:
      if case .builtin(let builtin) = rules.binding(place.id) { .call(builtin) } else { nil }
    case .method(_, let name, _): .method(name.text)
    case .invalid: .invalid
    }
  }
}

extension PathPart {
  /// The source text; nil for an interpolation.
  fileprivate var text: Text? {
    switch kind {
    case .literal(let text): Text("/") + text
    case .capture(let name), .glob(let name): name.text
    case .interpolation: nil
    }
  }
}
