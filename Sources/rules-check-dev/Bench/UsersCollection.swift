import RulesEval
import RulesLang

/// One update of the users collection: a document of eight strings.
struct UsersUpdate {
  var user: String?
  var owner: String
  var before: [(name: String, value: String)]
  var after: [(name: String, value: String)]
}

/// The case by which speed is measured: who may update a user's document.
enum UsersCollection {
  /// What is asked.
  enum Case: CaseIterable {
    case allowed, otherUser, extraField

    /// What reports call it.
    var name: String {
      switch self {
      case .allowed: "allowed: the owner's token"
      case .otherUser: "denied: another user"
      case .extraField: "denied: another field too"
      }
    }

    /// What must come of it.
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

  /// How many different updates a case consists of.
  static let count = 64

  private static let fields = [
    "displayName", "email", "photoURL", "bio", "city", "language", "createdAt", "fcmToken",
  ]

  /// The updates of a case; the same every time.
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
  /// The update as a request, and what is stored before it.
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
