import RulesHost
import RulesLang

/// The file that a rules file or suite was before it was renamed.
struct FormerFile {
  /// The path.
  var name: String
  /// The text.
  var text: SourceText

  /// The share of lines in which a file and what it was before must agree, as git has it.
  private static let leastLikeness = 0.5

  /// Finds the rules file that a text was at a revision, which does not have it under its name: the one most
  /// like it among `gone` and the files that are deleted anywhere in the repository; nil if none is alike.
  static func find(
    _ new: SourceText, among gone: [String] = [], at history: GitHistory, _ newer: NewerFiles
  ) throws(UsageProblem) -> FormerFile? {
    let deleted = try history.allDeletedRules(in: newer.history)
    let names = gone + deleted.filter { !gone.contains($0) }
    return try find(new, among: names) { name throws(UsageProblem) in try history.read(name) }
  }

  /// Returns the file most like a text; nil if none is alike.
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
  /// The share of lines that two texts have in common.
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
