import RulesEncoding
import RulesEval
import RulesLang

/// Whose condition a step question is about, and who makes the request.
enum StepRoles {
  /// Who makes the request.
  case sameAccount
  /// Another account of the same person makes it: one for which the condition is false, too, and that has
  /// none of some claims, which only the server sets. The name is that of the variable for the user ID whose
  /// condition it is. Of a part of a condition it is not asked whether it is false for who writes.
  case anotherAccount(Text, without: [Text], isOfPart: Bool)
  /// Who makes the request, and the condition is true of somebody else before.
  case besides(Text)
  /// Who makes the request, which creates a document above the one that is asked about.
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
  /// What is given beside it.
  var given: [String] = []
}

extension StepRoles {
  /// That the request is of another account than that with a user ID, without some claims.
  static func writer(isNot account: Text, without claims: [Text]) -> String {
    var parts = ["request.auth.uid != \(String(account))"]
    parts += claims.map { "!(\($0.literal) in request.auth.token)" }
    return "(request.auth == null || \(parts.joined(separator: " && ")))"
  }
}
