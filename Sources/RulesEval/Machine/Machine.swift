public import RulesLang

/// Decides requests by a compiled rules file, exactly as an `Engine` decides them.
///
/// A machine owns the memory of its requests and reuses it; so it serves one thread. The reference evaluates
/// a condition again if it exceeds the budget or meets what the machine does not implement, and also if it
/// fails and the reason is wanted.
public struct Machine: ~Copyable {
  /// The engine whose decisions the machine reproduces.
  public private(set) var engine: Engine
  let program: Program
  // Parts of the program that every step reads; reading them through the program would retain each.
  private(set) var code = Table<Instruction>()
  private var statements: [Program.Statement?]
  /// For each block, the range of its statements in `candidates`.
  private(set) var allows = Table<(first: UInt32, last: UInt32)>()
  /// For each block, the index of its first capture in `captureSteps`.
  private(set) var firstCaptures = Table<UInt32>()
  /// The index of the path step that a capture is bound to; negative if it is not a single step counted from
  /// the start.
  private(set) var captureSteps = Table<Int32>()
  /// The statements of blocks.
  private(set) var candidates: [Dispatch.Candidate]
  /// Operands of instructions that take any number of them.
  private(set) var operands: [UInt16]
  /// The method of each name for each type of receiver: `typeCount` entries for the first name, then for the
  /// second, and so on.
  private(set) var methods: [Builtin?]
  /// The forms of path literals.
  private(set) var paths: [[Program.PathStep]]
  /// The patterns that are constants.
  private(set) var patterns: [Pattern]
  let typeCount = ValueType.allCases.count
  /// True if any condition looks documents up.
  let hasLookups: Bool
  var services: Services
  var arena = Arena()
  private(set) var constantsMark = Arena.Mark()
  var registers: Table<Cell>
  /// The steps of loaded paths, and the places of their segments.
  private(set) var steps = Table<Dispatch.Step>()
  private(set) var segments = Table<TextPlace>()
  private var found = Table<UInt32>()
  /// The access that is being decided.
  var current = Loaded()
  /// The block whose statements are being tried.
  private(set) var block = 0
  /// The expressions charged for the access so far.
  var spent = 0
  var lookups = Lookups(
    before: Documents(), after: Documents(), written: [], in: .standard)
  /// The document that a variant changes; nil if lookups see the documents of the request.
  var varied: VariedDocument?
  /// True if the condition met something that the machine does not implement.
  var isLeftToReference = false
  /// True if the machine gave up only because the condition exceeds the rest of the budget.
  var isOverspent = false
  /// For a marked statement: the runtime number of each activation that was entered, and the last number
  /// given.
  var activations: [Int]
  var lastActivation = 0

  /// Creates a machine for a program that was compiled from the engine's rules.
  public init(_ program: Program, profile: Profile = .emulator) {
    self.program = program
    for instruction in program.tables.code { code.append(instruction) }
    for block in program.dispatch.blocks {
      allows.append((UInt32(block.allows.lowerBound), UInt32(block.allows.upperBound)))
      firstCaptures.append(UInt32(block.firstSource))
    }
    for source in program.dispatch.sources {
      if case .fromStart(let place) = source {
        captureSteps.append(Int32(place))
      } else {
        captureSteps.append(-1)
      }
    }
    statements = program.statements
    candidates = program.dispatch.allows
    operands = program.tables.operands.table
    methods = program.methods
    paths = program.tables.paths
    patterns = program.tables.patterns
    engine = Engine(program.rules, profile: profile)
    services = .of(profile)
    hasLookups = program.hasLookups
    activations = Array(repeating: 0, count: program.activationCount)
    registers = Table(repeating: .null, count: program.tables.registerCount)
    load(program.tables.constants.values[...])
    constantsMark = arena.mark
  }

  private mutating func load(_ constants: ArraySlice<Value?>) {
    for place in constants.indices {
      registers[Lowering.firstConstant + place] =
        constants[place].map { arena.load($0, with: program.symbols) } ?? .error
    }
  }

  // MARK: Loading

  /// An access in the machine's memory.
  struct Loaded: Sendable {
    var request = Cell.error
    var resource = Cell.error
    /// The index of its path's first step in `steps`, and the number of steps.
    var firstStep: UInt32 = 0
    var stepCount: UInt32 = 0
    /// The range in `found` of the blocks that match the path.
    var firstBlock: UInt32 = 0
    var lastBlock: UInt32 = 0
    /// The raw value of the set that contains only the access's method.
    var method: UInt8 = 0
  }

  /// Loads an access. Collections are unpacked when they are read; with `unpacking` at once.
  mutating func load(_ access: Access, unpacking: Bool) -> Loaded {
    var loaded = load(steps: access.path)
    loaded.method = MethodSet(access.method).rawValue
    if access.method == .list { arena.mayHoldConstraints = true }
    loaded.request =
      unpacking ? arena.load(access.request, with: program.symbols) : arena.lazily(access.request)
    if case .success(let resource) = access.resource {
      loaded.resource =
        unpacking ? arena.load(resource, with: program.symbols) : arena.lazily(resource)
    }
    return loaded
  }

  /// Loads the path of an access and finds the blocks that match it.
  mutating func load(steps path: [RequestStep]) -> Loaded {
    var loaded = Loaded()
    loaded.firstStep = UInt32(steps.count)
    loaded.stepCount = UInt32(path.count)
    load(path)
    find(&loaded)
    return loaded
  }

  private mutating func load(_ path: [RequestStep]) {
    var size = 0
    for place in path.indices {
      if case .segment(let text) = path[place] { size += Table<UInt64>.size(of: text) }
    }
    arena.reserve(words: size)
    for place in path.indices {
      switch path[place] {
      case .segment(let text): addSegment(arena.place(roomy: text))
      case .anyDocument: addStep(.anyDocument)
      case .anyRun: addStep(.anyRun)
      }
    }
  }

  /// Finds the blocks that match a path.
  private mutating func find(_ loaded: inout Loaded) {
    loaded.firstBlock = UInt32(found.count)
    program.dispatch.find(
      steps, from: Int(loaded.firstStep), count: Int(loaded.stepCount), into: &found)
    loaded.lastBlock = UInt32(found.count)
  }

  private mutating func addSegment(_ place: TextPlace) {
    steps.append(Dispatch.Step(program.symbols.find(place, in: arena.words)))
    segments.append(place)
  }

  private mutating func addStep(_ step: Dispatch.Step) {
    steps.append(step)
    segments.append(TextPlace(start: 0, count: 0))
  }

  /// Drops everything that was loaded.
  mutating func clear() {
    arena.reset(to: constantsMark)
    arena.mayHoldConstraints = false
    steps.drop(from: 0)
    segments.drop(from: 0)
    found.drop(from: 0)
  }

  // MARK: Deciding

  /// Starts the decision of an access, and returns the indices in `found` of the blocks that match its path.
  @inline(__always)
  mutating func begin(_ loaded: Loaded) -> Range<Int> {
    current = loaded
    spent = 0
    return Int(loaded.firstBlock)..<Int(loaded.lastBlock)
  }

  /// Enters a block that was found, and returns the range of its statements in `candidates`.
  @inline(__always)
  mutating func enter(_ place: Int) -> Range<Int> {
    block = Int(found[place])
    return Int(allows[block].first)..<Int(allows[block].last)
  }

  /// Evaluates a statement's condition: a bool, or an error. Nil if the reference has to evaluate it; then
  /// nothing has been charged or looked up, but the observer may have seen some expressions.
  mutating func evaluate<Watch: Observer>(_ allow: AllowID, watchedBy watch: inout Watch) -> Cell? {
    guard let statement = statements[allow.index] else {
      // A statement without a condition costs as much as `if true`.
      guard engine.rules.ruleset[allow].condition == nil, spent < Limits.expressions else {
        return nil
      }
      spent += 1
      return .isTrue
    }
    if statement.hasLookups { return runWithLookups(statement, watchedBy: &watch) }
    let paid = spent
    if let result = run(statement, watchedBy: &watch) { return result }
    spent = paid
    return nil
  }

  @inline(never)
  private mutating func runWithLookups<Watch: Observer>(
    _ statement: Program.Statement, watchedBy watch: inout Watch
  ) -> Cell? {
    let (paid, before) = (spent, lookups)
    if let result = run(statement, watchedBy: &watch) { return result }
    lookups = before
    spent = paid
    return nil
  }

  /// Runs the code of a condition; nil if the reference has to evaluate it.
  mutating func run<Watch: Observer>(
    _ statement: Program.Statement, watchedBy watch: inout Watch
  ) -> Cell? {
    isLeftToReference = false
    lastActivation = 0
    spent += statement.cost
    let result = run(from: statement.start, &watch)
    isOverspent = !isLeftToReference && spent > Limits.expressions
    return isLeftToReference || isOverspent ? nil : result
  }
}
