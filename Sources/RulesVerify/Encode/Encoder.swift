import RulesEval
import RulesLang

// Encodes the SMT query of a claim from the syntax tree of the rules, by one short rule for each form of
// expression (Docs/Proofs.md §5 lists them).
//
// Sound: every request in scope that refutes the claim is a model of the SMT query. For this, an operation
// that is not interpreted is a function of its operands, free in its value *and* in whether it is an error,
// and every axiom is true of every request. The operand types of an operation come from the table of
// built-ins; an operand of another type is an error. An interpreted operation on operands of the right types
// is an error only where the language says so. Evaluation limits are not encoded: they can only deny. Claims
// that a denial could refute are rejected unless no limit can be reached (`StatedClaim.question`).
//
// Incomplete: the SMT query can have models that no request has. Then the claim has no certificate.

/// An environment: the values of the names in a function body or condition.
struct Frame: Hashable {
  /// The captures of the enclosing match blocks, outermost first.
  var captures: [Cases]
  /// The parameters, then the `let` bindings so far.
  var locals: [Cases] = []
  /// True if `resource` is the document itself, as in claims; false if it is the rules' view of it.
  var seesDocument: Bool
}

/// Encodes conditions for one kind of request.
final class Encoder {
  /// The claim, compiled with the rules.
  let stated: StatedClaim
  /// The kind of request.
  let kind: RequestKind
  /// The version of the rules whose conditions are being encoded.
  private(set) var rules: Checked
  /// The SMT query so far.
  var question = Question()
  /// The request that the claim is about.
  private(set) var home: Scene
  /// The write whose conditions are being encoded: `home`, or another write of the same commit.
  var scene: Scene
  /// The strings in rules and claim, as terms: the named keys of key sets.
  var keys: [Term] = []
  /// The unknowns that replace values with many cases.
  var names: [Cases: Cases] = [:]
  /// The number of unknowns that are identified by a number only.
  var freshCount = 0
  /// The pairs of maps whose key fates have axioms.
  var pairs: Set<[Term]> = []
  /// The key sets whose sizes are used, by the term of the size.
  var sizes: [Term: KeySet] = [:]
  /// The paths of the documents that conditions look up in the state after the commit.
  var afterPaths: [[Term]] = []
  /// The number of `values()` results so far, each of which is a new unknown.
  var orderCount = 0
  private var calls: [CallKey: Cases] = [:]
  /// The number of expressions encoded and parts of collections compared so far.
  var effort = 0
  /// The statements that can apply, with the rails of their conditions, once these are encoded.
  private(set) var encoded: [(statement: Statement, rails: Rails)] = []

  /// Maximum effort; beyond it the claim has no SMT query (`isOverwhelmed`). Function bodies and
  /// comparisons of literal collections count each time.
  private static let greatestEffort = 20_000
  /// Maximum total size of the conjunctions, and of the encodings that claims share; a bound of memory.
  static let greatestSize = 1_000_000

  private struct CallKey: Hashable {
    var function: FunctionID
    var frame: Frame
    var scene: Int
  }

  /// Starts the SMT query of a claim for a kind of request.
  init(_ stated: StatedClaim, for kind: RequestKind) {
    self.stated = stated
    self.kind = kind
    rules = stated.rules
    home = Scene(kind, in: &question)
    scene = home
    keys = stated.keys.map { question.text($0) }
    assumeOwnDocument()
  }

  /// Encodes conditions of another version of the rules from now on. What was encoded before, except for
  /// values of functions, says nothing of a version: unknowns are parts of the request.
  func turn(to other: Checked) {
    rules = other
    calls = [:]
  }

  /// Creates an independent copy for another claim about the same rules.
  ///
  /// - Requires: The other encoder has encoded no part of its claim, and the claims have the same strings.
  init(copying other: Encoder, for stated: StatedClaim) {
    self.stated = stated
    rules = stated.rules
    kind = other.kind
    question = other.question
    (home, scene) = (other.home, other.scene)
    (keys, names, freshCount) = (other.keys, other.names, other.freshCount)
    (pairs, sizes, afterPaths) = (other.pairs, other.sizes, other.afterPaths)
    (orderCount, calls, effort) = (other.orderCount, other.calls, other.effort)
    encoded = other.encoded
  }

  /// Encodes the conditions of the statements that can apply.
  func encodeStatements() {
    encoded = statements().map { ($0, rails(of: $0)) }
    question.share()
  }

  /// True if the conditions exceed the maximum effort or size.
  var isOverwhelmed: Bool {
    effort > Self.greatestEffort || question.size > Self.greatestSize
  }

  // MARK: Conditions

  /// Returns the rails of a condition. `&&` and `||` absorb an error if the other operand decides.
  func rails(of id: ExprID, in frame: Frame) -> Rails {
    let id = rules.ruleset.unparenthesized(id)
    effort += 1
    if isOverwhelmed { return Rails(yes: .no, no: .no) }
    switch rules.ruleset[id].kind {
    case .not(let operand):
      let inner = rails(of: operand, in: frame)
      return Rails(yes: inner.no, no: inner.yes)
    case .binary(.and, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return Rails(
        yes: question.all([one.yes, other.yes]), no: question.any([one.no, other.no]))
    case .binary(.or, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return Rails(
        yes: question.any([one.yes, other.yes]), no: question.all([one.no, other.no]))
    case .binary(let op, let left, let right) where op.isComparison:
      return rails(of: [cases(of: left, in: frame), cases(of: right, in: frame)]) {
        compare(op, left: $0[0], right: $0[1])
      }
    case .isType(let operand, let word):
      return rails(of: [cases(of: operand, in: frame)]) {
        total(question.isType(of: $0[0], in: word.accepts))
      }
    case .conditional(let condition, let one, let other):
      let chooses = rails(of: condition, in: frame)
      let (one, other) = (rails(of: one, in: frame), rails(of: other, in: frame))
      func either(_ left: Prop, _ right: Prop) -> Prop {
        question.any([question.all([chooses.yes, left]), question.all([chooses.no, right])])
      }
      return Rails(yes: either(one.yes, other.yes), no: either(one.no, other.no))
    default: return rails(of: cases(of: id, in: frame))
    }
  }

  // MARK: Values

  /// Returns the value of an expression.
  func cases(of id: ExprID, in frame: Frame) -> Cases {
    let id = rules.ruleset.unparenthesized(id)
    effort += 1
    if isOverwhelmed { return .error }
    switch rules.ruleset[id].kind {
    case .literal(let literal): return Cases(question.constant(Value(literal)))
    case .variable: return variable(id, in: frame)
    case .list(let elements):
      return each(of: elements.map { cases(of: $0, in: frame) }) { list($0) }
    case .map(let entries): return map(entries, in: frame)
    case .path(let parts): return path(parts, in: frame)
    case .parenthesized(let inner): return cases(of: inner, in: frame)
    case .not, .isType, .binary(.and, _, _), .binary(.or, _, _):
      return cases(of: rails(of: id, in: frame))
    case .binary(let op, let left, let right):
      if op.isComparison { return cases(of: rails(of: id, in: frame)) }
      return each(of: [cases(of: left, in: frame), cases(of: right, in: frame)]) {
        arithmetic(op, left: $0[0], right: $0[1])
      }
    case .negate(let operand):
      // The literal -9223372036854775808 is parsed as negative already.
      if case .literal(.int(.min)) = rules.ruleset[operand].kind {
        return cases(of: operand, in: frame)
      }
      return each(of: [cases(of: operand, in: frame)]) { negate($0[0]) }
    case .conditional(let condition, let one, let other):
      return choose(
        rails(of: condition, in: frame), then: cases(of: one, in: frame),
        else: cases(of: other, in: frame))
    case .member(let base, let name):
      return each(of: [cases(of: base, in: frame)]) { member(of: $0[0], named: name.text) }
    case .index(let base, let key):
      return each(of: [cases(of: base, in: frame), cases(of: key, in: frame)]) {
        index($0[0], by: $0[1])
      }
    case .slice(let base, let from, let to):
      let bounds = [from, to].map { $0.map { cases(of: $0, in: frame) } ?? Cases(question.null) }
      return each(of: [cases(of: base, in: frame)] + bounds) { terms in
        computed(
          .slice, of: terms, when: question.isType(of: terms[0], in: [.string, .list, .path]))
      }
    case .call(_, let arguments):
      return call(id, with: arguments.map { cases(of: $0, in: frame) }, in: frame)
    case .method(let receiver, let name, let arguments):
      let operands = [cases(of: receiver, in: frame)] + arguments.map { cases(of: $0, in: frame) }
      return each(of: operands) { method(name.text, on: $0[0], with: Array($0.dropFirst())) }
    case .invalid: return .error
    }
  }

  private func call(_ id: ExprID, with arguments: [Cases], in frame: Frame) -> Cases {
    switch rules.binding(id) {
    case .function(let function): return call(function, with: arguments, in: frame)
    case .builtin(let builtin) where builtin.isLookup:
      return each(of: arguments) { lookup(builtin, of: $0, in: frame) }
    case .builtin(.debug):
      // All arguments are evaluated; the result is the first one.
      guard let first = arguments.first, rules.profile.hasDebug else { return .error }
      return under(question.all(arguments.map { defined($0) }), value: first)
    case .builtin(let builtin):
      return each(of: arguments) { terms in
        computed(
          .builtin(builtin), of: terms, when: fits(builtin, given: terms),
          total: isTotal(builtin, on: terms))
      }
    case .unknownFunction:
      let name = Text(rules.calleeName(id))
      return each(of: arguments) { unknownCall("function " + name, on: $0) }
    case .none, .local, .capture, .request, .resource, .unknownVariable: return .error
    }
  }

  /// Returns the value of a function's body. Arguments that are errors matter only if they are
  /// read.
  func call(_ function: FunctionID, with arguments: [Cases], in frame: Frame) -> Cases {
    let declaration = rules.ruleset[function]
    guard declaration.parameters.count == arguments.count else { return .error }
    var inner = Frame(
      captures: frame.captures, locals: arguments, seesDocument: frame.seesDocument)
    let key = CallKey(function: function, frame: inner, scene: scene.number)
    if let known = calls[key] { return known }
    let orders = orderCount
    for binding in declaration.lets {
      inner.locals.append(cases(of: binding.value.root, in: inner))
    }
    let result = cases(of: declaration.result.root, in: inner)
    // Results with `values()` are not cached: equal maps may have been written in different orders.
    if orderCount == orders { calls[key] = result }
    return result
  }

  // MARK: Literals

  /// Returns the list literal of defined elements. It may be an error only if it has too many parts.
  private func list(_ elements: [Term]) -> Cases {
    Cases(question.apply(.list, to: elements), when: isLight(elements))
  }

  /// Returns "a value with these parts does not exceed the maximum number of parts".
  private func isLight(_ parts: [Term]) -> Prop {
    let containers: TypeSet = [.list, .map, .set, .vector]
    let areSmall = parts.allSatisfy { part in
      question.value(of: part) != nil
        || question.types(of: part).isDisjoint(with: containers)
    }
    return areSmall ? .yes : question.holds(.defined(.compose("light")), of: parts)
  }

  /// Returns a map literal. Each key must be a string and each value defined, even if a later entry
  /// with an equal key replaces it.
  private func map(_ entries: [Expression.MapEntry], in frame: Frame) -> Cases {
    let operands = entries.flatMap {
      [cases(of: $0.key, in: frame), cases(of: $0.value, in: frame)]
    }
    return each(of: operands) { terms in
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
  /// True for operators that compare two values of any types.
  fileprivate var isComparison: Bool {
    switch self {
    case .in, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual: true
    case .or, .and, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }
}
