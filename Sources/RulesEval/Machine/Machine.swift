public import RulesLang

/// Decides requests by a compiled rules file, exactly as an `Engine` decides them.
///
/// It owns the memory that requests lie in, and uses it again; so a machine serves one thread. A condition that fails is evaluated once more by the reference
/// if somebody wants to know why; one that exceeds the budget, or meets what the machine leaves to
/// the reference, always.
public struct Machine: ~Copyable {
  /// The engine that defines what is right.
  public let engine: Engine
  let program: Program
  // Parts of the program that are read at every step: through the program each would be retained.
  private let code: [Instruction]
  private let statements: [Program.Statement?]
  /// The statements of blocks.
  let candidates: [Dispatch.Candidate]
  /// Operands of instructions that take any number of them.
  let operands: [UInt16]
  /// Which method each name means for each type.
  let methods: [Builtin?]
  var services: Services
  var arena = Arena()
  private(set) var constantsMark = Arena.Mark()
  private var registers: [Cell]
  /// The steps of loaded paths, and where their segments lie.
  private(set) var steps: [Dispatch.Step] = []
  private(set) var segments: [TextPlace] = []
  private var found: [UInt32] = []
  /// What is being decided.
  private(set) var current = Loaded()
  /// The block whose statements are being tried.
  private(set) var block = 0
  /// What the access has paid so far.
  var spent = 0
  var lookups = Lookups(before: Documents(), after: Documents(), written: [])
  /// Whether the condition met what is left to the reference.
  var isLeftToReference = false

  /// Makes a machine for a program that was compiled from the engine's rules.
  public init(_ program: Program, profile: Profile = .emulator) {
    self.program = program
    code = program.code
    statements = program.statements
    candidates = program.dispatch.allows
    operands = program.operands
    methods = program.methods
    engine = Engine(program.rules, profile: profile)
    services = profile == .strict ? .production : .documents
    registers = Array(repeating: .null, count: program.registerCount)
    for (place, constant) in program.constants.enumerated() {
      registers[Lowering.firstConstant + place] =
        constant.map { arena.load($0, program.symbols) } ?? .error
    }
    constantsMark = arena.mark
  }

  // MARK: Loading

  /// An access as cells.
  struct Loaded: Sendable {
    var method = Method.get
    var request = Cell.error
    var resource = Cell.error
    /// Where its path begins in `steps`, and how long it is.
    var firstStep = 0
    var stepCount = 0
    /// The blocks that the path leads to, in `found`.
    var blocks = 0..<0
  }

  /// Takes an access in. What is boxed is unpacked when it is read; with `unpacking` at once.
  mutating func load(_ access: Access, unpacking: Bool) -> Loaded {
    var loaded = Loaded(method: access.method)
    loaded.firstStep = steps.count
    loaded.stepCount = access.path.count
    for step in access.path {
      switch step {
      case .segment(let text): addSegment(arena.place(text))
      case .anyDocument: addStep(.anyDocument)
      case .anyRun: addStep(.anyRun)
      }
    }
    find(&loaded)
    if access.method == .list { arena.mayHoldConstraints = true }
    loaded.request =
      unpacking ? arena.load(access.request, program.symbols) : arena.lazily(access.request)
    if case .success(let resource) = access.resource {
      loaded.resource =
        unpacking ? arena.load(resource, program.symbols) : arena.lazily(resource)
    }
    return loaded
  }

  /// Finds the blocks that a path leads to.
  private mutating func find(_ loaded: inout Loaded) {
    let first = found.count
    program.dispatch.find(steps, loaded.firstStep, loaded.stepCount, into: &found)
    loaded.blocks = first..<found.count
  }

  /// Adds a segment of a path, which lies in the arena.
  mutating func addSegment(_ place: TextPlace) {
    steps.append(Dispatch.Step(program.symbols.find(place, in: arena.words)))
    segments.append(place)
  }

  private mutating func addStep(_ step: Dispatch.Step) {
    steps.append(step)
    segments.append(TextPlace(start: 0, count: 0))
  }

  /// Forgets everything that was loaded.
  mutating func clear() {
    arena.reset(to: constantsMark)
    arena.mayHoldConstraints = false
    steps.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
  }

  // MARK: Deciding

  /// Begins to decide an access; the places of the blocks that its path leads to.
  mutating func begin(_ loaded: Loaded) -> Range<Int> {
    current = loaded
    spent = 0
    return loaded.blocks
  }

  /// Goes to a block that was found; the statements that it has.
  mutating func enter(_ place: Int) -> Range<Int> {
    block = Int(found[place])
    return program.dispatch.blocks[block].allows
  }

  /// What a statement's condition comes to: a bool, or an error. Nil if only the reference can tell;
  /// then nothing has been paid or looked up.
  mutating func evaluate(_ allow: AllowID) -> Cell? {
    guard let statement = statements[allow.index] else {
      // A statement without a condition costs what `if true` does.
      guard engine.rules.ruleset[allow].condition == nil, spent < Limits.expressions else {
        return nil
      }
      spent += 1
      return .isTrue
    }
    let paid = spent
    if statement.hasLookups {
      let before = lookups
      let result = run(statement)
      if let result { return result }
      lookups = before
      spent = paid
      return nil
    }
    if let result = run(statement) { return result }
    spent = paid
    return nil
  }

  private mutating func run(_ statement: Program.Statement) -> Cell? {
    isLeftToReference = false
    spent += statement.cost
    // The registers leave the machine while it runs, so that it can be changed at the same time.
    var file: [Cell] = []
    swap(&file, &registers)
    let code = code
    var span = file.mutableSpan
    let result = run(code.span, from: statement.start, &span)
    swap(&file, &registers)
    return isLeftToReference || spent > Limits.expressions ? nil : result
  }
}
