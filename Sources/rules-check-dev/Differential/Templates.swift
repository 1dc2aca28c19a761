import RulesEval

/// Texts with a syntax of their own: patterns, replacements, paths, numbers, units.
///
/// Texts that the emulator is known to treat wrongly are left out: replacements that name a missing group
/// crash it, an empty match between the halves of a surrogate pair splits the pair (Docs/Language.md §16).
enum Templates {
  /// Returns a regular expression as the inside of a string literal.
  static func pattern(_ dice: inout Dice) -> String {
    let atoms = ["a", "b", "x", ".", "[a-c]", "[^a]", "\\\\d", "\\\\w", "ab", "[[:alpha:]]"]
    if dice.chance(25) { return dice.pick(wholePatterns) }
    var text = dice.chance(10) ? "(?i)" : ""
    for _ in 0..<dice.roll(1...3) {
      var atom = dice.pick(atoms)
      if dice.chance(25) { atom = "(\(atom)|\(dice.pick(atoms)))" }
      text += atom + dice.pick(["", "", "*", "+", "?", "{0,2}", "*?"])
    }
    if dice.chance(8) { text = "^" + text }
    return text
  }

  private static let wholePatterns = [
    "a", "b", ",", "X", "[ab]", "a.c", ".+", "(a)(b)", "\\\\.", "[0-9]+", "u1", "a|b", "\\\\pL",
    " ",
  ]

  /// Malformed patterns: computed ones fail when they are evaluated.
  static let brokenPatterns = [
    "(", "a**", "[b-a]", "\\\\Z", "(?=a)", "a{1001}", "*", "\\\\1", "[a",
  ]

  /// Replacements that name no group except the whole match.
  static let replacements = ["", "-", "x", "$0", "[$0]", "a\\\\$b", "$", "\\\\\\\\", "\\u00e9"]

  /// Path templates as the inside of a string literal.
  static let paths = [
    "/a/b", "a/b", "/{x}/b", "/{x=**}", "/a/{x=*}", "", "/", "/a//b", "/a/", "/{x", "/{1}",
    "/a%20b",
    "/a+b", "/{x}/{x}", "/$(a)", "/{}", "/a}b", "/{x y}", "/{x=***}", "/{=**}",
  ]

  /// Texts that are numbers, or nearly so.
  static let numbers = [
    "1", "-1", "+2", "1.5", "1e3", "0x10", "", " 1", "1 ", "NaN", "Infinity", "-0", "007", "1.",
    ".5", "1f", "9223372036854775808", "\\u0661", "1_0", "-", "nan", "1e400", "--1",
  ]

  /// Units of durations, and wrong ones.
  static let units = ["w", "d", "h", "m", "s", "ms", "ns", "s", "d", "y", "S", ""]

  /// Timestamps, and texts that are none.
  static let times = [
    "2020-02-29T12:34:56.789Z", "1970-01-01T00:00:00Z", "2020-01-01T00:00:00+01:30", "2020-13-01",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "", "2020-01-01T00:00:00",
  ]

  /// Keys of the maps in scope.
  static let keys = ["a", "b", "x", "n", "k", "missing", "", "m"]
}
