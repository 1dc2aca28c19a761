import RulesEncoding
import RulesEval
import RulesLang

// Translates a condition on the state after a commit into a condition on that commit: `get` becomes
// `getAfter`, `resource` the written document. So "what does one request make of a condition"
// becomes an ordinary claim about one request.
//
// Sound: the translation is true of a commit exactly if the condition is true of client and document in the
// state after it (or before it). A part that cannot be translated is an error (`StateObstacle`); it is only
// dropped if `leavesOut` permits it. Functions are inlined, since their lookups depend on the state.

/// A state of the database relative to a commit.
enum State {
  case before, after
}

/// The reason why a condition cannot be translated.
enum StateObstacle: Error {
  /// A part reads the later request.
  case request(SourceRange)
  /// A part is not supported.
  case other(OpenReason)
}

/// An environment for expressions.
final class StateFrame {
  /// The value of a local.
  enum Local {
    /// A variable of the claim.
    case variable(Text)
    /// A string.
    case literal(Text)
    /// An expression in the caller's frame.
    case operand(ExprID, StateFrame)
  }

  /// The parameters, then the `let` bindings so far.
  fileprivate(set) var locals: [Local]

  /// Creates a frame.
  init(_ locals: [Local]) { self.locals = locals }
}

/// A looked-up document, by what is known of its path.
struct LookedUpDocument: Hashable {
  /// A segment of the path.
  enum Step: Hashable {
    case literal(Text)
    /// A variable of the claim.
    case variable(Text)
    /// The client's user ID.
    case uid
    /// Another string.
    case text
    /// A value read from a document: a string or a reference.
    case value
    /// A value that the later request writes, as this variable.
    case later(Text)
  }

  /// The segments below the database root.
  var steps: [Step]
}

/// Translates conditions of a claim to another state.
struct StateText {
  /// The access to the claim's own document.
  enum Home {
    /// The document that the commit writes.
    case own
    /// By lookup.
    case lookup
  }

  /// The rules.
  let rules: Checked
  /// The documents of the claim.
  let path: ClaimPath
  /// The values of the enclosing captures, by slot; nil for a capture that is not a string.
  let captures: [LookedUpDocument.Step?]
  /// The state that the translation is about.
  let state: State
  /// The access to the claim's own document.
  let home: Home
  /// True to leave out parts that compare the later request with stored data, which weakens the
  /// result; false to refuse them.
  let leavesOut: Bool
  /// True if the later request may be an update, whose `request.resource` contains unchanged stored
  /// data.
  let keepsStored: Bool
  /// The variable for the user ID of the condition's account; nil for the request's client.
  var account: Text?
  /// The token reads of that account, each of which becomes a variable.
  var tokenTexts: [String] = []
  /// True until the root of a part is translated. A part only matters where it is true, so at its root an
  /// error and false are interchangeable.
  var isWholePart = false
  /// The documents that the commit leaves unchanged; nil stands for the claim's own.
  var unwritten: Set<LookedUpDocument?> = []

  /// The looked-up documents.
  var documents: [LookedUpDocument] = []
  /// True if the condition reads the claim's own document.
  var isAboutOwn = false
  /// The strings of the later request in paths, as expressions. One with brackets or parentheses is only
  /// compared with others, and never written into a condition.
  var requestTexts: [String] = []
  /// The number of strings of the later request, and of operands that need not be evaluated.
  var uses = (later: 0, lazy: 0)
  /// A part on the later request that may involve stored data or another time. With `leavesOut`, it
  /// is kept unchanged and the difference left out.
  var leftOut: SourceRange?
  /// A path parsed from a string that may contain syntax.
  var loose: SourceRange?
  /// The variables in the translation.
  var variables: Set<Text> = []
  private var effort = 0

  /// Prepares for a condition of a claim.
  init(
    _ claim: CompiledClaim, in rules: Checked, state: State, home: Home, leavingOut: Bool
  ) {
    self.rules = rules
    path = claim.claim.path
    self.state = state
    self.home = home
    leavesOut = leavingOut
    keepsStored = claim.claim.methods.contains(.update)
    captures = Self.captures(of: claim, in: rules)
  }

  /// Returns the values of the captures around a claim.
  private static func captures(
    of claim: CompiledClaim, in rules: Checked
  ) -> [LookedUpDocument.Step?] {
    guard case .match(let match) = claim.owner else { return [] }
    let facts = rules.matches[match.index]
    var found = [LookedUpDocument.Step?](repeating: nil, count: facts.captures.count)
    let root = rules.database.root
    for (place, step) in facts.pattern.enumerated() {
      guard case .capture(let slot) = step, Int(slot) < found.count else {
        // After a glob the position is unknown.
        if step.isGlob { break }
        continue
      }
      if place < root.count {
        found[Int(slot)] = .literal(root[place])
      } else if place - root.count < claim.claim.path.steps.count {
        switch claim.claim.path.steps[place - root.count] {
        case .literal(let text): found[Int(slot)] = .literal(text)
        case .capture(let name): found[Int(slot)] = .variable(name)
        case .glob: break
        }
      }
    }
    return found
  }

  /// Returns the state in which a document is read; nil stands for the claim's own.
  func state(of document: LookedUpDocument?) -> State {
    unwritten.contains(document) ? .before : state
  }

  // MARK: Names

  /// Resolves parentheses, parameters and `let` bindings; variables of the claim remain.
  func resolved(_ id: ExprID, in frame: StateFrame) -> (ExprID, StateFrame) {
    var (id, frame) = (rules.ruleset.unparenthesized(id), frame)
    while case .local(let slot) = rules.binding(id), Int(slot) < frame.locals.count,
      case .operand(let inner, let around) = frame.locals[Int(slot)]
    {
      (id, frame) = (rules.ruleset.unparenthesized(inner), around)
    }
    return (id, frame)
  }

  /// Returns the body of a called function of the rules; nil for other expressions.
  func opened(_ id: ExprID, in frame: StateFrame) -> (ExprID, StateFrame)? {
    guard case .call(_, let arguments) = rules.ruleset[id].kind,
      case .function(let function) = rules.binding(id)
    else { return nil }
    var inner = StateFrame(arguments.map { .operand($0, frame) })
    let body = rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      // A `let` sees only earlier ones.
      inner = StateFrame(inner.locals + [.operand(value.root, StateFrame(inner.locals))])
    }
    return body.map { ($0.root, inner) }
  }

  /// True if an expression is `resource`.
  func isResource(_ id: ExprID, in frame: StateFrame) -> Bool {
    rules.binding(resolved(id, in: frame).0) == .resource
  }

  /// True if an expression is `request`.
  func isRequest(_ id: ExprID, in frame: StateFrame) -> Bool {
    rules.binding(resolved(id, in: frame).0) == .request
  }

  // MARK: Parts

  /// Returns the conjuncts of a condition that only concern the client and the variables.
  mutating func clientParts(of condition: ExprID) -> [String] {
    clientParts(condition, in: StateFrame(path.variables.map { .variable($0) }))
  }

  private mutating func clientParts(_ id: ExprID, in frame: StateFrame) -> [String] {
    effort += 1
    if effort > Limits.expressions { return [] }
    let (id, frame) = resolved(id, in: frame)
    if case .binary(.and, let left, let right) = rules.ruleset[id].kind {
      return clientParts(left, in: frame) + clientParts(right, in: frame)
    }
    if let (body, inner) = opened(id, in: frame) { return clientParts(body, in: inner) }
    if speaksOfState(id, in: frame, depth: 0) { return [] }
    return (try? text(id, in: frame)).map { [$0] } ?? []
  }

  /// True if an expression may read stored data.
  func speaksOfState(_ id: ExprID, in frame: StateFrame, depth: Int) -> Bool {
    if depth > Limits.nesting { return true }
    let (id, frame) = resolved(id, in: frame)
    if case .member(let base, let name) = rules.ruleset[id].kind, isRequest(base, in: frame) {
      return keepsStored && name.text == "resource"
    }
    switch rules.binding(id) {
    case .resource: return true
    // For example by an index.
    case .request: return keepsStored
    case .builtin(let builtin) where builtin.isLookup: return true
    case .function:
      guard let (body, inner) = opened(id, in: frame) else { return true }
      return speaksOfState(body, in: inner, depth: depth + 1)
    default: break
    }
    return rules.ruleset[id].operands.contains {
      speaksOfState($0, in: frame, depth: depth + 1)
    }
  }

  // MARK: Expressions

  /// Counts an expression; throws if the condition is too long.
  mutating func pay(_ id: ExprID) throws(StateObstacle) {
    effort += 1
    if effort > Limits.expressions {
      throw .other(OpenReason("the condition is too long to be analysed across requests"))
    }
  }

  /// Returns the obstacle of an unsupported expression.
  func unfollowed(_ what: String, at id: ExprID) -> StateObstacle {
    .other(OpenReason("\(what) is not analysed across requests", at: rules.ruleset[id].range))
  }

  /// Writes an expression.
  mutating func text(_ id: ExprID, in frame: StateFrame) throws(StateObstacle) -> String {
    let (id, frame) = resolved(id, in: frame)
    try pay(id)
    let isWhole = isWholePart
    if let (body, inner) = opened(id, in: frame) { return try text(body, in: inner) }
    isWholePart = false
    switch rules.ruleset[id].kind {
    case .literal(let literal): return literal.rulesText
    case .variable(let name): return try variable(name.text, at: id, in: frame)
    case .list(let elements): return "[" + (try list(elements, in: frame)) + "]"
    case .map(let entries):
      var parts: [String] = []
      for entry in entries {
        parts.append(try text(entry.key, in: frame) + ": " + (try text(entry.value, in: frame)))
      }
      return "{" + parts.joined(separator: ", ") + "}"
    case .path: throw unfollowed("a path as a value", at: id)
    case .parenthesized(let inner): return try text(inner, in: frame)
    case .not(let operand): return "(!" + (try text(operand, in: frame)) + ")"
    case .negate(let operand): return "(-" + (try text(operand, in: frame)) + ")"
    case .binary(let op, let left, let right):
      if let existence = try existence(op, left, right, at: id, in: frame, isWhole: isWhole) {
        return existence
      }
      if op == .and || op == .or { uses.lazy += 1 }
      let one = try text(left, in: frame)
      return "(\(one) \(op.symbol) " + (try text(right, in: frame)) + ")"
    case .isType(let operand, let word):
      return "(" + (try text(operand, in: frame)) + " is \(word.spelling))"
    case .conditional(let condition, let one, let other):
      uses.lazy += 1
      let chooses = try text(condition, in: frame)
      let first = try text(one, in: frame)
      return "(\(chooses) ? \(first) : " + (try text(other, in: frame)) + ")"
    case .member(let base, let name): return try member(base, name.text, at: id, in: frame)
    case .index(let base, let key):
      return try text(base, in: frame) + "[" + (try text(key, in: frame)) + "]"
    case .slice(let base, let from, let to):
      let start = try from.map { (id) throws(StateObstacle) in try text(id, in: frame) } ?? ""
      let end = try to.map { (id) throws(StateObstacle) in try text(id, in: frame) } ?? ""
      return try text(base, in: frame) + "[\(start):\(end)]"
    case .call(let callee, let arguments):
      return try call(callee, with: arguments, at: id, in: frame)
    case .method(let receiver, let name, let arguments):
      if isRequest(receiver, in: frame) { throw .request(rules.ruleset[id].range) }
      let base = try text(receiver, in: frame)
      return "\(base).\(String(name.text))(" + (try list(arguments, in: frame)) + ")"
    case .invalid: throw unfollowed("an expression", at: id)
    }
  }

  /// Writes expressions separated by commas.
  mutating func list(
    _ elements: [ExprID], in frame: StateFrame
  ) throws(StateObstacle) -> String {
    var parts: [String] = []
    for element in elements { parts.append(try text(element, in: frame)) }
    return parts.joined(separator: ", ")
  }

  /// Writes a variable.
  mutating func variable(
    _ name: Text, at id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> String {
    switch rules.binding(id) {
    case .local(let slot):
      if Int(slot) < frame.locals.count, case .literal(let text) = frame.locals[Int(slot)] {
        return text.literal
      }
      guard Int(slot) < frame.locals.count, case .variable(let name) = frame.locals[Int(slot)],
        !path.steps.contains(.glob(name))
      else { throw unfollowed("this variable", at: id) }
      variables.insert(name)
      return String(name)
    case .capture(let slot):
      let step = Int(slot) < captures.count ? captures[Int(slot)] : nil
      switch step {
      case .literal(let text): return text.literal
      case .variable(let name):
        variables.insert(name)
        return String(name)
      case .uid, .text, .value, .later, nil: throw unfollowed("this variable", at: id)
      }
    case .request: throw .request(rules.ruleset[id].range)
    case .resource: throw unfollowed("`resource` as a whole", at: id)
    case .none, .function, .builtin, .unknownVariable, .unknownFunction:
      throw unfollowed("this name", at: id)
    }
  }
}

extension Builtin {
  /// True for document lookups.
  fileprivate var isLookup: Bool {
    self == .get || self == .exists || self == .getAfter || self == .existsAfter
  }
}
