import RulesEval
import RulesLang

// Makes the question of a claim from the tree of the rules, one short rule for each form of expression
// (Docs/Proofs.md §5 lists them). It is not meant to be fast, nor to say all that is true.
//
// Sound: every request in the claim's scope that refutes it is a model of the question. So whatever is
// not looked into is a function of its operands, free in its value *and* in whether it is an error, and
// whatever is stated must be true of every request. Which types an operation takes is read off the
// table of built-ins; an operand of another type is an error. Nothing else ever is, except where the
// language says so for exactly these operands.
// Complete for what rules are usually made of; where a proof needs more, there is no certificate.

/// What the names of a body stand for.
struct Frame: Hashable {
  /// What the captures of the match blocks are, outermost first.
  var captures: [Cases]
  /// The parameters, then the lets so far.
  var locals: [Cases] = []
  /// Whether `resource` is the document itself, as in claims, or what the rules see of it.
  var seesDocument: Bool
}

/// Encodes conditions for one kind of request.
final class Encoder {
  /// The claim with the rules.
  let stated: StatedClaim
  /// The kind of request.
  let kind: RequestKind
  /// The rules.
  var rules: Checked { stated.rules }
  /// The question so far.
  var question = Question()
  /// The write, or read, that is asked about.
  private(set) var home: Scene
  /// That one, or another write of the same commit whose conditions are encoded.
  var scene: Scene
  /// The strings that rules and claim mention, as terms: the keys that are told apart by name.
  var keys: [Term] = []
  /// The unknowns that stand for values with many cases.
  var names: [Cases: Cases] = [:]
  /// How many unknowns have no other name than a number.
  var freshCount = 0
  /// Maps that are compared, and lists of which `hasOnly` was asked.
  var pairs: Set<[Term]> = []
  /// The sets of keys whose size is asked for, by the term of the size.
  var sizes: [Term: KeySet] = [:]
  /// The paths of documents that conditions look up in their state after the commit.
  var afterPaths: [[Term]] = []
  /// How many lists are of values in the order in which these were written.
  var orderCount = 0
  private var calls: [CallKey: Cases] = [:]
  /// The expressions, and parts of values that are compared, so far.
  var effort = 0

  /// Conditions with more expressions than this, functions and comparisons of collections written out,
  /// are not encoded.
  private static let greatestEffort = 20_000
  /// Nor are those whose conjunctions have more parts than this, for want of memory.
  private static let greatestSize = 1_000_000

  private struct CallKey: Hashable {
    var function: FunctionID
    var frame: Frame
    var scene: Int
  }

  /// Starts the question of a claim for a kind of request.
  init(_ stated: StatedClaim, _ kind: RequestKind) {
    self.stated = stated
    self.kind = kind
    home = Scene(kind, &question)
    scene = home
    keys = Set(stated.rules.ruleset.expressions.flatMap { $0.strings })
      .sorted(by: Text.precedesByCodePoint).map { question.text($0) }
    assumeOwnDocument()
  }

  /// Whether the conditions were too much.
  var isOverwhelmed: Bool {
    effort > Self.greatestEffort || question.size > Self.greatestSize
  }

  // MARK: Conditions

  /// When a condition is true and when it is false. `&&` and `||` absorb an error if the other side
  /// decides.
  func rails(_ id: ExprID, _ frame: Frame) -> Rails {
    let id = rules.ruleset.unparenthesized(id)
    effort += 1
    if isOverwhelmed { return Rails(yes: .no, no: .no) }
    switch rules.ruleset[id].kind {
    case .not(let operand):
      let inner = rails(operand, frame)
      return Rails(yes: inner.no, no: inner.yes)
    case .binary(.and, let left, let right):
      let (one, other) = (rails(left, frame), rails(right, frame))
      return Rails(
        yes: question.all([one.yes, other.yes]), no: question.any([one.no, other.no]))
    case .binary(.or, let left, let right):
      let (one, other) = (rails(left, frame), rails(right, frame))
      return Rails(
        yes: question.any([one.yes, other.yes]), no: question.all([one.no, other.no]))
    case .binary(let op, let left, let right) where op.isComparison:
      return rails([cases(left, frame), cases(right, frame)]) { compare(op, $0[0], $0[1]) }
    case .isType(let operand, let word):
      return rails([cases(operand, frame)]) { total(question.isType(of: $0[0], in: word.accepts)) }
    case .conditional(let condition, let one, let other):
      let chooses = rails(condition, frame)
      let (one, other) = (rails(one, frame), rails(other, frame))
      func either(_ left: Prop, _ right: Prop) -> Prop {
        question.any([question.all([chooses.yes, left]), question.all([chooses.no, right])])
      }
      return Rails(yes: either(one.yes, other.yes), no: either(one.no, other.no))
    default: return rails(of: cases(id, frame))
    }
  }

  // MARK: Values

  /// What an expression is, by cases.
  func cases(_ id: ExprID, _ frame: Frame) -> Cases {
    let id = rules.ruleset.unparenthesized(id)
    effort += 1
    if isOverwhelmed { return .error }
    switch rules.ruleset[id].kind {
    case .literal(let literal): return Cases(question.constant(Value(literal)))
    case .variable: return variable(id, frame)
    case .list(let elements): return each(elements.map { cases($0, frame) }) { list($0) }
    case .map(let entries): return map(entries, frame)
    case .path(let parts): return path(parts, frame)
    case .parenthesized(let inner): return cases(inner, frame)
    case .not, .isType, .binary(.and, _, _), .binary(.or, _, _):
      return cases(of: rails(id, frame))
    case .binary(let op, let left, let right):
      if op.isComparison { return cases(of: rails(id, frame)) }
      return each([cases(left, frame), cases(right, frame)]) { arithmetic(op, $0[0], $0[1]) }
    case .negate(let operand):
      // The one literal that only exists negated is already negative.
      if case .literal(.int(.min)) = rules.ruleset[operand].kind { return cases(operand, frame) }
      return each([cases(operand, frame)]) { negate($0[0]) }
    case .conditional(let condition, let one, let other):
      return choose(rails(condition, frame), cases(one, frame), cases(other, frame))
    case .member(let base, let name):
      return each([cases(base, frame)]) { member($0[0], name.text) }
    case .index(let base, let key):
      return each([cases(base, frame), cases(key, frame)]) { index($0[0], $0[1]) }
    case .slice(let base, let from, let to):
      let bounds = [from, to].map { $0.map { cases($0, frame) } ?? Cases(question.null) }
      return each([cases(base, frame)] + bounds) { terms in
        computed(.slice, terms, when: question.isType(of: terms[0], in: [.string, .list, .path]))
      }
    case .call(_, let arguments): return call(id, arguments.map { cases($0, frame) }, frame)
    case .method(let receiver, let name, let arguments):
      let operands = [cases(receiver, frame)] + arguments.map { cases($0, frame) }
      return each(operands) { method(name.text, $0[0], Array($0.dropFirst())) }
    case .invalid: return .error
    }
  }

  private func call(_ id: ExprID, _ arguments: [Cases], _ frame: Frame) -> Cases {
    switch rules.binding(id) {
    case .function(let function): return call(function, arguments, frame)
    case .builtin(let builtin) where builtin.isLookup:
      return each(arguments) { lookup(builtin, $0, frame) }
    case .builtin(.debug):
      // All are evaluated, and the first one is the result.
      guard let first = arguments.first, rules.profile.hasDebug else { return .error }
      return under(question.all(arguments.map { defined($0) }), first)
    case .builtin(let builtin):
      return each(arguments) { terms in
        computed(
          .builtin(builtin), terms, when: fits(builtin, terms),
          total: isTotal(builtin, terms))
      }
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      return .error
    }
  }

  /// A function is its body, with arguments that may be errors until they are read.
  func call(_ function: FunctionID, _ arguments: [Cases], _ frame: Frame) -> Cases {
    let declaration = rules.ruleset[function]
    guard declaration.parameters.count == arguments.count else { return .error }
    var inner = Frame(
      captures: frame.captures, locals: arguments, seesDocument: frame.seesDocument)
    let key = CallKey(function: function, frame: inner, scene: scene.number)
    if let known = calls[key] { return known }
    let orders = orderCount
    for binding in declaration.lets { inner.locals.append(cases(binding.value.root, inner)) }
    let result = cases(declaration.result.root, inner)
    // Two maps that are the same can have been written in another order.
    if orderCount == orders { calls[key] = result }
    return result
  }

  // MARK: Literals

  /// A list that is written out. Only one with very many parts is an error.
  private func list(_ elements: [Term]) -> Cases {
    Cases(question.apply(.list, to: elements), when: isLight(elements))
  }

  /// Values that are put together have no more parts than a value may have.
  private func isLight(_ parts: [Term]) -> Prop {
    let containers: TypeSet = [.list, .map, .set, .vector]
    let areSmall = parts.allSatisfy { part in
      question.value(of: part) != nil
        || question.types(of: part).isDisjoint(with: containers)
    }
    return areSmall ? .yes : question.holds(.defined(.compose("light")), of: parts)
  }

  /// A map that is written out: every key is a string and every value is no error, even one that a
  /// later entry with the same key replaces.
  private func map(_ entries: [Expression.MapEntry], _ frame: Frame) -> Cases {
    let operands = entries.flatMap { [cases($0.key, frame), cases($0.value, frame)] }
    return each(operands) { terms in
      var fields: [(name: Text, value: Term)] = []
      var areStrings: [Prop] = []
      for place in stride(from: 0, to: terms.count, by: 2) {
        areStrings.append(question.isType(of: terms[place], in: .string))
        guard let name = question.text(of: terms[place]) else { continue }
        fields.removeAll { $0.name == name }
        fields.append((name, terms[place + 1]))
      }
      let areKeys = question.all(areStrings)
      let names = stride(from: 0, to: terms.count, by: 2).map { terms[$0] }
      guard names.allSatisfy({ question.text(of: $0) != nil }) else {
        let whole = question.apply(.value(.compose("map")), to: terms)
        let isMap = question.isType(of: whole, in: .map)
        return Cases(
          whole,
          when: question.all([
            areKeys, isMap, question.holds(.defined(.compose("map")), of: terms),
          ]))
      }
      let values = fields.map { $0.value }
      return Cases(
        question.apply(.record(fields.map { $0.name }), to: values), when: isLight(values))
    }
  }
}

extension BinaryOperator {
  /// Whether it gives a bool from two values of any kind.
  fileprivate var isComparison: Bool {
    switch self {
    case .in, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual: true
    case .or, .and, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }
}

extension Expression {
  /// The strings that the node mentions, which can be keys of maps.
  fileprivate var strings: [Text] {
    switch kind {
    case .literal(.string(let text)): [text]
    case .member(_, let name): [name.text]
    default: []
    }
  }
}
