import RulesLang

/// A value as plain data: sixteen bytes without reference counting.
///
/// Larger values lie in an `Arena`, and the cell says where. A cell is meaningless without the arena that it
/// was made in.
struct Cell {
  /// The type of a cell.
  enum Kind: UInt8 {
    /// An error. Its reason is not stored: the reference evaluates the condition again if it is needed.
    case error
    case null
    /// `bits` is 1 for true.
    case bool
    /// `bits` is the number, two's complement.
    case int
    /// `bits` is the pattern of the number.
    case float
    /// `index` is the first word, `bits` the number of bytes.
    case text
    /// `index` is the first element, `bits` the number of elements.
    case list
    /// `index` is the map; the mentions of it begin at the lower half of `bits`, and the upper half
    /// is their number.
    case map
    /// The keys of the map in this cell, not yet sorted: the result of `keys()`.
    case keys
    /// The maps of a diff, not yet compared: `bits` is the map before, `index` the map after. The result of
    /// `diff()`.
    case diff
    /// The keys of a diff whose status is in `mask`: the result of `affectedKeys()` and similar methods.
    case changes
    /// A boxed value at `index`: one without a plain form, or one that is not unpacked yet.
    case boxed
  }

  var kind: Kind
  /// For `changes`, a bit for each `MapDiff.Status`; for a list or map, 1 if there may be a constraint
  /// inside, which every comparison has to consider.
  var mask: UInt8 = 0
  var index: UInt32 = 0
  var bits: UInt64 = 0

  static let error = Cell(kind: .error)
  static let null = Cell(kind: .null)
  static let isTrue = Cell(kind: .bool, bits: 1)
  static let isFalse = Cell(kind: .bool)

  /// The cell of a bool.
  @inline(__always)
  static func bool(_ value: Bool) -> Cell { value ? isTrue : isFalse }

  /// The cell of an int.
  @inline(__always)
  static func int(_ value: Int64) -> Cell { Cell(kind: .int, bits: UInt64(bitPattern: value)) }

  /// The cell of a float.
  static func float(_ value: Double) -> Cell { Cell(kind: .float, bits: value.bitPattern) }

  /// The number of an int.
  var asInt: Int64 { Int64(bitPattern: bits) }

  /// The number of a float.
  var asFloat: Double { Double(bitPattern: bits) }

  /// True if the cell is a bool with this value.
  @inline(__always)
  func isBool(_ value: Bool) -> Bool { kind == .bool && (bits == 1) == value }
}
