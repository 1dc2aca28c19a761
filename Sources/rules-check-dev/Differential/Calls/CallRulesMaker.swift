import RulesEval

/// Generates rules for sequences of calls: several statements, functions, lookups.
struct CallRulesMaker {
  private var dice: Dice

  /// Creates the source of a sequence.
  init(_ dice: Dice) { self.dice = dice }

  private static let functions = [
    "  function signedIn() { return request.auth != null; }",
    "  function owns(data) { let me = request.auth.uid; return data.owner == me; }",
    "  function isEditor() { return request.auth.token.get('role', '') == 'editor'; }",
    "  function first(db) { return get(/databases/$(db)/documents/b/1).data; }",
  ]

  private static let conditions = [
    "signedIn()", "request.auth.uid == 'alice'", "owns(resource.data)", "isEditor()",
    "resource.data.x == 1", "resource.data.x > 0", "resource.data.x is int",
    "request.query.limit <= 3", "true", "false", "resource == null", "'x' in resource.data",
    "resource.data.get('x', 0) == 1", "exists(/databases/$(db)/documents/b/1)",
    "first(db).x == 1", "d != '2'", "d.size() < 4", "request.auth.token.level > 1",
  ]

  private static let writeConditions = [
    "request.resource.data.x == 1", "owns(request.resource.data)",
    "request.resource.data.keys().hasOnly(['x', 'y', 'owner'])",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['x', 'm'])",
    "request.resource.data.x is number", "request.resource.data.size() < 4",
    "existsAfter(/databases/$(db)/documents/b/2)",
    "request.resource.data.m.k == resource.data.m.k",
    "getAfter(/databases/$(db)/documents/a/1).data.x == 1",
    "request.resource.data.x > resource.data.x", "request.resource.data.y == request.time || true",
    "request.resource.data.x != null",
  ]

  private static let patterns = [
    "/a/{d}", "/a/{d}", "/b/{d}", "/a/{e}/s/{d}", "/{c}/{d}", "/{p=**}/s/{d}", "/a/{d=**}",
  ]

  /// Returns a rules file that compiles.
  mutating func rules() -> String {
    var lines = ["rules_version = '2';", "service cloud.firestore {"]
    lines.append(" match /databases/{db}/documents {")
    lines += Self.functions
    for pattern in dice.shuffled(Self.patterns).prefix(dice.roll(2...4)) {
      lines.append("  match \(pattern) {")
      for _ in 0..<dice.roll(1...4) { lines.append(statement(pattern)) }
      lines.append("  }")
    }
    return (lines + [" }", "}", ""]).joined(separator: "\n")
  }

  private mutating func statement(_ pattern: String) -> String {
    let isGlob = pattern.hasSuffix("=**}")
    let methods = dice.pick([
      "get", "list", "read", "read", "create", "update", "delete", "write", "write",
      "create, update",
    ])
    let isRead = ["get", "list", "read"].contains(methods)
    // A glob is a path, of which no text can be asked.
    let condition =
      isGlob ? dice.pick(["request.auth.uid == 'alice'", "isEditor()"]) : condition(isRead: isRead)
    return "   allow \(methods): if \(condition);"
  }

  private mutating func condition(isRead: Bool) -> String {
    let one =
      isRead || dice.chance(40)
      ? dice.pick(Self.conditions)
      : dice.pick(Self.conditions + Self.writeConditions)
    switch dice.roll(20) {
    case 0...2: return "(\(one) && \(condition(isRead: isRead)))"
    case 3...5: return "(\(one) || \(condition(isRead: isRead)))"
    case 6...7: return "!(\(one))"
    default: return one
    }
  }
}
