import RulesEval
import RulesLang

/// Generates expressions about a random request, with forms that provers often get wrong: sizes, sets of
/// keys, sets in place of lists, ternaries, map literals with repeated keys, arithmetic.
struct PieceMaker {
  /// The random number generator.
  var dice: Dice
  private let stored: [String]

  init(_ dice: Dice, method: Method) {
    self.dice = dice
    switch method {
    case .get, .delete, .list: stored = ["resource.data"]
    case .create: stored = ["request.resource.data"]
    case .update: stored = ["resource.data", "request.resource.data"]
    }
  }

  /// Returns a condition; `size` bounds its depth.
  mutating func condition(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 30 : 18) {
    case 0, 1, 2:
      return "\(number(size)) \(dice.pick(["==", "!=", "<", "<=", ">", ">="])) \(number(size))"
    case 3: return "\(text(size)) \(dice.pick(["==", "!=", "<"])) \(text(size))"
    case 4: return "\(list(size)).\(question)(\(either(size)))"
    case 5: return "\(set(size)).\(question)(\(either(size)))"
    case 6: return "\(any(size)) in \(dice.pick([list(size), set(size), map(size), any(size)]))"
    case 7: return "\(any(size)) is \(type)"
    case 8: return "\(any(size)) == \(any(size))"
    case 9: return "\(map(size)).get(\(keys), \(any(0))) == \(any(0))"
    case 10:
      if dice.chance(30) { return "debug(request.auth != null, \(any(0)))" }
      return "request.auth\(dice.pick([" != null", " == null", ".uid == 'u1'"]))"
    case 11: return "request.auth.token.\(dice.pick(["admin == true", "role == 'a'", "admin"]))"
    case 12: return lookup
    case 13: return "\(set(size)) == \(either(size))"
    case 14:
      if dice.chance(30) { return "\(base).\(name) != \(dice.pick(["null", any(0)]))" }
      return "\(any(size)) != \(any(size))"
    case 15: return "'\(name)' in \(base)"
    case 16:
      if dice.chance(50) { return computed }
      return "\(text(size)).matches('\(dice.pick(["a.*", "[a-z]+", "", "u1|d1"]))')"
    case 17: return "\(list(size)) == \(either(size))"
    case 18, 19: return "\(held(size)) && \(held(size))"
    case 20, 21: return "\(held(size)) || \(held(size))"
    case 22: return "!\(held(size))"
    case 23, 24: return "(\(condition(size - 1)) ? \(condition(0)) : \(condition(0)))"
    case 25: return "{'\(name)': \(any(0)), 'a': \(condition(0))}.a"
    case 26: return "[\(condition(size - 1))][0]"
    case 27: return "(\(condition(size - 1))) == \(dice.pick(["true", "false", condition(0)]))"
    case 28: return "same(\(condition(size - 1)))"
    default: return "kept(\(base), \(any(0)))"
    }
  }

  /// The functions that expressions call.
  static let functions = """
    function same(x) { let y = x; return y; }
    function kept(d, x) { let y = d.keys(); let z = x; return y.size() > 0 && (z in y || true); }
    """

  private mutating func held(_ size: Int) -> String { "(\(condition(size - 1)))" }
  private var base: String { mutating get { dice.pick(stored) } }
  private var name: String {
    mutating get { String(dice.pick(DrawnRequest.fields + ["zz"])) }
  }
  /// A key, or a path of keys.
  private var keys: String {
    mutating get {
      dice.chance(50)
        ? "'\(name)'"
        : dice.pick([
          "['m', 'b']", "['zz', 'b']", "['m', 'zz', 'a']", "[]", "['zz', 1]", "[request.method]",
        ])
    }
  }

  /// A lookup of a document, mostly the request's own.
  private var lookup: String {
    mutating get {
      let root = dice.pick(["(default)", "$('')", "$(database)"])
      let id = dice.pick(["u1", "d1", "x", "$(id)", "$(request.auth.uid)", "$(\(base).u)"])
      let path = dice.chance(15) ? "request.path" : "/databases/\(root)/documents/c/\(id)"
      switch dice.roll(5) {
      case 0: return "exists(\(path))"
      case 1: return "existsAfter(\(path))"
      case 2:
        return "\(dice.pick(["get", "getAfter"]))(\(path)) == \(dice.pick(["null", "resource"]))"
      case 3: return "\(dice.pick(["get", "getAfter"]))(\(path)).data == \(base)"
      default:
        return "\(dice.pick(["get", "getAfter"]))(\(path)).data.\(name) == \(base).\(name)"
      }
    }
  }

  /// A computation on numbers, texts or times.
  private var computed: String {
    mutating get {
      let (one, other) = ("\(base).\(name)", "\(base).\(name)")
      return dice.pick([
        "math.abs(\(one)) == \(other)", "math.round(\(one)) == \(other)",
        "math.floor(\(one)) <= \(one)", "int(\(one)) == 1", "float(\(one)) == \(one)",
        "string(\(one)) == '1'", "\(one).split('b').size() == 1", "\(one).replace('a', 'b') == 'b'",
        "\(one).year() >= 1970", "\(one).toMillis() > 0", "\(one) <= request.time",
        "\(one) + duration.value(1, 'h') > request.time", "request.time - \(one) == \(other)",
        "\(one).toHexString() == '61'", "\(one).latitude() == 1", "\(one)[0] == 'a'",
        "\(one)[4] == 'd1'", "\(one)[0:1] == \(other)", "\(one).join('') == 'a'",
        "request.path[4] == id", "hashing.md5(\(one)) == b'a'",
      ])
    }
  }

  private var question: String { mutating get { dice.pick(["hasAny", "hasAll", "hasOnly"]) } }
  private var type: String {
    mutating get {
      let words = ["int", "float", "number", "string", "list", "map", "set", "bool"]
      return dice.chance(15) ? "constraint" : dice.pick(words)
    }
  }

  /// Returns the text, or sometimes an expression of any type.
  private mutating func mostly(_ text: String) -> String { dice.chance(12) ? any(0) : text }

  private mutating func number(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 14 : 6) {
    case 0: return "\(dice.roll(4))"
    case 1: return dice.pick(["1.0", "0.5", "-1", "2.0"])
    case 2: return "\(base).\(dice.pick(["n", "f", "zz"]))"
    case 3: return "\(base).size()"
    case 4, 5: return "\(mostly(list(0))).size()"
    case 6: return "\(set(size - 1)).size()"
    case 7: return "-\(number(size - 1))"
    case 8, 9:
      return "(\(number(size - 1)) \(dice.pick(["+", "-", "*", "/", "%"])) \(number(size - 1)))"
    case 10: return "(\(condition(0)) ? \(number(size - 1)) : \(number(size - 1)))"
    case 11: return "{'a': \(any(0)), 'a': \(number(size - 1))}.a"
    case 12: return "same(\(number(size - 1)))"
    default: return "\(text(size - 1)).size()"
    }
  }

  private mutating func text(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 9 : 6) {
    case 0: return dice.pick(["'a'", "'ab'", "''", "'u1'"])
    case 1: return "\(base).\(dice.pick(["s", "u", "m.b", "zz"]))"
    case 2: return "request.auth.uid"
    case 3: return "request.method"
    case 4: return "request.auth.token.role"
    case 5: return "\(base).get('s', 'a')"
    case 6: return "\(mostly("\(base).s")) + \(text(size - 1))"
    case 7: return "(\(condition(0)) ? \(text(size - 1)) : \(text(size - 1)))"
    default: return "\(base).s\(dice.pick([".lower()", "[0:1]", ".trim()"]))"
    }
  }

  private mutating func list(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 11 : 6) {
    case 0:
      return dice.pick([
        "['a']", "['a', 'b']", "[]", "['a', 1, 1.0]", "[request.auth.uid]",
        "['a', \(base).u]", "[request.auth.uid, \(base).s]",
      ])
    case 1, 2: return "\(base).l"
    case 3, 4: return "\(base).keys()"
    case 5: return "[\(any(0))]"
    case 6: return "\(list(size - 1)).concat(\(either(size - 1)))"
    case 7: return "\(list(size - 1)).removeAll(\(either(size - 1)))"
    case 8: return "(\(condition(0)) ? \(list(size - 1)) : \(list(0)))"
    case 9: return "\(map(0)).keys()"
    default: return "\(base).get('l', ['a'])"
    }
  }

  private mutating func set(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 9 : 5) {
    case 0: return "['a'].toSet()"
    case 1: return "\(base).keys().toSet()"
    case 2, 3, 4: return diff
    case 5:
      return
        "\(set(size - 1)).\(dice.pick(["union", "difference", "intersection"]))(\(either(size - 1)))"
    case 6: return "\(list(size - 1)).toSet()"
    case 7: return "(\(condition(0)) ? \(set(size - 1)) : \(set(0)))"
    default: return "same(\(set(size - 1)))"
    }
  }

  private var diff: String {
    mutating get {
      let maps = dice.shuffled(stored + ["{'a': 1}"])
      let keys = dice.pick(["affected", "added", "removed", "changed", "unchanged"])
      return "\(maps[0]).diff(\(maps[1])).\(keys)Keys()"
    }
  }

  /// Returns a list or a set, which behave differently.
  private mutating func either(_ size: Int) -> String {
    mostly(dice.chance(50) ? list(max(0, size - 1)) : set(max(0, size - 1)))
  }

  private mutating func map(_ size: Int) -> String {
    switch dice.roll(6) {
    case 0: return "{'a': \(any(0)), 'b': 1}"
    case 1: return "\(base).m"
    case 2: return "{'a': \(base).zz, 'a': 2}"
    case 3: return size > 0 ? "(\(condition(0)) ? \(map(0)) : \(base))" : base
    default: return base
    }
  }

  private mutating func any(_ size: Int) -> String {
    switch dice.roll(size > 0 ? 12 : 7) {
    case 0: return dice.pick(["1", "'a'", "true", "null", "1.0", "[1]", "{'a': 1}"])
    case 1, 2, 3: return "\(base).\(name)"
    case 4: return dice.pick(["request.auth.uid", "request.auth", "request.time", base])
    case 5: return "\(base).keys()"
    case 6: return "\(base).size()"
    case 7: return number(size - 1)
    case 8: return text(size - 1)
    case 9: return list(size - 1)
    case 10: return set(size - 1)
    default: return map(size - 1)
    }
  }
}
