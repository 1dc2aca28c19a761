import RulesLang

// Lowering of the checked tree to register code.
//
// Costs. The engine counts every expression that it enters, and stops at 1000. Which expressions are entered
// depends only on the direction of `&&`, `||` and `?:`; so the code is cut into regions that run as a whole
// or not at all, and a region is charged at once, by the instruction that leads into it. The sum along a path
// is exactly the engine's. If it exceeds the budget, the machine gives up the statement, and the reference
// finds the expression that was one too many.
//
// Errors. `&&` and `||` only depend on whether an operand failed, not why. So a failure is one cell, equal
// parts are computed once wherever they are, and constant parts at compile time; if a whole condition fails
// and the reason is needed, the reference evaluates it once more.
//
// Functions are inlined: arguments and lets are registers, which may hold a failure, as the engine's
// parameters do. There is no recursion (Docs/Language.md §5), but calls of calls multiply: beyond
// `maximumCode` a condition is left to the reference.
//
// Marks. A program for traces and coverage shows every expression that the engine evaluates, when the engine
// has evaluated it. For that no operand is skipped: `a && b && c` stays pair by pair, nothing is fused, and
// folded constants show their parts. Equal parts are still computed once, and shown wherever they are.

/// Lowers the conditions of a rules file to code.
struct Lowering: ~Copyable {
  /// The condition is too large for the machine.
  struct TooLarge: Error {}

  /// The parameters and lets of a function, by slot.
  struct Frame {
    var locals: [UInt16] = []
    /// The registers of the captures, for a condition outside any block; nil in a block, whose captures come
    /// from the request's path.
    var captures: [UInt16]?
    /// The number of the activation within the statement.
    var activation: UInt16 = 0
  }

  /// The first register for constants; those below hold results.
  static let firstConstant = 1024
  /// Maximum constants of a program.
  static let maximumConstants = 60_000
  /// Maximum instructions of a condition.
  private static let maximumCode = 20_000

  let rules: Checked
  /// True if the code reports every expression to an observer.
  let isMarked: Bool
  var symbols = Symbols()
  /// The tables being filled: the code, and everything that it refers to.
  var tables = ProgramTables()
  /// Patterns that another program has already compiled.
  private let others: [Pattern]
  /// By `ExprID`: true if an expression consists of constants only; nil in bodies that were not looked at
  /// yet.
  private var constancy: [Bool?]
  var known = ValueNumbers()
  /// The index of the instruction that charges for the branch being lowered; nil outside of any branch, where
  /// the statement itself pays at its start.
  var payer: Int?
  private var entryCost = 0
  private var start = 0
  private var nextRegister: UInt16 = 0
  private var hasLookups = false
  private var lastActivation: UInt16 = 0
  /// The largest number of activations of a statement.
  private(set) var activationCount = 1

  /// Prepares to lower conditions.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - isMarked: True if the code is to report every expression.
  ///   - others: Patterns that are compiled already.
  init(_ rules: Checked, isMarked: Bool, knowing others: [Pattern] = []) {
    self.rules = rules
    self.isMarked = isMarked
    self.others = others
    constancy = Array(repeating: nil, count: rules.ruleset.expressions.count)
  }

  /// Lowers a statement's condition; nil without a condition or if it is too large.
  ///
  /// Adds the names that it mentions to `symbols`.
  mutating func statement(_ allow: Allow, symbols: inout Symbols) -> Program.Statement? {
    guard let condition = allow.condition else { return nil }
    return statement(condition, in: Frame(), symbols: &symbols)
  }

  /// Lowers a condition that was added to the rules as a function; nil if it is too large. Its caller puts
  /// the captures of the function's block, then its arguments, into the first registers.
  mutating func condition(
    _ function: FunctionID, symbols: inout Symbols
  ) -> Program.Statement? {
    let declaration = rules.ruleset[function]
    var captureCount = 0
    if case .match(let match) = declaration.owner {
      captureCount = rules.matches[match.index].captures.count
    }
    let count = captureCount + declaration.parameters.count
    guard count < Self.firstConstant else { return nil }
    var frame = Frame(locals: (captureCount..<count).map { UInt16($0) })
    frame.captures = (0..<captureCount).map { UInt16($0) }
    return statement(declaration.result, in: frame, symbols: &symbols)
  }

  private mutating func statement(
    _ body: Body, in frame: Frame, symbols: inout Symbols
  ) -> Program.Statement? {
    // The symbols are here while the statement is lowered.
    swap(&self.symbols, &symbols)
    defer { swap(&self.symbols, &symbols) }
    start = tables.code.count
    known.clear()
    payer = nil
    entryCost = 0
    nextRegister = UInt16(frame.locals.count + (frame.captures?.count ?? 0))
    hasLookups = false
    lastActivation = 0
    do throws(TooLarge) {
      let result = try lower(body, in: frame)
      try emit(Instruction(operation: .end, a: result))
      return Program.Statement(start: start, cost: entryCost, hasLookups: hasLookups)
    } catch {
      tables.code.removeLast(tables.code.count - start)
      return nil
    }
  }

  // MARK: Emitting

  /// Charges expressions to the branch being lowered.
  mutating func pay(_ count: Int) throws(TooLarge) {
    guard let payer else {
      entryCost += count
      return
    }
    guard Int(tables.code[payer].b) + count <= Int(UInt16.max) else { throw TooLarge() }
    tables.code[payer].b += UInt16(count)
  }

  /// Allocates a register for a result.
  mutating func newRegister() throws(TooLarge) -> UInt16 {
    guard nextRegister < Self.firstConstant else { throw TooLarge() }
    nextRegister += 1
    return nextRegister - 1
  }

  /// Appends an instruction and returns its index.
  @discardableResult
  mutating func emit(_ instruction: Instruction) throws(TooLarge) -> Int {
    guard tables.code.count - start < Self.maximumCode else { throw TooLarge() }
    tables.code.append(instruction)
    return tables.code.count - 1
  }

  /// Sets the target of a jump to the next instruction.
  mutating func land(_ jump: Int) { tables.code[jump].immediate = UInt32(tables.code.count) }

  /// Returns the register that holds what an instruction computes; emits the instruction if none does yet.
  mutating func compute(_ instruction: Instruction) throws(TooLarge) -> UInt16 {
    if let register = known.register(of: instruction) { return register }
    var instruction = instruction
    instruction.target = try newRegister()
    try emit(instruction)
    known.record(instruction)
    return instruction.target
  }

  /// Returns the register of a constant; nil is an error.
  mutating func constant(_ value: Value?) throws(TooLarge) -> UInt16 {
    guard let place = tables.constants.register(of: value) else { throw TooLarge() }
    if case .string(let text) = value { _ = symbols.intern(text) }
    return UInt16(Self.firstConstant) + place
  }

  /// Emits the report of an expression's value, in a marked program.
  private mutating func mark(
    _ id: ExprID, as register: UInt16, in frame: Frame
  ) throws(TooLarge) {
    guard isMarked else { return }
    try emit(
      Instruction(
        operation: .observe, a: register, b: frame.activation, immediate: UInt32(id.index)))
  }

  /// Allocates the activation of a function that is called from `frame`, and emits the report of the call; 0
  /// in a program that is not marked.
  mutating func newActivation(of call: ExprID, from frame: Frame) throws(TooLarge) -> UInt16 {
    guard isMarked else { return 0 }
    guard lastActivation < .max else { throw TooLarge() }
    lastActivation += 1
    activationCount = max(activationCount, Int(lastActivation) + 1)
    try emit(
      Instruction(
        operation: .enter, a: lastActivation, b: frame.activation,
        immediate: UInt32(call.index)))
    return lastActivation
  }

  /// The text of an expression that is a string constant.
  func stringConstant(_ id: ExprID) -> Text? {
    guard case .literal(.string(let text)) = rules.ruleset[rules.ruleset.unparenthesized(id)].kind
    else { return nil }
    return text
  }

  /// Records that the statement looks documents up.
  mutating func noteLookup() { hasLookups = true }

  /// Returns the number of a method's name, adding it to the table if it is new.
  mutating func methodName(_ name: Text) -> UInt16 {
    if let known = tables.methodPlaces[name] { return known }
    let place = UInt16(tables.methodNames.count)
    tables.methodNames.append(name)
    tables.methodPlaces[name] = place
    return place
  }

  /// Returns the number of a path literal's form, adding it to the table if it is new.
  mutating func pathNumber(_ steps: [Program.PathStep]) throws(TooLarge) -> UInt16 {
    if let known = tables.pathPlaces[steps] { return known }
    guard tables.paths.count < Int(UInt16.max) else { throw TooLarge() }
    tables.paths.append(steps)
    tables.pathPlaces[steps] = UInt16(tables.paths.count - 1)
    return UInt16(tables.paths.count - 1)
  }

  /// Returns the number of a pattern, adding it to the table if it is new; nil if the text is not a pattern.
  mutating func patternNumber(_ text: Text) -> UInt32? {
    if let known = tables.patternPlaces[text] { return known }
    let other = others.first { $0.source == text }
    guard let pattern = other ?? (try? Pattern(text)) else { return nil }
    tables.patterns.append(pattern)
    tables.patternPlaces[text] = UInt32(tables.patterns.count - 1)
    return UInt32(tables.patterns.count - 1)
  }

  // MARK: Constants

  /// Folds a constant expression to its value in the reference, and charges what evaluating it costs there.
  private mutating func fold(_ id: ExprID, in frame: Frame) throws(TooLarge) -> UInt16 {
    let outcome: Outcome
    let spent: Int
    if isMarked {
      var trace = Trace()
      (outcome, spent) = evaluate(constant: id, &trace)
      // The last one is the expression itself.
      for event in trace.events.dropLast() {
        var value: Value?
        if case .value(let known) = event.outcome { value = known }
        try mark(event.expression, as: try constant(value), in: frame)
      }
    } else {
      var nobody = NoObserver()
      (outcome, spent) = evaluate(constant: id, &nobody)
    }
    switch outcome {
    case .value(let value):
      try pay(spent)
      return try constant(value)
    case .error(let error):
      // The reference evaluator reports errors that nothing absorbs; exceeding the limit leads there.
      try pay(error.isAbsorbable ? spent : Limits.expressions + 1)
      return try constant(nil)
    }
  }

  private func evaluate<Watch: Observer>(
    constant id: ExprID, _ watch: inout Watch
  ) -> (Outcome, spent: Int) {
    let environment = Environment.empty
    var reference = Reference(
      rules, for: environment.access, with: environment.lookups, watch: watch)
    let outcome = reference.evaluate(id, in: Reference<Watch>.Frame(captures: []))
    watch = reference.watch
    return (outcome, reference.spent)
  }

  /// Determines which expressions of a body consist of constants only, the inner ones first.
  private mutating func learnConstants(in body: Body) {
    if constancy[body.root.index] != nil { return }
    for id in body.nodes {
      let node = rules.ruleset[id]
      var isConstant = Self.isPure(node, boundTo: rules.bindings[id.index])
      if isConstant {
        node.forEachOperand { if constancy[$0.index] != true { isConstant = false } }
      }
      constancy[id.index] = isConstant
    }
  }

  /// True if an expression of a body that is being lowered consists of constants only.
  func isConstant(_ id: ExprID) -> Bool { constancy[id.index] ?? false }

  private static func isPure(_ node: Expression, boundTo binding: Binding) -> Bool {
    switch node.kind {
    case .literal, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .member, .index, .slice, .method:
      return true
    case .call:
      guard case .builtin(let builtin) = binding else { return false }
      return !builtin.isLookup && builtin != .debug
    case .variable, .invalid: return false
    }
  }

  // MARK: Expressions

  /// Lowers a body and returns the register of its value.
  mutating func lower(_ body: Body, in frame: Frame) throws(TooLarge) -> UInt16 {
    learnConstants(in: body)
    return try lower(body.root, in: frame)
  }

  /// Lowers an expression and returns the register of its value.
  mutating func lower(_ outer: ExprID, in frame: Frame) throws(TooLarge) -> UInt16 {
    let id = rules.ruleset.unparenthesized(outer)
    let register = try value(of: id, frame)
    try mark(id, as: register, in: frame)
    return register
  }

  private mutating func value(of id: ExprID, _ frame: Frame) throws(TooLarge) -> UInt16 {
    let node = rules.ruleset[id]
    if case .literal(let literal) = node.kind {
      try pay(1)
      return try constant(Value(literal))
    }
    if isConstant(id) { return try fold(id, in: frame) }
    try pay(1)
    switch node.kind {
    case .literal(let literal): return try constant(Value(literal))
    case .variable: return try variable(id, in: frame)
    case .parenthesized(let inner): return try lower(inner, in: frame)
    case .binary(.and, _, _): return try junction(id, by: .and, in: frame)
    case .binary(.or, _, _): return try junction(id, by: .or, in: frame)
    case .conditional(let condition, let whenTrue, let whenFalse):
      return try conditional(condition, then: whenTrue, else: whenFalse, in: frame)
    case .list, .map, .path: return try collection(node, in: frame)
    case .call(_, let arguments): return try call(id, with: arguments, in: frame)
    case .method(let receiver, let name, let arguments):
      return try method(of: receiver, named: name.text, with: arguments, in: frame)
    case .not, .negate, .binary, .isType, .member, .index, .slice:
      return try operation(node, in: frame)
    case .invalid: return try constant(nil)
    }
  }

  private mutating func variable(_ id: ExprID, in frame: Frame) throws(TooLarge) -> UInt16 {
    switch rules.binding(id) {
    case .local(let slot): return frame.locals[Int(slot)]
    case .capture(let slot):
      if let captures = frame.captures {
        return Int(slot) < captures.count ? captures[Int(slot)] : try constant(nil)
      }
      return try compute(Instruction(operation: .capture, immediate: UInt32(slot)))
    case .request: return try compute(Instruction(operation: .request))
    case .resource: return try compute(Instruction(operation: .resource))
    case .none, .unknownVariable, .function, .builtin, .unknownFunction:
      return try constant(nil)
    }
  }

  /// Lowers operands in order.
  mutating func lowerAll(_ ids: [ExprID], in frame: Frame) throws(TooLarge) -> [UInt16] {
    var registers: [UInt16] = []
    for id in ids { registers.append(try lower(id, in: frame)) }
    return registers
  }
}
