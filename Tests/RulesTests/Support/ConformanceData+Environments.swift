import RulesLang

@testable import RulesEval
@testable import RulesTesting

extension ConformanceData {
  /// The environments of the expressions, by name.
  static func environments() throws -> [Text: ExpressionCase.Environment] {
    let json = try json("environments.json")
    let documents = try ConformanceRequest.documents(json["documents"] ?? JSON(.null))
    guard case .object(let members) = json["environments"]?.kind else { return [:] }
    var result: [Text: ExpressionCase.Environment] = [:]
    for member in members {
      result[member.key] = ExpressionCase.Environment(
        ruleset: member.value["ruleset"]?.string ?? "", documents: documents,
        request: try ConformanceRequest.request(member.value["request"] ?? JSON(.null)))
    }
    return result
  }
}
