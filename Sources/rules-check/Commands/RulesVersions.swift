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
    /// Why there is no newer one, in words; nil if there is.
    var ending: String?
    /// The databases that both are for, if the project has several.
    var databases: [String] = []
  }

  /// What is to be compared, in order.
  private(set) var pairs: [Pair] = []
  /// Why something cannot be compared, in order.
  private(set) var refusals: [Annotation] = []

  /// Finds what a command line is about.
  mutating func find(_ options: DiffOptions) throws(UsageProblem) {
    try findPairs(options)
    guard options.base != nil else { return }
    let names = DatabaseNames(options.paths, of: try Configuration.find())
    for place in pairs.indices where pairs[place].databases.isEmpty {
      pairs[place].databases = names.names(of: pairs[place].new.name)
    }
  }

  private mutating func findPairs(_ options: DiffOptions) throws(UsageProblem) {
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
    let history = try GitHistory(revision)
    var gone: [String] = []
    if !operands.isEmpty {
      let (files, deleted) = try Self.files(operands, history)
      gone = deleted
      for file in files { try add(file, history, &gone) }
      for file in gone { try add(deleted: file, history) }
      return
    }
    let (now, then) = (try ProjectRules(Configuration.find()), try ProjectRules(at: history))
    if now.files.isEmpty, then.files.isEmpty { return try addAll(history) }
    if !now.deployed.isEmpty, !then.deployed.isEmpty { return try add(then, now, history) }
    // Who names other files than before may not hide those that were meant.
    var files = now.files
    let known = Set(files.map { FilePath.normalized($0) })
    for file in then.files where !known.contains(FilePath.normalized(file)) {
      if isGone(file) { gone.append(file) } else { files.append(file) }
    }
    for file in files { try add(file, history, &gone) }
    for file in gone { try add(deleted: file, history) }
  }

  /// Adds for each database what a revision deploys there and what is deployed there now, whatever the
  /// files are called.
  private mutating func add(
    _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory
  ) throws(UsageProblem) {
    func former(_ database: String) -> String? {
      then.deployed.first { $0.database == database }?.path
    }
    let areSeveral = Set((now.deployed + then.deployed).map { $0.database }).count > 1
    var seen: Set<[String]> = []
    for one in now.deployed {
      let old = former(one.database)
      guard seen.insert([old ?? "", one.path]).inserted else { continue }
      let first = pairs.count
      defer {
        let alike = now.deployed.filter { $0.path == one.path && former($0.database) == old }
        for place in first..<pairs.count where areSeveral {
          pairs[place].databases = alike.map { $0.database }
        }
      }
      if let old, FilePath.normalized(old) == FilePath.normalized(one.path) {
        var gone: [String] = []
        try add(one.path, history, &gone)
        continue
      }
      // A database that is new was closed; so was one of whose rules the revision has nothing.
      let known: SourceText? = if let old { try history.read(old) } else { nil }
      let text = known ?? Self.nothing(called: "nothing")
      do throws(UsageProblem) {
        pairs.append(Pair(old: text, new: try Self.read(one.path)))
      } catch {
        refusals += [Annotation](error)
      }
    }
    for one in then.deployed
    where !now.deployed.contains(where: { $0.database == one.database }) {
      let first = pairs.count
      try add(deleted: one.path, history)
      for place in first..<pairs.count { pairs[place].databases = [one.database] }
    }
  }

  /// Adds all that are about Firestore, if nothing says which rules these are; other programs have
  /// `*.rules`, too.
  private mutating func addAll(_ history: GitHistory) throws(UsageProblem) {
    var gone: [String] = []
    for file in try history.deletedRules() where try history.read(file)?.isOfFirestore ?? false {
      gone.append(file)
    }
    for file in try history.rulesFiles() where try Self.read(file).isOfFirestore {
      try add(file, history, &gone)
    }
    for file in gone { try add(deleted: file, history) }
  }

  private func isGone(_ file: String) -> Bool { FileSystem.kind(of: file) == .missing }

  /// Adds a file with the version that a revision has of it, if need be under another name, which is
  /// taken from `gone`.
  private mutating func add(
    _ file: String, _ history: GitHistory, _ gone: inout [String]
  ) throws(UsageProblem) {
    let old = try history.read(file)
    if isGone(file), old != nil { return try add(deleted: file, history) }
    let new: SourceText
    do throws(UsageProblem) {
      new = try Self.read(file)
    } catch {
      return refusals += [Annotation](error)
    }
    if let old { return pairs.append(Pair(old: old, new: new)) }
    var former: (name: String, text: SourceText, likeness: Double)?
    for name in gone + (try history.deletedRules()).filter({ !gone.contains($0) }) {
      guard let text = try history.read(name) else { continue }
      let likeness = new.likeness(to: text)
      if likeness > former?.likeness ?? 0 { former = (name, text, likeness) }
    }
    guard let former, former.likeness >= Self.leastLikeness else {
      return pairs.append(Pair(old: Self.nothing(called: "nothing"), new: new))
    }
    gone.removeAll { $0 == former.name }
    pairs.append(Pair(old: former.text, new: new))
  }

  /// Adds a file that a revision has and that is not there, or not deployed, any more.
  private mutating func add(
    deleted file: String, _ history: GitHistory
  ) throws(UsageProblem) {
    guard let old = try history.read(file) else { return }
    pairs.append(
      Pair(
        old: old, new: Self.nothing(called: file),
        ending: isGone(file) ? "deleted" : "not deployed any more"))
  }

  /// The share of lines in which a file and what it was before must agree, as git has it.
  private static let leastLikeness = 0.5

  // MARK: Which files

  /// The rules files that operands name, folders searched, and those that a revision has in these
  /// folders and that are not there any more.
  private static func files(
    _ operands: [String], _ history: GitHistory
  ) throws(UsageProblem) -> (files: [String], deleted: [String]) {
    var (files, deleted): ([String], [String]) = ([], [])
    for operand in operands {
      // What is in git alone is named, not found.
      guard FileSystem.kind(of: operand) != .missing else {
        files.append(operand)
        continue
      }
      guard FileSystem.kind(of: operand) == .folder else {
        files += try RulesSearch.files([operand])
        continue
      }
      do throws(FileProblem) {
        files += try FileSystem.files(below: operand, suffix: ".rules")
      } catch {
        throw UsageProblem(error)
      }
      deleted += try history.deletedRules(below: operand)
    }
    return (FileSystem.distinct(files), deleted)
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
