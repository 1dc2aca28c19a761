import RulesEncoding
import RulesEval
import RulesLang

/// The account whose condition a step question is about, and the client of the request.
enum StepRoles {
  /// The condition is about the client of the request.
  case sameAccount
  /// Another account of the same person makes it: one for which the condition is false, too, and that has
  /// none of some claims, which only the server sets. The name is that of the variable for the user ID whose
  /// condition it is. Of a part of a condition it is not asked whether it is false for who writes.
  case anotherAccount(Text, without: [Text], isOfPart: Bool)
  /// The condition is about the client of the request, and was true of another account before.
  case besides(Text)
  /// The condition is about the client of the request, which creates a document above the one in question.
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

/// A condition before and after a commit, and what else is given.
struct StepPair {
  /// The condition before it; also that of who writes, where that must be false, too.
  var before: String
  /// The condition after it.
  var after: String
  /// Further assumptions.
  var given: [String] = []
}

extension StepRoles {
  /// Returns the condition that the request comes from another account than the named one, and without some
  /// claims.
  static func writer(isNot account: Text, without claims: [Text]) -> String {
    var parts = ["request.auth.uid != \(String(account))"]
    parts += claims.map { "!(\($0.literal) in request.auth.token)" }
    return "(request.auth == null || \(parts.joined(separator: " && ")))"
  }
}
