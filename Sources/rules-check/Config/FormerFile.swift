import RulesHost
import RulesLang

/// A rules file or suite before it was renamed.
struct FormerFile {
  /// The path.
  var name: String
  /// The text.
  var text: SourceText

  /// Minimum share of common lines of a file before and after renaming, as in git.
  private static let leastLikeness = 0.5

  /// Finds the former version of a rules file that a revision does not have under its name: the most similar
  /// one among `gone` and the files that were deleted anywhere in the repository; nil if none is similar.
  static func find(
    _ new: SourceText, among gone: [String] = [], at history: GitHistory, _ newer: NewerFiles
  ) throws(UsageProblem) -> FormerFile? {
    let deleted = try history.allDeletedRules(in: newer.history)
    let names = gone + deleted.filter { !gone.contains($0) }
    return try find(new, among: names) { name throws(UsageProblem) in try history.read(name) }
  }

  /// Returns the file most similar to a text; nil if none is similar.
  static func find(
    _ new: SourceText, among names: [String],
    reading read: (String) throws(UsageProblem) -> SourceText?
  ) throws(UsageProblem) -> FormerFile? {
    var former: (file: FormerFile, likeness: Double)?
    for name in names {
      guard let text = try read(name) else { continue }
      let likeness = new.likeness(to: text)
      if likeness >= leastLikeness, likeness > former?.likeness ?? 0 {
        former = (FormerFile(name: name, text: text), likeness)
      }
    }
    return former?.file
  }
}

extension SourceText {
  /// Returns the share of lines that two texts have in common.
  func likeness(to other: SourceText) -> Double {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    let newline = UInt8(ascii: "\n")
    let lines = bytes.split(separator: newline)
    let others = other.bytes.split(separator: newline)
    for line in lines { counts[line, default: 0] += 1 }
    var shared = 0
    for line in others where counts[line, default: 0] > 0 {
      counts[line, default: 0] -= 1
      shared += 1
    }
    return Double(2 * shared) / Double(max(1, lines.count + others.count))
  }
}
