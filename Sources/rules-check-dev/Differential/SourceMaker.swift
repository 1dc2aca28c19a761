import RulesEval
import RulesLang

/// Generates sources, some of which compile: generated rule sets, whole or slightly damaged, and files close
/// to a limit.
enum SourceMaker {
  /// Returns a source.
  static func make(_ dice: inout Dice) -> String {
    if dice.chance(12) { return limit(&dice) }
    var maker = RulesMaker(dice)
    var text = maker.make().text
    dice = maker.dice
    if dice.chance(25) {
      var expressions = ExpressionMaker(dice, in: Scope())
      let made = expressions.any(4).text
      dice = expressions.dice
      text += "service x.y { match /a { allow read: if \(made); } }\n"
    }
    if dice.chance(20) { return text }
    for _ in 0..<dice.pick([1, 1, 1, 2]) { text = damaged(text, using: &dice) }
    return text
  }

  // MARK: Damage

  private static let pieces = [
    ";", ",", ":", ".", "(", ")", "{", "}", "[", "]", "/", "=", "==", "&&", "||", "!", "?", "$",
    "'", "\"", "*", "**", "-", "+", "%", "<", "in", "is", "if", "allow", "match", "function",
    "return", "let", "let v = 1;", "service", "true", "null", "1", "1.5", "'a'", "x", "/a", "/{x}",
    "/{x=**}", " ", "\n", "//", "/*", "*/", "rules_version = '2';", "import 'x';", "0x1", "1e3",
    "007", "b'\\u0041'", "'\\q'", "++", "--", "===", "#", "`", "\u{E9}", "math", "math.abs",
    "is int",
    "is foo", "9223372036854775808", ".matches('(')", "allow read;", "return true;", "\\", "@",
  ]

  private static func damaged(_ text: String, using dice: inout Dice) -> String {
    var words = tokens(text)
    guard !words.isEmpty else { return text }
    let place = dice.roll(words.count)
    switch dice.roll(12) {
    case 0..<3: words.remove(at: place)
    case 3: words.insert(words[place], at: place)
    case 4: words.swapAt(place, dice.roll(words.count))
    case 5..<8: words.insert(dice.pick(pieces), at: place)
    case 8..<10: words[place] = dice.pick(pieces)
    case 10: words = Array(words[..<place])
    default: return withoutCharacter(text, using: &dice)
    }
    return words.joined()
  }

  private static func withoutCharacter(_ text: String, using dice: inout Dice) -> String {
    var scalars = Array(text.unicodeScalars)
    scalars.remove(at: dice.roll(scalars.count))
    return String(String.UnicodeScalarView(scalars))
  }

  /// Splits a text into words, white space and single signs.
  private static func tokens(_ text: String) -> [String] {
    var words: [String] = []
    var isWord = false
    for scalar in text.unicodeScalars {
      let isDigit = ("0"..."9").contains(scalar)
      let continues = scalar.properties.isAlphabetic || scalar == "_" || isDigit
      if continues, isWord {
        words[words.count - 1].unicodeScalars.append(scalar)
      } else {
        words.append(String(scalar))
      }
      isWord = continues
    }
    return words
  }

  // MARK: Limits

  private static func limit(_ dice: inout Dice) -> String {
    let near = dice.roll(-2...2)
    switch dice.roll(8) {
    case 0:
      let lets = (0..<11 + near).map { "let v\($0) = \($0); " }.joined()
      return file(
        functions: "function f() { \(lets)return true; }",
        blocks: "match /c/{x} { allow read: if f(); }")
    case 1:
      let names = (0..<7 + near).map { "p\($0)" }.joined(separator: ", ")
      return file(
        functions: "function f(\(names)) { return true; }", blocks: "match /c/{x} { allow read; }")
    case 2:
      let count = 21 + near
      let chain = (0..<count).map {
        "function f\($0)() { return \(callee(of: $0, among: count)); } "
      }.joined()
      return file(functions: chain, blocks: "match /c/{x} { allow read: if f0(); }")
    case 3:
      let depth = 10 + near
      let open = (0..<depth).map { "match /c\($0)/{x\($0)} { " }.joined()
      return file(
        functions: "", blocks: open + "allow read;" + String(repeating: " }", count: depth))
    case 4:
      let segments = (0..<97 + near).map { "/s\($0)" }.joined()
      return file(functions: "", blocks: "match \(segments)/{x} { allow read; }")
    case 5:
      let captures = (0..<19 + near).map { "/{v\($0)}" }.joined()
      return file(functions: "", blocks: "match \(captures) { allow read; }")
    case 6:
      return file(
        functions: "", blocks: "match /c/{x} { allow read: if \(nested(98 + near, using: &dice)); }"
      )
    default:
      let recursion = dice.pick([
        "function f() { return f(); }", "function f() { return g(); } function g() { return f(); }",
        "function f(a) { return a; } function g() { return f(f(f(1))); }",
      ])
      return file(functions: recursion, blocks: "match /c/{x} { allow read; }")
    }
  }

  private static func callee(of number: Int, among count: Int) -> String {
    number == count - 1 ? "true" : "f\(number + 1)()"
  }

  private static func nested(_ depth: Int, using dice: inout Dice) -> String {
    switch dice.roll(5) {
    case 0: return Array(repeating: "x", count: depth).joined(separator: " && ")
    case 1: return String(repeating: "!", count: depth) + "true"
    case 2:
      return String(repeating: "(", count: depth) + "true" + String(repeating: ")", count: depth)
    case 3:
      return String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        + " is list"
    default: return "x" + String(repeating: ".a", count: depth) + " == 1"
    }
  }

  private static func file(functions: String, blocks: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
    match /databases/{database}/documents {
    \(functions)
    \(blocks)
    }
    }

    """
  }
}
