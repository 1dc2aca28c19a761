package import RulesLang
import RulesSolver

// Whatever is not interpreted is still a function of the request: the same operator on the same
// values gives the same result. So an uninterpreted place is numbered by what stands there and by
// the cases of its operands, not by where it stands. Two versions of a rules file, or a rule and a
// claim, then agree on it even if one of them calls a function for it.
//
// Compiling one operator can meet several uninterpreted places; they are told apart by their order,
// which depends on the operands alone.

/// The numbers of what is not interpreted.
package struct Unknowns {
  /// An expression that is being compiled.
  package struct Place: Hashable {
    /// The expression.
    package var id: ExprID
    /// What its names stand for.
    package var frame: SymbolicFrame
  }

  /// An expression by what it does to which values.
  package struct Form: Hashable {
    /// What it is, its operands aside.
    package var kind: Kind
    /// What its operands are.
    package var operands: [Cases]
  }

  /// A kind of expression without its operands.
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

  /// What is being compiled, and how many places it has met so far.
  package struct Context {
    fileprivate var place: Place?
    fileprivate var counts: [Count: Int] = [:]
  }

  private var context = Context(place: nil)
  private var numbers: [Key: Int] = [:]
  /// A lookup of a path that is not followed.
  struct ComputedLookup: Hashable {
    /// Which of the four.
    var builtin: Builtin
    /// The path.
    var path: TermID
    /// The write that sees it, of several of one commit.
    var write: Int
  }

  private var lookups: [ComputedLookup: Int] = [:]
  private var next = 0

  private mutating func fresh() -> Int {
    next += 1
    return next - 1
  }

  /// Begins an expression; nil if what is met is to be told apart from everything else.
  mutating func enter(_ place: Place?) -> Context {
    let outer = context
    context = Context(place: place)
    return outer
  }

  /// Ends it.
  package mutating func leave(to outer: Context) { context = outer }

  /// The expression that is being compiled.
  package var place: Place? { context.place }

  /// The number of a place inside the expression that is being compiled, which has a form; without
  /// one a number of its own.
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

  /// The lookups of computed paths with their numbers, in order.
  var computedLookups: [(lookup: ComputedLookup, number: Int)] {
    lookups.map { ($0.key, $0.value) }.sorted { $0.1 < $1.1 }
  }

  /// The number of what a lookup of a computed path gives, wherever it stands; whether it is new, and the
  /// number of another one if that was met.
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
  /// The number of an uninterpreted place in the expression that is being compiled.
  func unknownNumber(at id: ExprID, reason: String) -> Int {
    guard let place = unknowns.place, !isOverwhelmed, place.id == id else {
      return unknowns.number(of: nil, at: id, reason: reason)
    }
    let form = form(of: place)
    // The operands may have been too much.
    return unknowns.number(of: isOverwhelmed ? nil : form, at: id, reason: reason)
  }

  /// What an expression does to its operands; nil if it calls a function of the rules, which another
  /// file may define otherwise.
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
  /// What stands there; nil for an interpolation.
  fileprivate var text: Text? {
    switch kind {
    case .literal(let text): Text("/") + text
    case .capture(let name), .glob(let name): name.text
    case .interpolation: nil
    }
  }
}
