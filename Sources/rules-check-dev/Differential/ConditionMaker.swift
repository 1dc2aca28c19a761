import RulesEval
import RulesLang

/// Generates realistic conditions: on the client, stored and written data, with lookups and calls of the
/// file's functions; and sometimes an expression of any form.
struct ConditionMaker {
  /// The random number generator.
  var dice: Dice
  /// True if the condition is in a function, whose errors a caller may absorb.
  var isInFunction = false
  /// Parameters and `let`s in scope.
  var locals: [String] = []
  private let around: RulesMaker.Surroundings

  /// Creates a generator for a place in a rules file.
  init(_ dice: Dice, around: RulesMaker.Surroundings) {
    self.dice = dice
    self.around = around
  }

  /// Document fields used in conditions, with data of several types.
  static let fields = ["x", "o", "l", "m", "t", "s", "v"]

  /// Returns a condition; `size` bounds its depth.
  mutating func condition(_ size: Int) -> String {
    if size <= 0 { return atom() }
    switch dice.roll(100) {
    case 0..<16: return "\(held(size)) && \(held(size))"
    case 16..<30: return "\(held(size)) || \(held(size))"
    case 30..<34: return "!(\(condition(size - 1)))"
    case 34..<37: return "(\(condition(size - 1)) ? \(condition(size - 1)) : \(atom()))"
    case 37..<47: return made(size)
    case 47..<50: return limits()
    default: return atom()
    }
  }

  private mutating func held(_ size: Int) -> String {
    let inner = condition(size - 1)
    return dice.chance(30) || inner.contains("||") || inner.contains("?") ? "(\(inner))" : inner
  }

  /// Returns an expression of any form over the names in scope.
  private mutating func made(_ size: Int) -> String {
    var maker = ExpressionMaker(dice, in: scope)
    maker.isAbsorbed = true
    let text = maker.make(.bool, size: size + 1).text
    dice = maker.dice
    return "(\(text))"
  }

  private var scope: Scope {
    var scope = Scope()
    scope.lookups = ["a", "b", "missing"].map {
      "/databases/\(around.database)/documents/c/\($0)"
    }
    for name in locals { scope.add(name, as: .bool, isSure: false) }
    for capture in around.captures where !locals.contains(capture.name) {
      scope.add(capture.name, as: capture.isGlob ? .path : .string, isSure: false)
    }
    for base in ["resource.data", "request.resource.data"] {
      for (field, type) in [
        ("x", ValueType.int), ("o", .string), ("l", .list), ("m", .map), ("t", .timestamp),
        ("s", .string),
      ] { scope.add("\(base).\(field)", as: type, isSure: false) }
    }
    scope.add("request.auth.uid", as: .string, isSure: false)
    scope.add("request.auth.token", as: .map, isSure: false)
    scope.add("request.method", as: .string, isSure: false)
    scope.routines = around.functions.map { function in
      Scope.Routine(
        name: function.name, parameters: Array(repeating: .bool, count: function.count),
        result: .bool)
    }
    return scope
  }

  // MARK: What people write

  private mutating func document() -> String {
    dice.pick(["resource", "request.resource", "resource", "request.resource"]) + ".data"
  }

  private mutating func field() -> String { "\(document()).\(dice.pick(Self.fields))" }

  private mutating func constant() -> String {
    dice.pick([
      "1", "2", "'u1'", "'a'", "true", "null", "1.0", "[1]", "{'k': 1}", "'c'", "3", "[1, 2]",
    ])
  }

  /// Returns an operand: a constant, field, capture or local.
  mutating func value() -> String {
    switch dice.roll(8) {
    case 0: return constant()
    case 1: return field()
    case 2: return "request.auth.uid"
    case 3: return dice.pick(locals + around.captures.map(\.name) + ["request", "resource"])
    case 4: return document()
    case 5: return "\(dice.pick(["get", "get", "value"]))(\(lookup())).data"
    case 6: return condition(1)
    default: return call() ?? constant()
    }
  }

  private mutating func atom() -> String {
    switch dice.roll(34) {
    case 30, 31: return order()
    case 32: return "\(field()) in [[1, 2], {'k': [1, 2]}, 1].toSet()"
    case 33: return dice.pick(Self.sets)
    case 0: return "request.auth != null"
    case 1, 2: return "request.auth.uid == \(name())"
    case 3, 4: return "\(field()) == \(dice.chance(50) ? "request.auth.uid" : constant())"
    case 5: return "\(field()) \(dice.pick(["<", "<=", ">", ">=", "!="])) \(constant())"
    case 6: return "\(field()) == \(field())"
    case 7: return "\(document()).keys().\(dice.pick(["hasOnly", "hasAll", "hasAny"]))(\(keys()))"
    case 8: return "request.resource.data.diff(resource.data).\(dice.pick(Self.diffs))"
    case 9:
      return dice.pick(["resource", "request.resource"]) + dice.pick([" == ", " != "]) + "null"
    case 10: return "'\(dice.pick(Self.fields))' in \(document())"
    case 11: return "\(field()) is \(dice.pick(["int", "string", "map", "list", "timestamp"]))"
    case 12, 13: return existence()
    case 14: return "get(\(lookup())).data.\(dice.pick(Self.fields)) == \(constant())"
    case 15: return "getAfter(\(lookup())).data.x == \(constant())"
    case 16: return "request.method == '\(dice.pick(["get", "list", "create", "update"]))'"
    case 17: return "request.path[\(dice.roll(2...6))] == \(dice.pick(["'c'", "'a'", "'d'"]))"
    case 18: return dice.pick(Self.times)
    case 19: return dice.pick(Self.claims)
    case 20: return "\(name()) == \(dice.pick(["'a'", "'b'", "'u1'", "/c/a", "/a"]))"
    case 21: return "string(\(name())) == \(dice.pick(["'/c/a'", "'a'", "'/'"]))"
    case 22: return "\(dice.pick(["x", "o", "'s'", "1"])) in \(field())"
    case 23: return dice.pick(Self.queries)
    case 24: return "\(document()).get('\(dice.pick(Self.fields))', \(constant())) == \(constant())"
    case 25: return dice.pick(["true", "false", "1 == 1", "null", "debug(true)"])
    case 26: return dice.pick(Self.odd)
    default: return call() ?? "request.auth != null"
    }
  }

  /// Returns a condition on the position of an element in a map's values.
  private mutating func order() -> String {
    let map = dice.chance(75) ? document() : "\(document()).m"
    switch dice.roll(3) {
    case 0: return "\(map).values()[\(dice.roll(0...5))] == \(constant())"
    case 1: return "\(map).values()[\(dice.roll(0...5))] == \(map).\(dice.pick(Self.fields))"
    default: return "\(map).values() == \(document()).values()"
    }
  }

  private mutating func name() -> String {
    dice.pick(locals + around.captures.map(\.name) + ["'u1'"])
  }

  private mutating func call() -> String? {
    guard !around.functions.isEmpty else { return nil }
    let function = dice.pick(around.functions)
    let count = function.count + (dice.chance(3) ? 1 : 0)
    let simple = ["request", "resource", "1", "'u1'", "null", "resource.data", "request.auth.uid"]
    let arguments = (0..<count).map { _ in
      dice.pick(simple + locals + around.captures.map(\.name))
    }
    return "\(function.name)(\(arguments.joined(separator: ", ")))"
  }

  private mutating func keys() -> String {
    let names = dice.shuffled(Self.fields).prefix(dice.roll(0...5)).map { "'\($0)'" }
    return "[\(names.joined(separator: ", "))]"
  }

  private mutating func lookup() -> String {
    let root = "/databases/\(around.database)/documents"
    switch dice.roll(8) {
    case 0: return "\(root)/u/$(request.auth.uid)"
    case 1: return "\(root)/c/$(\(name()))"
    case 2: return "request.path"
    case 3: return "\(root)/c/a/d/b"
    case 4: return dice.pick(["\(root)/c", "/c/a", "\(root)/c/missing", "resource.__name__"])
    default: return "\(root)/\(dice.pick(["c", "d", "u"]))/\(dice.pick(["a", "b", "u1"]))"
    }
  }

  private mutating func existence() -> String {
    let test = "\(dice.pick(["exists", "exists", "existsAfter"]))(\(lookup()))"
    return dice.chance(30) ? "!" + test : test
  }

  private static let diffs = [
    "affectedKeys().hasOnly(['x', 'o'])", "affectedKeys().size() == 1", "addedKeys().size() == 0",
    "removedKeys() == [].toSet()", "unchangedKeys().hasAny(['x'])", "changedKeys().hasAll(['x'])",
    "affectedKeys().hasAny(['t', 'l'])",
  ]
  private static let sets = [
    "resource.data.diff({'v': [1, 2], 'm': {'k': 1}}).unchangedKeys().hasAny(['v', 'm'])",
    "request.resource.data.values().toSet() == resource.data.values().toSet()",
    "request.resource.data.values().toSet().hasAny([[1, 2], {'k': [1, 2]}])",
    "request.resource.data.diff(resource.data).changedKeys().hasAny(['v'])",
  ]
  private static let times = [
    "request.time > timestamp.date(2020, 1, 1)", "request.resource.data.t == request.time",
    "resource.data.t < request.time", "request.time.year() >= 2020",
    "request.resource.data.t - request.time <= duration.value(1, 's')",
  ]
  private static let claims = [
    "request.auth.token.admin == true", "request.auth.token.admin", "'admin' in request.auth.token",
    "request.auth.token.email.matches('.*@x[.]com')", "request.auth.token.role in ['w', 'a']",
    "request.auth.token.firebase.sign_in_provider == 'custom'", "request.auth.token['level'] > 1",
    "request.auth.token.get('admin', false)", "request.auth.token.sub == request.auth.uid",
    "request.auth.token.level is int", "request.auth.token.level is float",
    "request.auth.token.groups == [1]",
  ]
  private static let queries = [
    "request.query.limit <= 10", "request.query.orderBy.x == 'ASC'", "request.query.offset == 0",
    "request.query.limit == null", "resource.id == 'a'", "resource.__name__[4] == 'a'",
    "request.resource.id == 'a'", "request.query.kind == 'c'",
  ]
  private static let odd = [
    "request.transforms == null", "request.transforms.size() > 0", "'t' in request.transforms",
    "request.writeFields == null", "request.writeFields.hasOnly(['x'])", "request.inTransaction",
    "request.writeFields == []", "request.path.segments().size() > 5", "vector([1.0]) is vector",
    "request.path.segments()[4] == 'a'", "math.isInfinity(1 / 0.0)",
    "request.path.segments().hasAny(['a', 'u1'])",
    "request.autoId == false", "request.headers == {}", "request.params == null", "missing == 1",
    "nope()", "request.fields == null", "request.readFields == null",
    "resource == request.resource", "resource.keys().hasAll(['data', 'id'])",
    "request.keys().size() > 5", "request.path.size()",
    "request.path == resource.__name__", "'resource' in request",
  ]

  // MARK: Limits

  /// Returns repeated lookups of a few documents, and lookups of further ones up to the limit.
  private mutating func repeated() -> String {
    let root = "/databases/\(around.database)/documents"
    let few = ["c/a", "c/b", "d/a", "c/n0", "c/n1", "u/u1"]
    let tests = (0..<dice.roll(2...9)).map { _ in
      let function = dice.pick(["get", "exists", "getAfter", "existsAfter", "value"])
      return "(\(function)(\(root)/\(dice.pick(few))) == 17 || true)"
    }
    let others = (0..<dice.pick([6, 8, 9, 10, 15, 18, 19])).map { number in
      "!exists(\(root)/d/m\(number))"
    }
    return "(\((tests + others).joined(separator: " && ")))"
  }

  /// Returns a condition with about as many lookups or expressions as the limits allow.
  private mutating func limits() -> String {
    let isOr = dice.chance(50)
    let separator = isOr ? " || " : " && "
    switch dice.roll(4) {
    case 3: return repeated()
    case 0:
      let missing = (0..<dice.pick([9, 10, 11, 12, 20, 21])).map { number in
        "\(isOr ? "" : "!")exists(/databases/\(around.database)/documents/c/n\(number))"
      }
      return "(\(missing.joined(separator: separator)))"
    case 1:
      let mixed = (0..<dice.roll(8...12)).map { number in
        let path = "/databases/\(around.database)/documents/c/n\(number / 2)"
        return number.isMultiple(of: 2) ? "!exists(\(path))" : "get(\(path)).data.x == 1"
      }
      return "(\(mixed.joined(separator: " || ")))"
    default:
      // A sum of n terms costs 2 n - 1 expressions.
      let list = (0..<dice.roll(40...60)).map { _ in "1" }.joined(separator: ", ")
      let times = dice.roll(18...21)
      let sizes = Array(repeating: "[\(list)].size()", count: times).joined(separator: " + ")
      return "(\(sizes) > 0)"
    }
  }
}
