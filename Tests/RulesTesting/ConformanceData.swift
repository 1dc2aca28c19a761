import Foundation
import RulesEval
import RulesLang

/// The folder of recorded answers.
enum ConformanceData {
  /// The folder of the tests of the product, with everything that is recorded.
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("RulesTests")

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
}
