import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// One measured rule set with a request.
struct RulesetCase {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  /// A rule set with one statement for documents of the collection `t`.
  static func rules(allowing operation: String, if condition: String) -> String {
    "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
      + "    match /t/{id} { allow \(operation): if \(condition); }\n  }\n}\n"
  }

  /// Whether rules grant a request; throws if they do not compile.
  static func decide(_ rules: String, _ documents: Documents, _ request: Request) throws -> Bool {
    let outcome = Checker.check(SourceText(name: "conformance.rules", rules))
    guard let checked = outcome.checked else {
      throw ConformanceRequest.Unreadable(text: outcome.diagnostics.first?.message ?? "")
    }
    return try Engine(checked).decide(request, on: documents).isAllowed
  }

  /// What differs; nil if nothing does.
  func disagreement() throws -> String? {
    let rules = json["rules"]?.string ?? ""
    let expected = json["emulator"]?.string ?? ""
    let actual = try actual(rules)
    if actual == expected { return nil }
    let id = json["id"]?.string ?? ""
    return "\(id) \(json["topic"]?.string ?? "") \(json["note"]?.string ?? ""): \(actual), "
      + "the emulator \(expected) \(json["message"]?.string?.prefix(100) ?? "")\n\(rules.prefix(400))"
  }

  /// What differs between the reference and the machine; nil if nothing does.
  func machineDisagreement() throws -> String? {
    let rules = json["rules"]?.string ?? ""
    guard let checked = Checker.check(SourceText(name: "conformance.rules", rules)).checked else {
      return nil
    }
    let documents = try ConformanceRequest.documents(json["documents"] ?? JSON(.null))
    let request = try ConformanceRequest.request(
      json["request"] ?? JSON(.null), isEncoded: json["topic"]?.string == "matching/encoding")
    var agreement = Agreement(checked)
    return agreement.disagreement(request, on: documents).map { "\(rules)\n\($0)" }
  }

  private func actual(_ rules: String) throws -> String {
    let outcome = Checker.check(SourceText(name: "conformance.rules", rules))
    guard let checked = outcome.checked else { return "COMPILE_ERROR" }
    let documents = try ConformanceRequest.documents(json["documents"] ?? JSON(.null))
    let request = try ConformanceRequest.request(
      json["request"] ?? JSON(.null), isEncoded: json["topic"]?.string == "matching/encoding")
    return try Engine(checked).decide(request, on: documents).isAllowed ? "ALLOW" : "DENY"
  }
}
