import RulesHost
import RulesLang
import RulesReport

/// The texts that `diff` compares: two files, or the project's rules as they are and as a git revision
/// has them.
struct RulesVersions {
  /// An older text and a newer one.
  struct Pair {
    /// The older text.
    var old: SourceText
    /// The newer text; one that denies everything if there is none.
    var new: SourceText
    /// Whether there is no newer one.
    var isDeleted = false
  }

  /// What is to be compared, in order.
  private(set) var pairs: [Pair] = []
  /// Why something cannot be compared, in order.
  private(set) var refusals: [Annotation] = []

  /// Finds what a command line is about.
  mutating func find(_ options: DiffOptions) throws(UsageProblem) {
    let operands = options.paths
    guard let revision = options.base else {
      guard operands.count == 2 else {
        throw UsageProblem(
          "`diff` needs OLD NEW",
          help: "usage: rules-check diff OLD NEW, or \(DiffOptions.base.name) REV FILE")
      }
      return pairs.append(
        Pair(old: try Self.read(operands[0]), new: try Self.read(operands[1])))
    }
    guard operands.count < 2 else {
      throw UsageProblem("`\(DiffOptions.base.name)` stands for OLD, so only one file can be given")
    }
    let history = try GitHistory(revision)
    var files = operands
    // What the project deployed and does not deploy any more was deleted or renamed.
    var gone: [String] = []
    if operands.isEmpty {
      files = try RulesSearch.projectFiles(of: Configuration.find())
      gone = Self.deployed(in: history).filter { !files.contains($0) }
      if files.isEmpty, gone.isEmpty {
        // Nothing says which rules these are: all that are about Firestore; other programs have
        // `*.rules`, too.
        for file in try GitHistory.rulesFiles() where try Self.read(file).isOfFirestore {
          files.append(file)
        }
        gone = history.deletedRules.filter { history.read($0)?.isOfFirestore ?? false }
      }
    }
    for file in files { add(file, history, &gone) }
    for file in gone { add(deleted: file, history) }
  }

  private func isGone(_ file: String) -> Bool { FileSystem.kind(of: file) == .missing }

  /// Adds a file with the version that a revision has of it, if need be under another name, which is
  /// taken from `gone`.
  private mutating func add(_ file: String, _ history: GitHistory, _ gone: inout [String]) {
    let old = history.read(file)
    if isGone(file), old != nil { return add(deleted: file, history) }
    let new: SourceText
    do throws(UsageProblem) {
      new = try Self.read(file)
    } catch {
      return refusals.append(Annotation(error))
    }
    if let old { return pairs.append(Pair(old: old, new: new)) }
    let candidates = gone + history.deletedRules.filter { !gone.contains($0) }
    let former = candidates.compactMap { name in history.read(name).map { (name, $0) } }
      .map { (name: $0.0, text: $0.1, likeness: new.likeness(to: $0.1)) }
      .max { $0.likeness < $1.likeness }
    guard let former, former.likeness >= Self.leastLikeness else {
      return pairs.append(Pair(old: Self.nothing(called: "nothing"), new: new))
    }
    gone.removeAll { $0 == former.name }
    pairs.append(Pair(old: former.text, new: new))
  }

  /// Adds a file that a revision has and that is not there any more.
  private mutating func add(deleted file: String, _ history: GitHistory) {
    guard let old = history.read(file) else { return }
    pairs.append(Pair(old: old, new: Self.nothing(called: file), isDeleted: true))
  }

  /// The share of lines in which a file and what it was before must agree, as git has it.
  private static let leastLikeness = 0.5

  // MARK: Which files

  /// The rules that the project deployed at a revision, by its `firebase.json` then; none if that does not
  /// say.
  private static func deployed(in history: GitHistory) -> [String] {
    do throws(UsageProblem) {
      let project = try Configuration.nearest(FirebaseProject.fileName) ?? FirebaseProject.fileName
      guard let source = history.read(project) else { return [] }
      return try FirebaseProject.rules(in: source, at: project)
    } catch {
      // What is wrong with an older version nobody can mend any more.
      return []
    }
  }

  private static func read(_ path: String) throws(UsageProblem) -> SourceText {
    do throws(FileProblem) {
      return SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
  }

  /// The rules where there are none: they deny everything.
  private static func nothing(called name: String) -> SourceText {
    SourceText(name: name, "rules_version = '2'; function nothing() { return false; }")
  }
}

extension SourceText {
  /// Whether the text names Firestore's service.
  fileprivate var isOfFirestore: Bool {
    String(decoding: bytes, as: UTF8.self).contains("cloud.firestore")
  }

  /// The share of lines that two texts have in common.
  fileprivate func likeness(to other: SourceText) -> Double {
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
