import RulesLang

/// A value as plain data: sixteen bytes without reference counting.
///
/// What does not fit lies in an `Arena`, and the cell says where. A cell is meaningless without the
/// arena that it was made in.
struct Cell {
  /// What a cell stands for.
  enum Kind: UInt8 {
    /// The expression failed. Why is not kept: who wants to know asks the reference again.
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
    /// The keys of a map, as that map: what `keys()` gives, not yet sorted.
    case keys
    /// What changed from the map `bits` to the map `index`: what `diff()` gives, not yet compared.
    case diff
    /// The keys of a diff whose status is in `mask`: what `affectedKeys()` and the like give.
    case changes
    /// `index` is a value that has no plain form, or that nobody has looked into yet.
    case boxed
  }

  var kind: Kind
  /// For `changes`, a bit for each `MapDiff.Status`; for a list or map, 1 if there is a constraint
  /// somewhere inside, which no comparison may overlook.
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

  /// Whether the cell is a bool with this value.
  @inline(__always)
  func isBool(_ value: Bool) -> Bool { kind == .bool && (bits == 1) == value }
}
