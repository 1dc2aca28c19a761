import RulesEncoding
import RulesEval
import RulesLang

// A condition about the state that a commit leaves, as a condition of the rules language about that
// commit: `get` becomes `getAfter`, `resource` the document after it. With it, what one request makes of
// a condition is an ordinary claim about one request, and all that decides those decides this.
//
// Sound: the text is true of a commit exactly if the condition is true of the client and the document
// in the state after it (before it). What cannot be said so is refused (`Obstacle`), never left out.
// Functions of the rules are written out, since what they look up changes with the state.

/// A state of the database beside a commit.
enum State {
  case before, after
}

/// Why a condition cannot be said of another state.
enum StateObstacle: Error {
  /// It speaks of the later request itself.
  case request(SourceRange)
  /// It does something that is not followed.
  case other(Doubt)
}

/// An expression with what the names in it stand for.
final class StateFrame {
  /// What a local stands for.
  enum Local {
    /// A variable of the claim.
    case variable(Text)
    /// A text.
    case literal(Text)
    /// An expression around the call.
    case operand(ExprID, StateFrame)
  }

  /// The parameters, then the lets so far.
  fileprivate(set) var locals: [Local]

  /// Makes a frame.
  init(_ locals: [Local]) { self.locals = locals }
}

/// A document that a condition looks up, as far as its path is known.
struct LookedUpDocument: Hashable {
  /// A segment.
  enum Step: Hashable {
    case literal(Text)
    /// A variable of the claim.
    case variable(Text)
    /// The client's user ID.
    case uid
    /// A text.
    case text
    /// What is read of a document: a text, or a whole reference.
    case value
    /// The same of what the later request writes, by the name of a variable for it.
    case later(Text)
  }

  /// The segments below the database root.
  var steps: [Step]
}

/// Writes a condition of a claim as one of another state.
struct StateText {
  /// Where the claim's own document is found.
  enum Home {
    /// It is the one that the commit writes.
    case own
    /// It is looked up.
    case lookup
  }

  /// The rules.
  let rules: Checked
  /// The documents of the claim.
  let path: ClaimPath
  /// What the captures around the condition are, by slot; nil for what is no text.
  let captures: [LookedUpDocument.Step?]
  /// The state that the text is about.
  let state: State
  /// Where the claim's own document is found.
  let home: Home
  /// Whether parts that compare the later request with what is stored are left out: what comes of it is
  /// weaker. Else conditions with such parts are refused.
  let leavesOut: Bool
  /// Whether the later request may be an update: what it leaves, `request.resource`, has of what is stored
  /// all that it does not change.
  let keepsStored: Bool
  /// The variable that is the user ID of the account whose condition is written; nil for the account that
  /// makes the request.
  var account: Text?
  /// The condition's reads of that account's token, as they are written for the client of the request: each
  /// becomes a variable.
  var tokenTexts: [String] = []
  /// Whether what is written is a whole part of the condition, which counts only if it is true.
  var isWholePart = false
  /// The documents that the commit leaves as they are, so that they are read as they were; nil is the claim's
  /// own.
  var unwritten: Set<LookedUpDocument?> = []

  /// The documents that are looked up.
  var documents: [LookedUpDocument] = []
  /// Whether the condition is about the claim's own document.
  var isAboutOwn = false
  /// The texts of the later request that stand in paths, as expressions: such with a bracket or a
  /// parenthesis only tell them apart.
  var requestTexts: [String] = []
  /// How often a text of the later request was written, and how often an operand that need not be
  /// looked at.
  var uses = (later: 0, lazy: 0)
  /// A part on the later request, which may change what is stored or come at another time. With `leavesOut`
  /// it is asked about as it is, and all that this misses is left out.
  var leftOut: SourceRange?
  /// A path that is parsed from a text which may have characters that mean something in it.
  var loose: SourceRange?
  /// The variables that the text has.
  var variables: Set<Text> = []
  private var effort = 0

  /// Maximum expressions of a condition that is followed, three times the 1,000 that Firestore evaluates.
  private static let greatestEffort = 3000

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

  /// What the captures of the block around a claim are.
  private static func captures(
    of claim: CompiledClaim, in rules: Checked
  ) -> [LookedUpDocument.Step?] {
    guard case .match(let match) = claim.owner else { return [] }
    let facts = rules.matches[match.index]
    var found = [LookedUpDocument.Step?](repeating: nil, count: facts.captures.count)
    let root = rules.database.root
    for (place, step) in facts.pattern.enumerated() {
      guard case .capture(let slot) = step, Int(slot) < found.count else {
        // What comes behind a run has no fixed place.
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

  /// The state in which a document is read; nil for the claim's own.
  func state(of document: LookedUpDocument?) -> State {
    unwritten.contains(document) ? .before : state
  }

  // MARK: Names

  /// What an expression is, through parentheses, parameters and lets; a variable of the claim stays.
  func resolved(_ id: ExprID, in frame: StateFrame) -> (ExprID, StateFrame) {
    var (id, frame) = (rules.ruleset.unparenthesized(id), frame)
    while case .local(let slot) = rules.binding(id), Int(slot) < frame.locals.count,
      case .operand(let inner, let around) = frame.locals[Int(slot)]
    {
      (id, frame) = (rules.ruleset.unparenthesized(inner), around)
    }
    return (id, frame)
  }

  /// The body of a function of the rules that is called; nil if none is.
  func opened(_ id: ExprID, in frame: StateFrame) -> (ExprID, StateFrame)? {
    guard case .call(_, let arguments) = rules.ruleset[id].kind,
      case .function(let function) = rules.binding(id)
    else { return nil }
    var inner = StateFrame(arguments.map { .operand($0, frame) })
    let body = rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      // A let sees those before it only.
      inner = StateFrame(inner.locals + [.operand(value.root, StateFrame(inner.locals))])
    }
    return body.map { ($0.root, inner) }
  }

  /// Whether an expression is `resource`.
  func isResource(_ id: ExprID, in frame: StateFrame) -> Bool {
    rules.binding(resolved(id, in: frame).0) == .resource
  }

  /// Whether an expression is `request`.
  func isRequest(_ id: ExprID, in frame: StateFrame) -> Bool {
    rules.binding(resolved(id, in: frame).0) == .request
  }

  // MARK: Parts

  /// The parts of a condition that say nothing but who the client is and what the variables are.
  mutating func clientParts(of condition: ExprID) -> [String] {
    clientParts(condition, in: StateFrame(path.variables.map { .variable($0) }))
  }

  private mutating func clientParts(_ id: ExprID, in frame: StateFrame) -> [String] {
    effort += 1
    if effort > Self.greatestEffort { return [] }
    let (id, frame) = resolved(id, in: frame)
    if case .binary(.and, let left, let right) = rules.ruleset[id].kind {
      return clientParts(left, in: frame) + clientParts(right, in: frame)
    }
    if let (body, inner) = opened(id, in: frame) { return clientParts(body, in: inner) }
    if speaksOfState(id, in: frame, depth: 0) { return [] }
    return (try? text(id, in: frame)).map { [$0] } ?? []
  }

  /// Whether anything that is stored is looked at; when in doubt it is.
  func speaksOfState(_ id: ExprID, in frame: StateFrame, depth: Int) -> Bool {
    if depth > 40 { return true }
    let (id, frame) = resolved(id, in: frame)
    if case .member(let base, let name) = rules.ruleset[id].kind, isRequest(base, in: frame) {
      return keepsStored && name.text == "resource"
    }
    switch rules.binding(id) {
    case .resource: return true
    // By an index, say.
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

  /// Counts an expression, and gives long conditions up.
  mutating func pay(_ id: ExprID) throws(StateObstacle) {
    effort += 1
    if effort > Self.greatestEffort {
      throw .other(Doubt("the condition is too long to be followed over several requests"))
    }
  }

  /// That something is not followed.
  func unfollowed(_ what: String, at id: ExprID) -> StateObstacle {
    .other(Doubt("\(what) is not followed over several requests", at: rules.ruleset[id].range))
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

  /// Writes expressions with commas.
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
  /// Whether it looks a document up.
  fileprivate var isLookup: Bool {
    self == .get || self == .exists || self == .getAfter || self == .existsAfter
  }
}
