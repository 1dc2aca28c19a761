import RulesLang

/// Value numbering: the register that already holds the result of a computation, so that nothing is computed
/// twice.
///
/// Inside the right side of `&&` or a branch everything computed before it is known; computations inside it
/// are forgotten at its end, because they may not have run.
struct ValueNumbers {
  /// A computation: an operation with its operand registers.
  private struct Key: Hashable {
    var operation: UInt8
    var a: UInt16
    var b: UInt16
    var immediate: UInt32
  }

  private var registers: [Key: UInt16] = [:]
  private var journal: [Key] = []

  /// Removes all entries.
  mutating func clear() {
    registers.removeAll(keepingCapacity: true)
    journal.removeAll(keepingCapacity: true)
  }

  /// Returns the register that holds what an instruction computes; nil if none does.
  func register(of instruction: Instruction) -> UInt16? { registers[Self.key(instruction)] }

  /// Records that an instruction's target holds its result.
  mutating func record(_ instruction: Instruction) {
    let key = Self.key(instruction)
    registers[key] = instruction.target
    journal.append(key)
  }

  /// A mark of the known computations, set at the start of a branch.
  var mark: Int { journal.count }

  /// Removes the computations since a mark.
  mutating func forget(since mark: Int) {
    while journal.count > mark { registers[journal.removeLast()] = nil }
  }

  private static func key(_ instruction: Instruction) -> Key {
    Key(
      operation: instruction.operation.rawValue, a: instruction.a, b: instruction.b,
      immediate: instruction.immediate)
  }
}

/// Operand lists, each stored once.
struct OperandTable: Sendable {
  private(set) var table: [UInt16] = []
  private var places: [[UInt16]: UInt32] = [:]

  /// Returns where a list lies in the table, adding it if it is new.
  mutating func place(of registers: [UInt16]) -> UInt32 {
    if let known = places[registers] { return known }
    let place = UInt32(table.count)
    table += registers
    places[registers] = place
    return place
  }
}

/// The constants of a program; simple ones are stored once.
struct ConstantTable: Sendable {
  private(set) var values: [Value?] = []
  private var places: [Simple: UInt16] = [:]

  private enum Simple: Hashable, Sendable {
    case error, null
    case bool(Bool)
    case int(Int64)
    case float(UInt64)
    case string([UInt8])
  }

  /// Returns the register of a constant, nil standing for an error; nil if there are too many constants.
  mutating func register(of value: Value?) -> UInt16? {
    let simple = Self.simple(value)
    if let simple, let known = places[simple] { return known }
    guard values.count < Lowering.maximumConstants else { return nil }
    let register = UInt16(values.count)
    values.append(value)
    if let simple { places[simple] = register }
    return register
  }

  private static func simple(_ value: Value?) -> Simple? {
    guard let value else { return .error }
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .float(let number): return .float(number.bitPattern)
    case .string(let text): return .string(text.bytes)
    case .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector,
      .constraint:
      return nil
    }
  }
}
