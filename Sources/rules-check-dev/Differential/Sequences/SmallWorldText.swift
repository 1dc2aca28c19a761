import RulesEval
import RulesLang

/// The text of a small world's rules. In conditions `#` is the wildcard of the claim's document.
struct SmallWorldText {
  /// The condition of the statement for the claim's method.
  let condition: String
  /// A condition beside it.
  let other: String
  /// The claim's method.
  private let method: Method
  /// True if the claim's document is below that of a member.
  private let isNested: Bool
  /// The names of the wildcards of the members and of the document in the rules.
  let wildcards: (member: String, document: String)
  /// True if the document's block has a function with the name of a built-in one.
  let hidesInBlock: Bool
  /// The name of the document's wildcard in the claim.
  let claimWildcard: String

  private let blocks: [(head: String, statements: String, tail: String)]
  private let functions: String
  /// The path by which the client's own document is looked up.
  private let ownPath: String

  private static let root = "/databases/$(database)/documents"
  private static let mine = root + "/m/$(request.auth.uid)"
  /// Expressions for the path of the client's own document: written out, from functions, with a `let`, put
  /// together, and parsed.
  private static let ownPaths = [
    mine, mine, mine, "at(request.auth.uid)", "ownPath()", root + "/m/$('' + request.auth.uid)",
    "path('/databases/' + database + '/documents/m/' + request.auth.uid)",
  ]
  /// Names that also occur in conditions, or that the prover may generate.
  private static let names = [
    "x", "x", "u", "later0", "later1", "part0", "part1", "part1_", "request", "resource", "data",
  ]
  /// Functions with names of built-in ones.
  private static let hiding = [
    "get(p) { return {'data': {'f': 'r'}}; }", "exists(p) { return true; }",
    "exists(p) { return false; }", "getAfter(p) { return {'data': {'f': 'b'}}; }",
    "existsAfter(p) { return request.auth != null; }",
  ]

  /// Generates conditions for the claim's method.
  init(asking method: Method, isNested: Bool, _ dice: inout Dice) {
    self.method = method
    self.isNested = isNested
    let hasNames = dice.chance(30)
    wildcards = hasNames ? (dice.pick(Self.names), dice.pick(Self.names)) : ("u", "x")
    claimWildcard =
      hasNames ? dice.pick(Self.names.filter { $0 != "request" && $0 != "resource" }) : "x"
    condition = Self.placed(
      Self.conditionText(&dice, method: method, isNested: isNested), isNested: isNested)
    other = Self.placed(
      Self.conditionText(&dice, method: method, isNested: isNested), isNested: isNested)
    ownPath = dice.pick(Self.ownPaths)
    let hides = dice.chance(12) ? dice.roll(3) : 3
    let hidden = "function " + dice.pick(Self.hiding)
    functions = hides == 2 ? hidden : ""
    hidesInBlock = hides == 1
    var blocks: [(head: String, statements: String, tail: String)] = []
    let patterns = [
      ("/m/{\(wildcards.member)}", "request.auth.uid == \(wildcards.member)"),
      (dice.pick(["/{c}/{id}", "/m/{id=**}", "/{c}/a"]), "request.auth != null"),
      ((isNested ? "/m/{p}" : "") + "/d/{\(wildcards.document)}", "# == 'x'"),
    ]
    let hasOverlap = dice.chance(15)
    for (place, (pattern, own)) in patterns.enumerated() where place != 1 || hasOverlap {
      var statements = ""
      let isOverlap = place == 1 && pattern.hasPrefix("/m/") == isNested
      let isAsked = method.isWrite && (place == 2 || isOverlap)
      let words =
        isAsked
        ? ["create", "update", "delete"].filter { $0 != method.word }
        : ["create", "update", "delete", "write", "create, update"]
      for _ in 0..<(1 + dice.roll(3)) {
        let guards = Self.placed(Self.guardText(own, &dice), isNested: isNested)
        statements += "      allow \(dice.pick(words)): if \(guards);\n"
      }
      let tail = place == 0 && hides == 0 || place == 2 && hides == 1 ? hidden : ""
      blocks.append((pattern, statements, tail))
    }
    self.blocks = blocks
  }

  /// Returns the rules with a condition for the claim's method.
  func rules(asking condition: String) -> String {
    var text = ""
    for (place, block) in blocks.enumerated() {
      text += "    match \(block.head) {\n"
      if place == blocks.count - 1 { text += "      allow \(method.word): if \(condition);\n" }
      text += block.statements + "      \(block.tail)\n    }\n"
    }
    return Self.naming(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function at(u) { return \(Self.root)/m/$(u); }
          function ownPath() { let own = request.auth.uid; return at(own); }
          function whole() { return get(\(ownPath)); }
          function mine() { return whole().data; }
          function isAdmin() { return mine().f == 'r'; }
          function owns(data) { return data.f == request.auth.uid; }
          \(functions)
      \(text)  }
      }
      """, wildcards.document)
  }

  /// Returns a text with the name of the wildcard inserted.
  static func naming(_ text: String, _ wildcard: String) -> String {
    text.replacing("#", with: wildcard)
  }

  /// Returns a text with the path of the claim's document inserted.
  private static func placed(_ text: String, isNested: Bool) -> String {
    isNested
      ? text.replacing("/documents/d/x", with: "/documents/m/a/d/x")
        .replacing("/documents/d/$(", with: "/documents/m/$(p)/d/$(") : text
  }

  private static func joined(_ parts: [String], _ dice: inout Dice) -> String {
    parts.dropFirst().reduce(parts[0]) { text, part in
      dice.chance(65) ? "\(text) && \(part)" : "(\(text) || \(part))"
    }
  }

  private static func guardText(_ own: String, _ dice: inout Dice) -> String {
    var parts: [String] = []
    for _ in 0..<(1 + dice.roll(3)) {
      let atom = dice.chance(35) ? own : atom(&dice)
      parts.append(dice.chance(8) ? "!(\(atom))" : atom)
    }
    return joined(parts, &dice)
  }

  private static func atom(_ dice: inout Dice) -> String {
    let other = root + "/m/" + dice.pick(["a", "b"])
    return dice.pick([
      "request.auth != null", "isAdmin()", "owns(resource.data)", "owns(request.resource.data)",
      "request.resource.data.f == 'r'", "request.resource.data.f != 'r'", "resource.data.f == 'r'",
      "!('f' in request.resource.data)", "request.resource.data.keys().hasOnly(['g'])",
      "request.resource.data.f == resource.data.f", "resource == null",
      "request.resource.data.get('f', '') != 'r'", "exists(\(mine))", "!exists(\(mine))",
      "!exists(\(root)/d/x)", "get(\(root)/d/x).data.f == request.auth.uid",
      "getAfter(\(mine)).data.f == 'r'", "existsAfter(\(mine))", "!existsAfter(\(other))",
      "getAfter(ownPath()).data.f == 'r'", "existsAfter(\(other))",
      "get(\(other)).data.f == 'b'", "getAfter(\(root)/d/x).data.f == 'r'",
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['g'])",
      "exists(\(root)/m/$(request.resource.data.f))", "exists(\(root)/m/$(resource.data.f))",
      "request.resource.data.f == request.auth.uid && resource.data.f != 'r'",
      "get(\(other)) == null", "getAfter(\(other)) == null", "get(\(root)/d/x) == null",
      "getAfter(\(mine)) != null", "request.resource == null", "request.resource != null",
      "request.auth.token.t == 'b'", "exists(\(root)/m/$(request.auth.token.t))",
      "request.resource.data == resource.data", "getAfter(\(other)).data == get(\(other)).data",
      "resource.data.f in ['a', 'b']", "request.resource.data.f == get(\(other)).data.f",
      "request.auth.uid != 'a'", "request.resource.data.f != request.auth.uid",
      "request.auth.token.name == 'r'",
    ])
  }

  private static func conditionText(
    _ dice: inout Dice, method: Method, isNested: Bool
  ) -> String {
    var atoms = [
      "isAdmin()", "owns(resource.data)", "resource.data.f == 'r'", "resource.data.f != 'b'",
      "exists(\(mine))", "!exists(\(mine))", "get(\(root)/m/a).data.f == request.auth.uid",
      "mine().f == resource.data.f", "exists(\(root)/m/$(resource.data.f))",
      "get(\(root)/m/$(resource.data.f)).data.f == request.auth.uid", "request.auth != null",
      "'f' in resource.data", "!('f' in mine())", "mine().get('f', 'b') == 'b'", "mine().f == #",
      "get(\(root)/m/$(mine().f)).data.f == 'r'", "!exists(\(root)/m/b)", "mine().f is string",
      "!(resource.data.f == 'r')", "request.time > timestamp.date(2000, 1, 1)",
      "get(\(root)/d/$(#)).data.f == 'a'", "(mine().f == 'r' ? true : owns(resource.data))",
      "get(\(mine)) != null", "get(\(mine)) == null", "!(get(\(root)/d/$(#)) != null)",
      "resource == null", "resource != null", "!(resource == null)", "null != get(\(root)/m/b)",
      "mine() != null", "get(\(root)/m/$(request.auth.token.t)).data.f == 'r'",
      "request.auth.token.t == mine().f", "mine() == resource.data", "mine().keys().hasAll(['f'])",
      "resource.data.diff(mine()).affectedKeys().size() == 0",
      "resource.data.get('f', null) == null",
      "exists(\(root)/m/$(#))", "!exists(\(root)/d/x)", "mine().f == 1", "'g' in resource.data",
      "exists(at(request.auth.uid))", "exists(at('' + resource.data.f))",
      "get(\(root)/m/$(resource.data.f + '')).data.f == request.auth.uid",
      "resource.data.f == request.auth.token.name",
      "request.auth.token.get('name', 'a') == mine().f",
    ]
    if isNested {
      let above = root + "/m/$(p)"
      atoms += [
        "get(\(above)).data.f == request.auth.uid", "exists(\(above))",
        "get(\(above)).data.f == 'r'", "get(\(above)).data.f == request.auth.uid",
      ]
    }
    if method == .update || method == .create {
      atoms = atoms.filter { _ in dice.chance(50) }
      atoms += [
        "request.resource.data.f == 'r'", "exists(\(root)/m/$(request.resource.data.f))",
        "get(\(root)/m/$(request.resource.data.f)).data.f == request.auth.uid",
        "!('f' in request.resource.data)", "request.time > timestamp.date(2000, 1, 1)",
        "!exists(\(root)/m/$(request.resource.data.f))", "owns(request.resource.data)",
        "get(at('' + request.resource.data.f)).data.f == request.auth.uid",
        "request.resource.data.get('f', 'b') == 'b'", "'h' in request.resource.data",
        "request.resource.data.keys().hasOnly(['g'])", "request.method == 'update'",
      ]
    }
    var parts: [String] = []
    for _ in 0..<(1 + dice.roll(3)) { parts.append(dice.pick(atoms)) }
    return joined(parts, &dice)
  }
}
