import Foundation
import Testing

/// Expected outputs in files: compared, or with `RECORD=1` written anew, which fails the run so that
/// a recording is never taken for a passing test.
enum Golden {
  /// Whether expected files are to be rewritten.
  static let isRecording = Wanted.text("RECORD") == "1"

  /// The folder of a stage: `Golden/<stage>`.
  static func folder(_ stage: String) -> URL {
    ConformanceData.tests.appendingPathComponent("Golden").appendingPathComponent(stage)
  }

  /// The names of the folders below a stage, sorted: one a case.
  static func cases(_ stage: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder(stage).path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Compares a text with the expected file, which must exist.
  static func expect(_ actual: String, in file: URL) {
    let expected = try? String(contentsOf: file, encoding: .utf8)
    if expected == actual { return }
    if isRecording {
      try? actual.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.lastPathComponent)")
      return
    }
    let name = file.pathComponents.suffix(3).joined(separator: "/")
    guard let expected else {
      Issue.record("\(name) is missing; record it with RECORD=1")
      return
    }
    Issue.record("\(name) differs\n\(Self.difference(expected, actual))")
  }

  /// The first lines that differ.
  private static func difference(_ expected: String, _ actual: String) -> String {
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let given = actual.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(wanted.count, given.count) {
      let one = index < wanted.count ? wanted[index] : "(nothing)"
      let other = index < given.count ? given[index] : "(nothing)"
      if one != other { return "line \(index + 1)\n  expected: \(one)\n  actual:   \(other)" }
    }
    return "they differ at the end"
  }
}
