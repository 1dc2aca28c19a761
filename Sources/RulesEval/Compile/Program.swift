public import RulesLang

/// A rules file compiled for the `Machine`.
///
/// Conditions are lowered one by one. One that is too large has no code and is evaluated by the reference;
/// decisions never depend on which of the two evaluates it.
public final class Program: Sendable {
  /// The code of one statement's condition.
  struct Statement: Sendable {
    /// The first instruction.
    var start: Int
    /// The expressions charged at the start, on any path.
    var cost: Int
    /// True if the condition looks documents up.
    var hasLookups: Bool
  }

  /// A part of a path literal.
  enum PathStep: Hashable, Sendable {
    case literal(Text)
    case capture(Text)
    case glob(Text)
    /// A segment that the next operand gives.
    case operand
  }

  /// The rules.
  package let rules: Checked
  /// The names that the rules mention.
  let symbols: Symbols
  /// The code of all conditions, with everything that it refers to.
  let tables: ProgramTables
  /// The code of conditions, by `AllowID`; nil for statements without a condition and for those that only the
  /// reference evaluates.
  let statements: [Statement?]
  /// The code of conditions that were added to the rules, in the order in which they were passed.
  let added: [Statement?]
  /// The method of each name for each type of receiver: all types of the first name, then all of the second,
  /// and so on.
  let methods: [Builtin?]
  /// The trie that finds the blocks for a path.
  let dispatch: Dispatch
  /// True if any condition looks documents up.
  let hasLookups: Bool
  /// True if the program reports every expression to an observer.
  public let isMarked: Bool
  /// The largest number of activations of a statement in a marked program.
  let activationCount: Int

  /// Compiles rules.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - isMarked: True if the program is to report the value of every expression to an observer; it is
  ///     slower, with the same decisions.
  ///   - functions: Conditions that were added to the rules (`Checker.extend`), to be compiled with them.
  ///   - other: A program of similar rules, whose compiled patterns are reused.
  ///   - isWanted: True for the statements to compile; the others are left to the reference.
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
