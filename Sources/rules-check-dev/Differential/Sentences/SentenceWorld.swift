import RulesEval
import RulesLang

/// Two versions of random rules about posts, which differ in a statement or two, and random requests to a
/// post.
struct SentenceWorld {
  /// The versions.
  let old, new: String
  /// The statements of each version, each as rules by itself.
  let oldStatements, newStatements: [String]
  /// Draws the requests.
  private let posts: AuditWorld

  /// A statement: parts of its condition, all or one of which must hold.
  private struct Statement: Equatable {
    var method: Method
    var parts: [String]
    var isAnd: Bool

    var line: String {
      "allow \(method.word): if \(parts.joined(separator: isAnd ? " && " : " || "));"
    }
  }

  private static let user = "/databases/$(database)/documents/users/$(request.auth.uid)"
  private static let clients = [
    "request.auth != null", "request.auth == null", "signedIn()", "isOwner(id)",
    "request.auth.uid == id", "request.auth.uid != id", "request.auth.uid == 'alice'",
    "request.auth.uid in ['alice', 'bob']", "request.auth.token.admin == true",
    "request.auth.token.admin", "request.auth.token.role == 'staff'",
    "request.auth.token.role != 'staff'", "request.auth.token.email_verified == true",
    "get(\(user)).data.role == 'admin'", "exists(\(user))", "true",
  ]
  private static let stored = [
    "resource.data.author == request.auth.uid", "isOwner(resource.data.author)",
    "request.auth.uid in resource.data.members", "resource.data.state == 'open'",
    "resource.data.state != 'shut'", "'more' in resource.data", "resource.data.state is string",
  ]
  private static let sent = [
    "request.resource.data.author == request.auth.uid", "isOwner(request.resource.data.author)",
    "request.resource.data.keys().hasOnly(['state', 'author'])",
    "request.resource.data.keys().hasOnly(['state', 'author', 'members'])",
    "request.resource.data.keys().hasAny(['more'])",
    "request.resource.data.keys().hasAny(['more', 'members'])",
    "request.resource.data.keys().hasAll(['state'])", "request.resource.data.state is string",
  ]
  private static let changed = [
    "changed().hasOnly(['state'])", "changed().hasOnly(['state', 'members'])",
    "changed().hasOnly([])", "changed().hasAny(['author'])",
    "changed().hasAny(['author', 'members'])",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['more'])",
    "request.resource.data.author == resource.data.author",
  ]

  /// Generates the versions.
  init(_ dice: inout Dice) {
    let methods = [Method.get, .create, .update, .update, .delete]
    let clients = Array(dice.shuffled(Self.clients).prefix(dice.roll(2...4)))
    func statement(_ method: Method, _ dice: inout Dice) -> Statement {
      let count = dice.roll(1...3)
      return Statement(
        method: method,
        parts: (0..<count).map { _ in Self.part(method, clients, &dice) }, isAnd: dice.chance(70))
    }
    var before: [Statement] = []
    for _ in 0..<dice.roll(1...3) { before.append(statement(dice.pick(methods), &dice)) }
    var after = before
    for _ in 0..<dice.roll(1...2) {
      let place = after.isEmpty ? 0 : dice.roll(after.count)
      switch dice.roll(after.isEmpty ? 1 : 6) {
      case 0:
        after.append(statement(dice.pick(before.isEmpty ? methods : before.map(\.method)), &dice))
      case 1: after.remove(at: place)
      case 2: after[place].parts.append(Self.part(after[place].method, clients, &dice))
      case 3 where after[place].parts.count > 1: after[place].parts.removeLast()
      case 4 where after[place].parts.count > 1: after[place].isAnd.toggle()
      default: after[place].parts[0] = Self.part(after[place].method, clients, &dice)
      }
    }
    (old, new) = (Self.text(before), Self.text(after))
    oldStatements = before.map { Self.text([$0]) }
    newStatements = after.map { Self.text([$0]) }
    posts = AuditWorld(&dice)
  }

  private static func part(
    _ method: Method, _ clients: [String], _ dice: inout Dice
  ) -> String {
    let own: [String] =
      switch method {
      case .get, .list, .delete: stored
      case .create: sent
      case .update: stored + sent + changed + changed
      }
    let part = dice.pick(dice.chance(50) ? clients : own)
    return dice.chance(20) ? "!(\(part))" : part
  }

  private static func text(_ statements: [Statement]) -> String {
    let lines = statements.map { "      \($0.line)\n" }.joined()
    return """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function signedIn() { return request.auth != null; }
          function isOwner(user) { return request.auth.uid == user; }
          function changed() { return request.resource.data.diff(resource.data).affectedKeys(); }
          match /posts/{id} {
            allow get: if false;
      \(lines)    }
        }
      }

      """
  }

  /// Draws a request to a post.
  func access(_ dice: inout Dice) -> AuditWorld.Access { posts.access(&dice) }
}
