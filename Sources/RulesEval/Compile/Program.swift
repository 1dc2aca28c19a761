public import RulesLang

/// A rules file as a program for the `Machine`.
///
/// Conditions are lowered one by one. One that is too large stays without code, and the reference
/// evaluates it; which of the two does is never visible in a decision.
public struct Program: Sendable {
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

  /// Which method a name means for each type of receiver.
  struct MethodName: Sendable {
    var name: Text
    /// By `ValueType`.
    var builtins: [Builtin?]
  }

  /// The rules.
  let rules: Checked
  /// The names that the rules mention.
  var symbols = Symbols()
  /// All code.
  var code: [Instruction] = []
  /// The code of conditions, by `AllowID`; nil for statements without a condition and for those that
  /// only the reference evaluates.
  var statements: [Statement?] = []
  /// The constants, which are registers 0 and up; nil for the error.
  var constants: [Value?] = []
  /// How many registers the largest statement needs, constants included.
  var registerCount = 0
  /// Operands of instructions that take any number of them.
  var operands: [UInt16] = []
  var paths: [[PathStep]] = []
  var methodNames: [MethodName] = []
  var patterns: [Pattern] = []
  /// Which blocks a path leads to.
  var dispatch: Dispatch

  /// Whether any condition looks documents up.
  private(set) var hasLookups = false

  /// Compiles rules.
  public init(_ rules: Checked) {
    self.rules = rules
    dispatch = Dispatch()
    var lowering = Lowering(rules)
    for allow in rules.ruleset.allows { statements.append(lowering.statement(allow)) }
    symbols = lowering.symbols
    code = lowering.code
    constants = lowering.constants.values
    registerCount = lowering.registerCount
    operands = lowering.operands.table
    paths = lowering.paths
    methodNames = lowering.methodNames
    patterns = lowering.patterns
    dispatch = Dispatch(rules, &symbols)
    for (place, allow) in rules.ruleset.allows.enumerated() where allow.condition != nil {
      if statements[place]?.hasLookups ?? true { hasLookups = true }
    }
  }
}
