import RulesEncoding
import RulesEval
import RulesLang

/// The accounts in a step question: that of the condition and that of the writer.
enum StepRoles {
  /// One account is both.
  case sameAccount
  /// Another account of one person writes: the condition is false for it, too (not required for a
  /// part of a condition), and it lacks these server-set claims. The name is the variable for the
  /// condition's user ID.
  case anotherAccount(Text, without: [Text], isOfPart: Bool)
  /// One account is both, and the condition was true of another account before.
  case besides(Text)
  /// One account is both, and creates a document above the requested one.
  case creation

  /// The roles in a question about a part of the condition.
  var ofPart: StepRoles {
    switch self {
    case .sameAccount, .besides, .creation: self
    case .anotherAccount(let name, let claims, _):
      .anotherAccount(name, without: claims, isOfPart: true)
    }
  }
}

/// A condition before and after a commit, with assumptions.
struct StepPair {
  /// The condition before; including that of the writer where it must be false, too.
  var before: String
  /// The condition after.
  var after: String
  /// Further assumptions.
  var given: [String] = []
}

extension StepRoles {
  /// Returns the condition that the writer is another account than the named one, without some
  /// claims.
  static func writer(isNot account: Text, without claims: [Text]) -> String {
    var parts = ["request.auth.uid != \(String(account))"]
    parts += claims.map { "!(\($0.literal) in request.auth.token)" }
    return "(request.auth == null || \(parts.joined(separator: " && ")))"
  }
}
