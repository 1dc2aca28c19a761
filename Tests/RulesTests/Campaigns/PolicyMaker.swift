import RulesEval

/// Makes small rules files and claims about them, over few names and values, so that requests made
/// of the same names and values meet their conditions.
struct PolicyMaker {
  var dice: Dice

  /// A rules file and a claim, as texts.
  struct Policy {
    var rules: String
    var path: String
    var methods: [String]
    var writes: [String]
    var given: String?
    var obligation: (key: String, condition: String?)
  }

  static let fields = ["a", "b", "m"]
  static let values = ["1", "2", "1.0", "'alice'", "'x'", "true", "null", "[1, 'x']"]
  /// Numbers that are equal to others without being the same, or only nearly: zeros, and ints that are
  /// no floats.
  private static let oddNumbers = [
    "0.0", "-0.0", "9007199254740992.0", "9007199254740993", "[0.0]",
  ]
  private static let operations = [
    "read", "write", "get", "list", "create", "update", "delete", "create, update",
  ]

  private mutating func value() -> String {
    dice.chance(6) ? dice.pick(Self.oddNumbers) : dice.pick(Self.values)
  }

  mutating func policy() -> Policy {
    var statements: [String] = []
    for _ in 0..<dice.roll(1...3) {
      statements.append(
        "      allow \(dice.pick(Self.operations)): if \(condition(dice.roll(0...3), "userId"));")
    }
    let rest = dice.chance(20) ? Self.recursive : ""
    let rules = """
      rules_version = '\(dice.chance(90) ? 2 : 1)';
      service cloud.firestore {
        match /databases/{database}/documents {
          function signedIn() { return request.auth != null; }
          function isOwner(id) { return request.auth.uid == id; }
          function role() {
            return get(/databases/$(database)/documents/roles/$(request.auth.uid)).data.a;
          }
          function changed() {
            return request.resource.data.diff(resource.data).affectedKeys();
          }
          match /users/{userId} {
      \(statements.joined(separator: "\n"))
          }\(rest)
        }
      }
      """
    let kind = dice.roll(10)
    let obligation: (key: String, condition: String?) =
      kind < 6
      ? ("onlyIf", condition(dice.roll(0...2), "uid"))
      : kind < 8 ? ("never", nil) : ("alwaysIf", condition(dice.roll(0...2), "uid"))
    return Policy(
      rules: rules, path: "/users/{uid}",
      methods: [
        dice.pick([
          "read", "write", "update", "get",
          "list", "create", "delete",
        ])
      ],
      writes: [], given: dice.chance(30) ? condition(1, "uid") : nil, obligation: obligation)
  }

  private static let recursive = """

          match /{path=**} { allow get: if request.auth.token.admin == true; }
    """

  // MARK: Conditions

  private mutating func condition(_ depth: Int, _ id: String) -> String {
    if depth == 0 { return atom(id) }
    switch dice.roll(9) {
    case 0...3: return "(\(condition(depth - 1, id)) && \(condition(depth - 1, id)))"
    case 4...6: return "(\(condition(depth - 1, id)) || \(condition(depth - 1, id)))"
    case 7: return "!(\(condition(depth - 1, id)))"
    default:
      return "(\(condition(0, id)) ? \(condition(depth - 1, id)) : \(condition(depth - 1, id)))"
    }
  }

  private mutating func atom(_ id: String) -> String {
    switch dice.roll(14) {
    case 0, 1: return principal(id)
    case 2, 3: return comparison()
    case 4: return presence()
    case 5, 6: return keys()
    case 7: return order()
    case 8: return text(id)
    case 9: return member(id)
    case 10: return lookup()
    default: return odd()
    }
  }

  private mutating func principal(_ id: String) -> String {
    dice.pick([
      "request.auth != null", "signedIn()", "isOwner(\(id))", "request.auth.uid == \(id)",
      "request.auth.uid != \(id)", "request.auth == null", "request.auth.token.admin == true",
      "request.auth.token.admin", "'admin' in request.auth.token",
      "request.auth.token.get('role', 'none') == 'x'", "request.auth.token.role in ['x', 'y']",
      "\(id) == 'alice'",
    ])
  }

  private mutating func data() -> String {
    dice.pick(["resource.data", "request.resource.data", "request.resource.data"])
  }

  private mutating func field() -> String { data() + "." + dice.pick(Self.fields) }

  private mutating func operand() -> String {
    switch dice.roll(8) {
    case 0: return "request.auth.uid"
    case 1, 2: return field()
    case 3: return data() + ".get('\(dice.pick(Self.fields))', \(value()))"
    default: return value()
    }
  }

  private mutating func comparison() -> String {
    "\(field()) \(dice.pick(["==", "==", "!="])) \(operand())"
  }

  private mutating func presence() -> String {
    let key = dice.pick(Self.fields)
    return dice.pick([
      "'\(key)' in \(data())", "!('\(key)' in \(data()))", "\(data()).\(key) != null",
      "resource == null", "request.resource.data.keys().hasAll(['\(key)'])",
      "\(data()).\(key) is \(dice.pick(["int", "string", "bool", "map", "list", "number", "float"]))",
    ])
  }

  private mutating func names() -> String {
    let count = dice.roll(0...3)
    let names = dice.shuffled(Self.fields).prefix(count).map { "'\($0)'" }
    return "[" + names.joined(separator: ", ") + "]"
  }

  private mutating func keys() -> String {
    let question = dice.pick(["hasOnly", "hasOnly", "hasAll", "hasAny"])
    let diff = "request.resource.data.diff(resource.data)"
    let set = dice.pick([
      "\(data()).keys()", "\(data()).keys()", "\(diff).affectedKeys()", "\(diff).affectedKeys()",
      "\(diff).addedKeys()", "\(diff).removedKeys()", "\(diff).changedKeys()",
      "\(diff).unchangedKeys()", "changed()", "\(data()).m.keys()",
    ])
    switch dice.roll(6) {
    case 0:
      return "\(set).size() \(dice.pick(["==", "<", "<=", ">", ">=", "!="])) \(dice.roll(0...3))"
    case 1: return "\(diff).affectedKeys() == \(names()).toSet()"
    default: return "\(set).\(question)(\(names()))"
    }
  }

  private mutating func order() -> String {
    let op = dice.pick(["<", "<=", ">", ">="])
    return dice.pick([
      "\(field()) \(op) \(dice.roll(0...2))", "\(field()) \(op) \(field())",
      "\(field()) \(op) 1.5", "\(field()) \(op) 'b'",
      "\(field()) == \(field()) + \(dice.roll(0...1))",
      "request.time \(op) timestamp.date(2025, 1, \(dice.roll(1...3)))",
      "request.resource.data.a \(op) resource.data.a + 1",
    ])
  }

  private mutating func text(_ id: String) -> String {
    dice.pick([
      "\(field()).size() \(dice.pick(["<", ">", "=="])) \(dice.roll(0...5))",
      "\(field()).matches('\(dice.pick(["a.*", "x", "[a-z]+", ""]))')",
      "\(id).matches('a.+')", "\(field()).lower() == 'x'", "\(id) + 'x' == 'alicex'",
    ])
  }

  private mutating func member(_ id: String) -> String {
    dice.pick([
      "\(field()) in [1, 'x']", "\(field()) in ['alice', 'bob']", "\(id) in \(field())",
      "1 in \(field())", "\(field()).hasAny(['x', 2])", "\(field()).hasOnly([1, 'x'])",
      "request.auth.uid in [\(id), 'bob']", "\(field())[0] == 1", "\(field()).size() == 2",
    ])
  }

  private mutating func lookup() -> String {
    let path = "/databases/$(database)/documents/roles/$(request.auth.uid)"
    if dice.chance(50) { return batch(path) }
    return dice.pick([
      "exists(\(path))", "!exists(\(path))", "get(\(path)).data.a == 1", "role() == 'x'",
      "get(\(path)).data.a == \(data()).a",
      "getAfter(/databases/$(database)/documents/users/alice).data.a == 1",
    ])
  }

  /// What a condition can ask of the rest of a commit.
  private mutating func batch(_ path: String) -> String {
    let other = dice.chance(70) ? path : "/databases/$(database)/documents/users/alice"
    return dice.pick([
      "existsAfter(\(other))", "!existsAfter(\(other))",
      "!exists(\(other)) && existsAfter(\(other))",
      "exists(\(other)) && !existsAfter(\(other))",
      "getAfter(\(other)).data.a == \(value())",
      "getAfter(\(other)).data.a == \(data()).\(dice.pick(Self.fields))",
      "getAfter(\(other)).data == get(\(other)).data",
      "getAfter(\(other)).data.a == get(\(other)).data.a + 1",
      "getAfter(\(other)).data.diff(get(\(other)).data).affectedKeys().hasOnly(\(names()))",
      "\(dice.pick(Self.fields).debugDescription) in getAfter(\(other)).data",
    ])
  }

  private mutating func odd() -> String {
    dice.pick([
      "true", "false", "request.method == 'update'", "\(data()).m.a == 1",
      "\(data()) == resource.data", "\(field()) == request.auth.uid",
      "\(data()).size() == \(dice.roll(0...2))", "-\(field()) == -1",
      "[\(operand())] == [\(operand())]", "[[\(operand())]] == [[\(operand())]]",
      "[request.auth] == [request.auth]", "[\(field()), 1] == \(field())",
      "{'a': \(operand())} == {'a': \(operand())}", "{'a': \(operand())} == \(field())",
      "[\(field())].toSet() == [\(operand())].toSet()", "\(data()) == request.resource.data",
      "[[\(field())]][0] == [\(operand())]", "[\(operand())] in [[\(operand())]]",
      "(\(field()) == 1) == (\(field()) == 'x')", "true in [\(field()) == 1]",
      "\(data()).get(['m', 'a'], 1) == \(operand())",
    ])
  }
}
