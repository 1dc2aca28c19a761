import RulesEval
import RulesLang

/// Literals of every type: few and small, so that equal ones occur often.
enum Literals {
  /// Returns a literal of a type; nil for types without literals.
  static func make(_ type: ValueType, using dice: inout Dice) -> Phrase? {
    switch type {
    case .null: return Phrase("null")
    case .bool: return Phrase(dice.pick(["true", "false"]))
    case .int: return Phrase(dice.pick(dice.chance(90) ? ints : largeInts), level: Phrase.unary)
    case .float:
      return Phrase(dice.pick(dice.chance(90) ? floats : oddFloats), level: Phrase.unary)
    case .string: return Phrase(quoted(dice.pick(strings), using: &dice))
    case .bytes: return Phrase(dice.pick(bytes))
    case .path: return .path(dice.pick(paths))
    case .list: return Phrase(dice.pick(lists))
    case .map: return Phrase(dice.pick(maps))
    case .set: return Phrase(dice.pick(lists) + ".toSet()")
    case .timestamp: return Phrase(dice.pick(timestamps))
    case .duration: return Phrase(dice.pick(durations))
    case .latlng: return Phrase(dice.pick(points))
    case .mapDiff: return Phrase("\(dice.pick(maps)).diff(\(dice.pick(maps)))")
    case .vector, .constraint: return nil
    }
  }

  private static func quoted(_ text: String, using dice: inout Dice) -> String {
    dice.chance(85) ? "'\(text)'" : "\"\(text)\""
  }

  private static let ints = ["0", "1", "1", "2", "2", "3", "5", "7", "10", "-1", "-2", "100"]
  private static let largeInts = [
    "9223372036854775807", "-9223372036854775808", "9007199254740993", "4611686018427387904",
    "1000000000000", "-9223372036854775807", "2147483648", "31556889864403199",
  ]
  private static let floats = [
    "0.0", "1.0", "1.0", "2.0", "1.5", "2.5", "-1.0", "-0.5", ".5", "3.", "100.25",
  ]
  private static let oddFloats = [
    "-0.0", "9007199254740992.0", "0.1", "10000000.0", "0.001", "9223372036854775808.0",
    "179.99", "90.5", "0.49999999999999994",
  ]
  private static let strings = [
    "", "a", "a", "b", "ab", "abc", "A", "x", "u1", "0", "1", "2", "1.5", "-3", "a b", "a,b",
    ",", "/a/b", "{x}", "k", "n", "true", "null", "NaN", "\\u00e9", "\\ud83d\\ude00", "\\n",
    " x ", "aXbXa", "2020-02-29T12:34:56.789Z",
  ]
  private static let bytes = [
    "b''", "b'a'", "b'ab'", "b'\\xff'", "b'\\x00\\x01'", "B\"a\"", "b'\\377a'",
  ]
  private static let paths = [
    "/a", "/a/b", "/a/b/c", "/{x}", "/a/{x}", "/{x}/{y}", "/a/{x=**}", "/(default)/x", "/a%20b/c+d",
    "/t/a", "/{x=*}/b",
  ]
  private static let lists = [
    "[]", "[1]", "[1, 2]", "[2, 1]", "[1.0]", "['a']", "['a', 'b']", "[null]", "[[]]", "[[1], 'a']",
    "[1, 1, 2]", "[true]", "[-0.0]", "[{}]", "[0.0, -0.0]", "['b', 'a', 'b']", "[{'a': 1}, 1]",
  ]
  private static let maps = [
    "{}", "{'a': 1}", "{'a': 1.0}", "{'a': 2}", "{'b': 1}", "{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}",
    "{'a': {'b': 1}}", "{'a': null}", "{'a': [1]}", "{'k': 'v', 'a': 1}", "{'a': 1, 'a': 3}",
    "{'x': 'u1', 'n': 0.0}", "{'x': -0.0}",
  ]
  private static let timestamps = [
    "timestamp.date(2020, 2, 29)", "timestamp.value(0)", "timestamp.value(1582934400000)",
    "timestamp.value(-1)", "timestamp.date(1, 1, 1)", "timestamp.date(9999, 12, 31)",
    "timestamp.value('2020-02-29T12:34:56.789Z')", "timestamp.date(2024, 12, 30)",
  ]
  private static let durations = [
    "duration.value(1, 's')", "duration.value(0, 'd')", "duration.value(-1500, 'ms')",
    "duration.time(1, 2, 3, 4)", "duration.value(1, 'd')", "duration.value(2, 'w')",
    "duration.value(1, 'ns')", "duration.value(3652500, 'd')", "duration.value(-90, 'm')",
  ]
  private static let points = [
    "latlng.value(0, 0)", "latlng.value(1.0, 2.0)", "latlng.value(1, 2)", "latlng.value(-90, 180)",
    "latlng.value(-0.0, 0)", "latlng.value(10.5, -20.25)",
  ]
}
