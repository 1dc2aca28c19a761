import RulesEval
import RulesLang

/// List queries: twenty to a rule set whose conditions read what filters promise.
enum QueryCampaign {
  private static let queries = 20

  /// Returns the trials of one rule set.
  static func trials(seed: UInt64, _ number: Int) -> [Trial] {
    var rules = QueryRulesMaker(Dice(seed: seed, 3, UInt64(number)))
    let text = rules.make()
    var maker = QueryMaker(rules.dice)
    return (0..<queries).map { _ in
      Trial(rules: text, documents: documents, request: maker.request())
    }
  }

  /// The documents for lookups and filters on `__name__`.
  private static let documents: [(path: String, data: JSONText)] = [
    ("/c/a", .object([("x", .int(1)), ("o", .string("u1")), ("t", .array([.string("p")]))])),
    ("/c/b", .object([("x", .number("1.5")), ("b", .bool(true))])),
    ("/c/a/d/a", .object([("x", .int(2)), ("m", .object([("k", .int(1))]))])),
    ("/d/a", .object([("o", .string("u2"))])),
  ]
}

/// Generates rule sets for queries.
struct QueryRulesMaker {
  /// The random number generator.
  var dice: Dice

  /// Creates a generator.
  init(_ dice: Dice) { self.dice = dice }

  private static let patterns = [
    "/c/{id}", "/c/{id}", "/c/{id}", "/c/{id}/d/{e}", "/{p=**}/d/{id}", "/d/{id}", "/{p=**}",
    "/c/{p=**}", "/c/a", "/{any}/{id}", "/c/{c}/d/{id}",
  ]

  /// Returns a rules file.
  mutating func make() -> String {
    let isNew = dice.chance(88)
    var blocks = ""
    for _ in 0..<dice.roll(2...4) {
      let pattern = dice.pick(Self.patterns)
      if !isNew, pattern.hasPrefix("/{p=**}/") { continue }
      let id = pattern.contains("{id}") ? "id" : pattern.contains("{p=**}") ? "p" : "'a'"
      let words = dice.pick(["list", "list", "read", "get, list"])
      blocks += "match \(pattern) { "
      for _ in 0..<dice.pick([1, 1, 2]) {
        blocks += "allow \(words): if \(condition(size: dice.pick([1, 1, 2, 2, 3]), id: id)); "
      }
      blocks += "}\n"
    }
    return """
      \(isNew ? "rules_version = '2';\n" : "")service cloud.firestore {
      function has(f, v) { return resource.data[f] == v; }
      function own(d) { return d.o == request.auth.uid; }
      match /databases/{database}/documents {
      \(blocks.isEmpty ? "match /c/{id} { allow list: if own(resource.data); }\n" : blocks)}
      }

      """
  }

  // MARK: Conditions

  private mutating func condition(size: Int, id: String) -> String {
    if size <= 0 { return atom(id) }
    switch dice.roll(20) {
    case 0..<5: return "\(part(size: size, id: id)) && \(part(size: size, id: id))"
    case 5..<9: return "\(part(size: size, id: id)) || \(part(size: size, id: id))"
    case 9..<11: return "!(\(condition(size: size - 1, id: id)))"
    case 11..<13:
      return
        "(\(condition(size: size - 1, id: id)) ? \(condition(size: size - 1, id: id)) : \(atom(id)))"
    case 13..<15:
      var maker = ExpressionMaker(dice, in: scope)
      maker.isAbsorbed = true
      let text = maker.make(.bool, size: 3).text
      dice = maker.dice
      return "(\(text))"
    default: return atom(id)
    }
  }

  private mutating func part(size: Int, id: String) -> String {
    "(\(condition(size: size - 1, id: id)))"
  }

  private var scope: Scope {
    var scope = Scope()
    for (field, type) in [
      ("x", ValueType.int), ("x", .constraint), ("o", .string), ("o", .constraint), ("t", .list),
      ("m.k", .int), ("b", .bool), ("m", .map),
    ] { scope.add("resource.data.\(field)", as: type, isSure: false) }
    scope.add("resource.data", as: .map, isSure: false)
    scope.add("request.query", as: .map)
    scope.lookups = ["/databases/$(database)/documents/c/a"]
    return scope
  }

  private mutating func field() -> String {
    "resource.data." + dice.pick(["x", "x", "x", "o", "o", "t", "m.k", "b"])
  }

  private mutating func constant() -> String {
    dice.pick([
      "1", "1", "2", "0", "3", "1.0", "1.5", "-1", "2.5", "'u1'", "'u2'", "'a'", "''", "true",
      "false", "null", "'p'", "[1]", "['p']", "{'k': 1}", "timestamp.date(2025, 1, 1)",
      "b'ab'", "latlng.value(1, 2)", "0.0 / 0.0", "request.auth.uid", "/a/b", "[1].toSet()",
      "duration.value(1, 's')", "9007199254740993", "resource.data.x", "request.time",
    ])
  }

  private mutating func list() -> String {
    dice.pick([
      "[1]", "[1, 2]", "['p']", "['p', 'q']", "[]", "[1.0]", "['u1']", "['u1', 'u2']", "[null]",
      "[7]", "[true]", "['z']", "[1].toSet()", "null",
    ])
  }

  private mutating func atom(_ id: String) -> String {
    switch dice.roll(32) {
    case 0..<4: return "\(field()) == \(constant())"
    case 4..<6: return "\(field()) != \(constant())"
    case 6..<11: return "\(field()) \(dice.pick(["<", "<=", ">", ">="])) \(constant())"
    case 11: return "\(constant()) \(dice.pick(["<", ">=", "==", "!="])) \(field())"
    case 12, 13: return "\(constant()) in \(field())"
    case 14: return "\(field()) in \(list())"
    case 15: return "\(field()).hasAny(\(list()))"
    case 16: return "\(field()).\(dice.pick(["size() > 0", "hasAll(['p'])", "hasOnly(['p'])"]))"
    case 17: return "\(field()) is \(dice.pick(["int", "constraint", "string", "number", "list"]))"
    case 18: return "'\(dice.pick(["x", "o", "m", "secret"]))' in resource.data"
    case 19:
      let field = dice.pick(["x", "o", "secret"])
      return "resource.data.get('\(field)', \(constant())) == \(constant())"
    case 20: return "resource.data.keys().\(dice.pick(["hasOnly(['x'])", "hasAny(['o'])"]))"
    case 21: return "resource.data.size() == \(dice.roll(3))"
    case 22:
      return "\(dice.pick(["resource.id", "id", id])) \(dice.pick(["==", "!="])) \(constant())"
    case 23: return dice.pick(Self.names)
    case 24, 25: return dice.pick(Self.queries)
    case 26: return "own(resource.data)"
    case 27: return "has('\(dice.pick(["x", "o", "b"]))', \(constant()))"
    case 28: return dice.pick(Self.structures)
    case 29: return "get(/databases/$(database)/documents/c/a).data.x == \(constant())"
    case 30: return "\(field()) + 1 \(dice.pick(["==", ">"])) \(constant())"
    default:
      return dice.pick(["true", "request.auth != null", "request.method == 'list'", "false"])
    }
  }

  private static let names = [
    "resource.__name__ == /databases/$(database)/documents/c/a", "resource.__name__[4] == 'a'",
    "resource.__name__ != null", "'__name__' in resource", "resource.keys().hasAny(['id'])",
    "resource.keys().size() == 1", "resource.__name__ is constraint",
  ]
  private static let queries = [
    "request.query.limit <= 10", "request.query.limit == null", "request.query.offset == 0",
    "request.query.orderBy.x == 'DESC'", "request.query.orderBy == {}", "request.path[3] == 'c'",
    "request.query.kind == 'c'", "request.query.parent == null", "'parent' in request.query",
    "request.query.allDescendants", "request.query.ancestor == null", "request.path is path",
    "request.query.orderBy.keys().hasOnly(['x', '__name__'])", "request.query.size() > 8",
    "request.path == /databases/$(database)/documents/c", "request.resource == null",
    "request.query.parent[4] == 'a'", "request.query.ancestor == /c/a",
  ]
  private static let structures = [
    "resource != null", "resource == null", "resource.data == {}", "resource.data == {'x': 1}",
    "resource.data.m == {'k': 1}", "'k' in resource.data.m", "resource.data.x == resource.data.x",
    "[resource.data.x] == [1]", "resource.data.values().size() == 1", "resource.data.x != null",
    "resource.data.m is map", "-resource.data.x < 0", "string(resource.data.x) == '1'",
    "resource.data.o.matches('u.*')", "resource.data.diff({}).affectedKeys().size() == 0",
    "resource.data.x.size() == 1", "resource.data.t[0] == 'p'", "!resource.data.b",
    "resource.data.x > 0 && resource.data.x < 3", "[resource.data.x].toSet().size() == 1",
  ]
}
