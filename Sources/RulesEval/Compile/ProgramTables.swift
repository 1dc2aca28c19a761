import RulesLang

/// The code of a program with what its instructions refer to by number.
///
/// All of it only grows; so another version of the rules is compiled behind what the program has, and a
/// machine that runs the program takes what is new (`Revision`).
struct ProgramTables: Sendable {
  /// All code.
  var code: [Instruction] = []
  /// The constants, which are the registers from `Lowering.firstConstant`.
  var constants = ConstantTable()
  /// Operands of instructions that take any number of them.
  var operands = OperandTable()
  /// The forms of path literals.
  var paths: [[Program.PathStep]] = []
  /// The names of methods.
  var methodNames: [Text] = []
  /// The patterns that are constants.
  var patterns: [Pattern] = []
  /// Where each of them is.
  var pathPlaces: [[Program.PathStep]: UInt16] = [:]
  var methodPlaces: [Text: UInt16] = [:]
  var patternPlaces: [Text: UInt32] = [:]

  /// How many registers there are, constants included.
  var registerCount: Int { Lowering.firstConstant + constants.values.count }

  /// Which method each name from a place on means for each type of receiver: all types of the first name, and
  /// so on.
  func methods(from place: Int = 0) -> [Builtin?] {
    methodNames[place...].flatMap { name in
      ValueType.allCases.map { Functions.method(name, of: $0) }
    }
  }
}
