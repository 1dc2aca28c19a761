@testable import RulesTesting

/// Makes random rules with a claim about them, as text. Every kind of proposition that the prover
/// reasons about occurs; a claim often repeats a part of the rules, so that many are true.
struct ClaimMaker {
  private var random: SplitMix

  /// Rules of one block, and a claim as suites write it.
  struct Question {
    var blocks: String
    var claim: String
  }

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func next() -> Question {
    let method = pick(["get", "update", "create", "delete", "update"])
    let parts = (0...Int(random.next() % 3)).map { _ in condition(method, 2) }
    let other = condition(method, 1)
    let rules = parts.joined(separator: " && ")
    let obligation: String
    switch random.next() % 6 {
    case 0: obligation = #""never": true"#
    case 1: obligation = #""alwaysIf": "\#(parts[0])""#
    case 2: obligation = #""onlyIf": "\#(condition(method, 2))""#
    case 3: obligation = #""onlyIf": "\#(weaker(parts[0])) || \#(other)""#
    default: obligation = #""onlyIf": "\#(weaker(pick(parts)))""#
    }
    let blocks = """
      match /d/{id} {
        allow \(method): if \(rules);
        allow \(method): if \(parts[0]) && (\(other));
      }
      """
    return Question(
      blocks: blocks, claim: #"{"path": "/d/{id}", "methods": "\#(method)", \#(obligation)}"#)
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int(random.next() % UInt64(choices.count))]
  }

  private mutating func weaker(_ part: String) -> String {
    switch random.next() % 4 {
    case 0: "(\(part) || request.auth.uid == 'root')"
    case 1: "!(!(\(part)))"
    case 2: "(\(part) ? true : id == 'x')"
    default: part
    }
  }

  private mutating func condition(_ method: String, _ depth: Int) -> String {
    if depth > 0, random.next() % 3 > 0 {
      let one = condition(method, depth - 1)
      let other = condition(method, depth - 1)
      switch random.next() % 5 {
      case 0: return "!(\(one))"
      case 1: return "(\(one) ? \(other) : \(condition(method, depth - 1)))"
      case 2: return "(\(one) && \(other))"
      default: return "(\(one) || \(other))"
      }
    }
    return atom(method)
  }

  /// The data of a document that the method has.
  private mutating func data(_ method: String) -> String {
    switch method {
    case "create": "request.resource.data"
    case "update": pick(["request.resource.data", "resource.data"])
    default: "resource.data"
    }
  }

  private mutating func value(_ method: String) -> String {
    let field = pick(["a", "b", "c"])
    return switch random.next() % 6 {
    case 0: pick(["request.auth.uid", "id", "request.auth.token.role"])
    case 1: "\(data(method)).get('\(field)', \(pick(["0", "''", "null"])))"
    case 2: "\(data(method)).m.\(field)"
    default: "\(data(method)).\(field)"
    }
  }

  private mutating func constant() -> String {
    pick(["'x'", "'y'", "'abc'", "1", "2", "1.5", "true", "false", "null", "'12'", "[]", "['x']"])
  }

  private mutating func atom(_ method: String) -> String {
    let (one, other) = (value(method), value(method))
    let number = Int(random.next() % 5)
    switch random.next() % 19 {
    case 0, 1: return "\(one) == \(constant())"
    case 2: return "\(one) != \(constant())"
    case 3: return "\(one) == \(other)"
    case 4: return "\(one) in [\(constant()), \(constant())]"
    case 5:
      return "\(one) is " + pick(["string", "int", "float", "map", "list", "bool", "number"])
    case 6: return "\(one) " + pick(["<", "<=", ">", ">="]) + " \(number)"
    case 7: return "\(one) " + pick(["<", "<=", ">"]) + " \(other)"
    case 8: return "\(one).size() " + pick(["<", "==", ">", ">="]) + " \(number)"
    case 9:
      return "\(one).matches('" + pick(["[a-z]+", "[0-9]{2,3}", "x|y", "a.*", "[^x]*", ""]) + "')"
    case 10: return "'\(pick(["a", "b", "z"]))' in \(data(method))"
    case 11:
      return "\(data(method)).keys().hasOnly(['a', 'b'" + pick(["", ", 'c'", ", 'm'"]) + "])"
    case 12:
      guard method == "update" else { return "\(data(method)).keys().hasAll(['a', 'c'])" }
      return "request.resource.data.diff(resource.data)."
        + pick(["affectedKeys()", "changedKeys()", "addedKeys()"])
        + pick([".hasOnly(['a'])", ".hasAny(['b', 'c'])", ".size() < 2"])
    case 13: return "\(one) + 1 <= \(other)"
    case 14: return "exists(/databases/$(database)/documents/d/$(\(one)))"
    case 15:
      return "get(/databases/$(database)/documents/u/$(\(one))).data.a == \(constant())"
    case 16: return "request.time < \(one) + duration.value(\(number), 'h')"
    case 17: return "\(one).lower() == " + pick(["'abc'", "'x'", "request.auth.uid"])
    default: return "\(one) < \(number).5"
    }
  }
}
