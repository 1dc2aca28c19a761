import RulesEval
import RulesLang

/// One update of the users collection: a document of eight strings.
struct UsersUpdate {
  var user: String?
  var owner: String
  var before: [(name: String, value: String)]
  var after: [(name: String, value: String)]
}

/// The standard case of speed measurements: updates of a user's document.
enum UsersCollection {
  /// The kinds of updates.
  enum Case: CaseIterable {
    case allowed, otherUser, extraField

    /// The name in reports.
    var name: String {
      switch self {
      case .allowed: "allowed: the owner's token"
      case .otherUser: "denied: another user"
      case .extraField: "denied: another field too"
      }
    }

    /// The expected decision.
    var isAllowed: Bool { self == .allowed }
  }

  /// The rules.
  static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{userID} {
          allow update: if request.auth != null && request.auth.uid == userID
            && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['fcmToken']);
        }
      }
    }

    """

  /// Number of different updates in a case.
  static let count = 64

  private static let fields = [
    "displayName", "email", "photoURL", "bio", "city", "language", "createdAt", "fcmToken",
  ]

  /// Returns the updates of a case, the same every time.
  static func updates(_ kind: Case) -> [UsersUpdate] {
    var dice = Dice(seed: 20_251_021)
    let users = (0..<count).map { _ in text(length: 28, using: &dice) }
    return users.enumerated().map { place, owner in
      let before = fields.map {
        (name: $0, value: text(length: $0 == "fcmToken" ? 152 : 24, using: &dice))
      }
      var after = before
      after[fields.count - 1].value = text(length: 152, using: &dice)
      if kind == .extraField { after[3].value = text(length: 24, using: &dice) }
      let user = kind == .otherUser ? users[(place + 1) % count] : owner
      return UsersUpdate(user: user, owner: owner, before: before, after: after)
    }
  }

  private static func text(length: Int, using dice: inout Dice) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return String(decoding: (0..<length).map { _ in dice.pick(letters) }, as: UTF8.self)
  }
}

extension UsersUpdate {
  /// The update as a request, with the documents stored before it.
  var question: (request: Request, documents: Documents) {
    let path = DocumentPath(["users", Text(owner)])
    let change = Write.Change.set(Self.map(after), mask: nil)
    let request = Request(
      principal: user.map { Principal(uid: Text($0)) }, time: .epoch,
      operation: .commit([Write(to: path, change, precondition: .exists)]))
    return (request, Documents([(path, Self.map(before))]))
  }

  private static func map(_ fields: [(name: String, value: String)]) -> MapValue {
    MapValue(fields.map { (Text($0.name), .string(Text($0.value))) })
  }
}
