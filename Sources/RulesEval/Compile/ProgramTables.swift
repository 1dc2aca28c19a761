import RulesLang

/// The code of a program with the tables that its instructions index.
struct ProgramTables: Sendable {
  /// All code.
  var code: [Instruction] = []
  /// The constants, which fill the registers from `Lowering.firstConstant` on.
  var constants = ConstantTable()
  /// Operand lists of instructions with any number of operands.
  var operands = OperandTable()
  /// The forms of path literals.
  var paths: [[Program.PathStep]] = []
  /// The names of methods.
  var methodNames: [Text] = []
  /// The patterns that are constants.
  var patterns: [Pattern] = []
  /// The number of each path literal's form.
  var pathPlaces: [[Program.PathStep]: UInt16] = [:]
  var methodPlaces: [Text: UInt16] = [:]
  var patternPlaces: [Text: UInt32] = [:]

  /// The number of registers, constants included.
  var registerCount: Int { Lowering.firstConstant + constants.values.count }

  /// Returns the method of each name for each type of receiver: all types of the first name, then all of the
  /// second, and so on.
  func methods() -> [Builtin?] {
    methodNames.flatMap { name in
      ValueType.allCases.map { Functions.method(name, of: $0) }
    }
  }
}
