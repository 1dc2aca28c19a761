import Foundation
import RulesLang

@testable import RulesEval

/// The folder of recorded answers.
enum ConformanceData {
  /// The folder of the tests.
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The bytes of a file of the folder `Conformance`.
  static func bytes(_ file: String) throws -> [UInt8] {
    Array(
      try Data(contentsOf: tests.appendingPathComponent("Conformance").appendingPathComponent(file))
    )
  }

  /// A file that is one JSON value.
  static func json(_ file: String) throws -> JSON {
    try JSONParser.parse(SourceText(name: file, bytes: try bytes(file)))
  }

  /// A file with one JSON value a line.
  static func lines(_ file: String) throws -> [JSON] {
    try bytes(file).split(separator: UInt8(ascii: "\n")).map {
      try JSONParser.parse(SourceText(name: file, bytes: Array($0)))
    }
  }

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
