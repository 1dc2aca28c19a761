public import RulesLang

/// A rules file as a program for the `Machine`.
///
/// Conditions are lowered one by one. One that is too large stays without code, and the reference
/// evaluates it; which of the two does is never visible in a decision.
public final class Program: Sendable {
  /// The code of one condition.
  struct Statement: Sendable {
    /// Its first instruction.
    var start: Int
    /// What is paid whatever happens.
    var cost: Int
    /// Whether it looks documents up.
    var hasLookups: Bool
  }

  /// A part of a path literal.
  enum PathStep: Hashable, Sendable {
    case literal(Text)
    case capture(Text)
    case glob(Text)
    /// The next operand.
    case operand
  }

  /// The rules.
  package let rules: Checked
  /// The names that the rules mention.
  let symbols: Symbols
  /// All code, with what it refers to.
  let tables: ProgramTables
  /// The code of conditions, by `AllowID`; nil for statements without a condition and for those that
  /// only the reference evaluates.
  let statements: [Statement?]
  /// The code of conditions that were added to the rules, in the order in which they were named.
  let added: [Statement?]
  /// Which method each name means for each type of receiver: all types of the first name, and so on.
  let methods: [Builtin?]
  /// Which blocks a path leads to.
  let dispatch: Dispatch
  /// Whether any condition looks documents up.
  let hasLookups: Bool
  /// Whether the program shows every expression to an observer.
  public let isMarked: Bool
  /// The most activations that a statement of a marked program has.
  let activationCount: Int

  /// Compiles rules. A marked program can tell what every expression came to, and is slower for it;
  /// its decisions are the same. Functions that are conditions added to the rules (`Checker.extend`) can
  /// be compiled with them. Statements that are not wanted are left to the reference. What takes long to
  /// compile and stands in the rules of another program, too, is taken over from it.
  public init(
    _ rules: Checked, isMarked: Bool = false, adding functions: [FunctionID] = [],
    like other: Program? = nil, where isWanted: (AllowID) -> Bool = { _ in true }
  ) {
    self.rules = rules
    self.isMarked = isMarked
    var symbols = Symbols()
    var lowering = Lowering(rules, isMarked: isMarked, knowing: other?.tables.patterns ?? [])
    var statements: [Statement?] = []
    var hasLookups = false
    for (index, allow) in rules.ruleset.allows.enumerated() {
      let statement =
        isWanted(AllowID(index)) ? lowering.statement(allow, symbols: &symbols) : nil
      statements.append(statement)
      if allow.condition != nil, statement?.hasLookups ?? true { hasLookups = true }
    }
    added = functions.map { lowering.condition($0, symbols: &symbols) }
    self.statements = statements
    self.hasLookups = hasLookups
    tables = lowering.tables
    methods = tables.methods()
    activationCount = lowering.activationCount
    dispatch = Dispatch(rules, symbols: &symbols)
    self.symbols = symbols
  }
}
