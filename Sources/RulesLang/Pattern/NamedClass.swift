/// The named classes of ASCII: `\d`, `\s`, `\w` and those of POSIX (Docs/Language.md §8).
enum NamedClass {
  /// `[0-9]`.
  static let digit = set("09")
  /// `[0-9A-Z_a-z]`, also what `\b` looks for.
  static let word = set("09AZ__az")
  /// The class `\s`: `[\t\n\f\r ]`, without the vertical tab of `[:space:]`.
  static let perlSpace = set("\t\n\u{0C}\r  ")

  /// Returns the class `[:name:]`; nil if there is none.
  static func posix(_ name: [UInt32]) -> CodePointSet? {
    for (known, ranges) in posixClasses
    where name.elementsEqual(known.utf8, by: { $0 == UInt32($1) }) {
      return set(ranges)
    }
    return nil
  }

  /// Names with the first and last characters of their ranges, in pairs.
  private static let posixClasses: [(String, String)] = [
    ("alnum", "09AZaz"),
    ("alpha", "AZaz"),
    ("ascii", "\u{00}\u{7F}"),
    ("blank", "\t\t  "),
    ("cntrl", "\u{00}\u{1F}\u{7F}\u{7F}"),
    ("digit", "09"),
    ("graph", "!~"),
    ("lower", "az"),
    ("print", " ~"),
    ("punct", "!/:@[`{~"),
    ("space", "\t\r  "),
    ("upper", "AZ"),
    ("word", "09AZ__az"),
    ("xdigit", "09AFaf"),
  ]

  private static func set(_ ranges: String) -> CodePointSet {
    let bounds = Array(ranges.utf8)
    var intervals: [CodePointSet.Interval] = []
    for index in stride(from: 0, to: bounds.count - 1, by: 2) {
      intervals.append(
        CodePointSet.Interval(from: UInt32(bounds[index]), through: UInt32(bounds[index + 1])))
    }
    return CodePointSet(intervals)
  }
}
