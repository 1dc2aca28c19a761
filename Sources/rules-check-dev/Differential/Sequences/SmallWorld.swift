import RulesEval
import RulesLang

/// Rules over a database so small that every state and every request can be gone through: two members
/// and one document, each with at most one field.
struct SmallWorld {
  /// The rules.
  let rules: String
  /// Who may read or update the document, which is the condition that is asked about.
  let condition: String
  /// Which of the two it is.
  let method: Method
  /// What a document can hold.
  let contents: [MapValue]

  /// The documents: those of members, by their users, and the one that is read.
  static let paths = ["a", "b"].map { DocumentPath([Text("m"), Text($0)]) } + [document]
  /// The document that is read.
  static let document = DocumentPath([Text("d"), Text("x")])
  /// How many contents there are.
  private static let contentCount = 4
  /// A field that names a user or a role.
  private static let names = [
    MapValue(), MapValue([("f", .string("a"))]), MapValue([("f", .string("b"))]),
    MapValue([("f", .string("r"))]),
  ]
  /// A field that lists them.
  private static let lists = [
    MapValue(), MapValue([("f", .list([.string("a")]))]),
    MapValue([("f", .list([.string("a"), .string("b")]))]),
    MapValue([("f", .list([.string("b"), .string("r")]))]),
  ]
  /// Who asks.
  static let clients: [Principal?] = [Principal(uid: "a"), Principal(uid: "b"), nil]

  private static let root = "/databases/$(database)/documents"
  private static let mine = root + "/m/$(request.auth.uid)"

  /// Makes rules up.
  init(_ dice: inout Dice) {
    let method = dice.chance(60) ? Method.get : .update
    let hasLists = dice.chance(25)
    contents = hasLists ? Self.lists : Self.names
    let condition = Self.condition(&dice, method: method)
    self.method = method
    self.condition = hasLists ? Self.aboutLists(condition) : condition
    var blocks = ""
    for (pattern, own) in [("/m/{u}", "request.auth.uid == u"), ("/d/{x}", "x == 'x'")] {
      blocks += "    match \(pattern) {\n"
      let isAsked = pattern == "/d/{x}"
      if isAsked { blocks += "      allow \(method.word): if \(condition);\n" }
      for _ in 0..<(1 + dice.roll(3)) {
        let method = dice.pick(
          isAsked && method == .update
            ? ["create", "delete"] : ["create", "update", "delete", "write", "create, update"])
        blocks += "      allow \(method): if \(Self.guardText(own, &dice));\n"
      }
      blocks += "    }\n"
    }
    let text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function mine() { return get(\(Self.mine)).data; }
          function isAdmin() { return mine().f == 'r'; }
          function owns(data) { return data.f == request.auth.uid; }
      \(blocks)  }
      }
      """
    rules = hasLists ? Self.aboutLists(text) : text
  }

  /// The same where the field lists what it named.
  private static func aboutLists(_ text: String) -> String {
    [
      (".f == request.auth.uid", ".f.hasAny([request.auth.uid])"),
      (".f == 'r'", ".f.hasAny(['r'])"), (".f != 'r'", ".f.hasOnly(['a', 'b'])"),
      (".f == 'b'", ".f.hasAny(['b'])"), ("$(mine().f)", "$(mine().f[0])"),
      ("$(resource.data.f)", "$(resource.data.f[0])"),
      ("mine().f == x", "mine().f == [x]"), ("mine().f is string", "mine().f is list"),
    ].reduce(text) { $0.replacing($1.0, with: $1.1) }
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
      "get(\(other)).data.f == 'b'", "getAfter(\(root)/d/x).data.f == 'r'",
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['g'])",
      "exists(\(root)/m/$(request.resource.data.f))", "exists(\(root)/m/$(resource.data.f))",
      "request.resource.data.f == request.auth.uid && resource.data.f != 'r'",
    ])
  }

  private static func condition(_ dice: inout Dice, method: Method) -> String {
    var atoms = [
      "isAdmin()", "owns(resource.data)", "resource.data.f == 'r'", "resource.data.f != 'b'",
      "exists(\(mine))", "!exists(\(mine))", "get(\(root)/m/a).data.f == request.auth.uid",
      "mine().f == resource.data.f", "exists(\(root)/m/$(resource.data.f))",
      "get(\(root)/m/$(resource.data.f)).data.f == request.auth.uid", "request.auth != null",
      "'f' in resource.data", "!('f' in mine())", "mine().get('f', 'b') == 'b'", "mine().f == x",
      "get(\(root)/m/$(mine().f)).data.f == 'r'", "!exists(\(root)/m/b)", "mine().f is string",
      "!(resource.data.f == 'r')", "request.time > timestamp.date(2000, 1, 1)",
      "get(\(root)/d/$(x)).data.f == 'a'", "(mine().f == 'r' ? true : owns(resource.data))",
      "get(\(mine)) != null", "get(\(mine)) == null", "!(get(\(root)/d/$(x)) != null)",
    ]
    if method == .update {
      atoms = atoms.filter { _ in dice.chance(50) }
      atoms += [
        "request.resource.data.f == 'r'", "exists(\(root)/m/$(request.resource.data.f))",
        "get(\(root)/m/$(request.resource.data.f)).data.f == request.auth.uid",
        "!('f' in request.resource.data)", "request.time > timestamp.date(2000, 1, 1)",
        "!exists(\(root)/m/$(request.resource.data.f))", "owns(request.resource.data)",
      ]
    }
    var parts: [String] = []
    for _ in 0..<(1 + dice.roll(3)) { parts.append(dice.pick(atoms)) }
    return joined(parts, &dice)
  }

  // MARK: States and requests

  /// A state, by its number.
  func state(_ number: Int) -> Documents {
    var rest = number
    var stored: [(DocumentPath, MapValue)] = []
    for path in Self.paths {
      let content = rest % (Self.contentCount + 1)
      rest /= Self.contentCount + 1
      if content > 0 { stored.append((path, contents[content - 1])) }
    }
    return Documents(stored)
  }

  /// All states.
  var states: Range<Int> {
    0..<Self.paths.reduce(1) { count, _ in count * (Self.contentCount + 1) }
  }

  /// The statement with the condition.
  func asked(in rules: Checked) -> AllowID? {
    // It is the first of its block, which is the last one.
    let block = rules.ruleset.allows.last?.match
    return rules.ruleset.allows.firstIndex { $0.match == block }.map { AllowID($0) }
  }

  /// Every commit of one write or of two, by what each document becomes, nil for what is not written;
  /// what is stored decides whether a write creates or updates.
  static let commits: [[Int?]] = {
    var all: [[Int?]] = [[]]
    for _ in paths {
      all = all.flatMap { parts in (-1...contentCount).map { parts + [$0 < 0 ? nil : $0] } }
    }
    return all.filter { parts in (1...2).contains(parts.count { $0 != nil }) }
  }()

  /// The writes of a commit.
  func writes(of commit: [Int?]) -> [Write] {
    zip(Self.paths, commit).compactMap { path, content in
      content.map { Write(to: path, $0 == 0 ? .delete : .set(contents[$0 - 1], mask: nil)) }
    }
  }

  /// The state that a commit leaves.
  static func state(after commit: [Int?], on number: Int) -> Int {
    var (rest, factor, after) = (number, 1, 0)
    for content in commit {
      after += (content ?? rest % (contentCount + 1)) * factor
      rest /= contentCount + 1
      factor *= contentCount + 1
    }
    return after
  }
}
