import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// The texts that `diff` compares: two files, or the project's rules now and at a git revision.
struct RulesVersions {
  /// An older text and a newer one.
  struct Pair {
    /// The older text.
    var old: SourceText
    /// The newer text; if there is none, rules that deny everything.
    var new: SourceText
    /// The versions that exist.
    var standing = DiffReport.Standing.compared
    /// The databases of both, if the project has several.
    var databases: [String] = []
  }

  /// The pairs to compare, in order.
  private(set) var pairs: [Pair] = []
  /// Errors of files that cannot be compared, in order.
  private(set) var refusals: [Annotation] = []
  /// Notices about files that differ from what the project deploys.
  private(set) var notices: [ProjectNotice] = []
  /// The older version, if it comes from git.
  private(set) var history: GitHistory?
  /// The newer files.
  private var newer = NewerFiles(history: nil)
  /// True if the newer files are those of the working tree.
  var isOfWorkingTree: Bool { newer.history == nil }
  /// The rules files of the project at the older revision, as normalized paths, including those that git does
  /// not have.
  private var formerFiles: Set<String> = []
  /// Rules that projects elsewhere in the repository deployed and no longer deploy.
  private var elsewhere = FormerProjects()
  /// The reason why the deployed files of the project are unknown; nil if they are known.
  private var ignorance: UsageProblem?

  /// Finds the pairs that a command line asks for.
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
    guard let base = options.base else {
      guard operands.count == 2 else {
        throw UsageProblem(
          "`diff` needs OLD NEW",
          help: "usage: rules-check diff OLD NEW, or \(DiffOptions.base.name) REV FILE")
      }
      let isFile = FileSystem.kind(of: operands[0]) != .missing
      if !isFile, (try? GitHistory.range(operands[0])) != nil {
        throw UsageProblem(
          "\(operands[0]): no such file or directory",
          help:
            "a git revision: rules-check diff \(DiffOptions.base.name) \(operands[0]) \(operands[1])"
        )
      }
      let (old, new) = (try newer.read(operands[0]), try newer.read(operands[1]))
      return pairs.append(Pair(old: old, new: new))
    }
    let range = try GitHistory.range(base)
    history = range.old
    newer = NewerFiles(history: range.new)
    let then = try former(at: range.old, mayBeUnknown: !operands.isEmpty)
    formerFiles = Set(then.files.map { FilePath.normalized($0) })
    let now =
      operands.isEmpty
      ? try newer.project() : (try? newer.project()) ?? ProjectRules(deploying: [])
    elsewhere = try FormerProjects(
      range.old, newer, except: [then.project, now.project].compactMap { $0 })
    if !operands.isEmpty { return try add(operands, then, now, range.old) }
    try findPairs(then, now, range.old)
    try addUnreplaced(then, now, range.old)
  }

  /// Returns the project's rules at a revision. If its configuration is malformed and `mayBeUnknown`, returns
  /// none; files that are new then become errors.
  private mutating func former(
    at history: GitHistory, mayBeUnknown: Bool
  ) throws(UsageProblem) -> ProjectRules {
    do throws(UsageProblem) {
      return try ProjectRules(at: history)
    } catch {
      guard mayBeUnknown else { throw error }
      ignorance = error
      return ProjectRules(deploying: [])
    }
  }

  /// Adds the pairs of a project, without operands.
  private mutating func findPairs(
    _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory
  ) throws(UsageProblem) {
    if now.files.isEmpty, then.files.isEmpty { return try addAll(history) }
    let isByProject = !then.managed.isEmpty && now.project == nil
    // Without a firebase.json, nothing is deployed in place of the earlier rules.
    if now.named.isEmpty, isByProject, !now.files.isEmpty {
      var gone: [String] = []
      for file in now.files { try add(file, history, &gone) }
      let kept = Set(now.files.map { FilePath.normalized($0) })
      for one in then.managed where !kept.contains(FilePath.normalized(one.path)) {
        try addUnmanaged(one, history)
      }
      return
    }
    // If a project deployed rules and now deploys none, all its rules have left review.
    if now.named.isEmpty { return try add(then, now, history) }
    // A project that deploys other files than before must not hide the earlier ones.
    var gone: [String] = []
    var files = now.files
    let known = Set(files.map { FilePath.normalized($0) })
    for file in then.files where !known.contains(FilePath.normalized(file)) {
      if try newer.isGone(file) { gone.append(file) } else { files.append(file) }
    }
    for file in files { try add(file, history, &gone) }
    for file in gone { try add(deleted: file, history) }
    try addUnmanaged(then, now, history)
  }

  // MARK: Databases

  /// Adds each database that `firebase.json` deployed at a revision and does not deploy any more.
  private mutating func addUnmanaged(
    _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory
  ) throws(UsageProblem) {
    for one in then.managed
    where !now.managed.contains(where: { $0.database == one.database }) {
      let isSaid = pairs.contains { pair in
        if case .unmanaged = pair.standing { return pair.new.name == one.path }
        return false
      }
      if !isSaid { try addUnmanaged(one, history) }
    }
  }

  /// Adds rules that projects elsewhere in the repository deployed and nothing deploys in their place: to the
  /// same databases as the project, or from files that are gone.
  private mutating func addUnreplaced(
    _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory
  ) throws(UsageProblem) {
    let databases = Set((then.managed + now.managed).map { $0.database })
    for one in elsewhere.unreplaced() {
      let isGone = try newer.isGone(one.path)
      guard isGone || databases.contains(one.database) else { continue }
      let isKnown = pairs.contains {
        FilePath.normalized($0.new.name) == FilePath.normalized(one.path)
      }
      if !isKnown { try addUnmanaged(one, history) }
    }
  }

  /// Adds a deployment that no project manages any more.
  private mutating func addUnmanaged(
    _ one: ProjectRules.Deployment, _ history: GitHistory
  ) throws(UsageProblem) {
    try add(deleted: one.path, history)
    pairs[pairs.count - 1].databases = [one.database]
  }

  /// Adds, for each database, the rules that were deployed to it at a revision and those that are deployed
  /// now, under any file names.
  ///
  /// - Parameter file: The only file to compare; nil for all.
  private mutating func add(
    _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory, only file: String? = nil
  ) throws(UsageProblem) {
    let wanted = now.deployed.filter { one in
      file.map { FileSystem.isSame($0, one.path) } ?? true
    }
    var formers: [String: String] = [:]
    for one in wanted {
      if let own = then.deployed.first(where: { $0.database == one.database }) {
        formers[one.database] = own.path
      } else if let ignorance, try history.read(one.path) == nil {
        throw ignorance
      } else if let problem = elsewhere.problems.first {
        throw problem
      } else {
        formers[one.database] = try elsewhere.take(
          one.database, like: try? newer.read(one.path), at: history)
      }
    }
    let areSeveral =
      file == nil && Set((now.deployed + then.deployed).map { $0.database }).count > 1
    var seen: Set<[String]> = []
    for one in wanted {
      let old = formers[one.database]
      guard seen.insert([old ?? "", one.path]).inserted else { continue }
      let first = pairs.count
      defer {
        let alike = now.deployed.filter {
          $0.path == one.path && formers[$0.database] == old
        }
        for place in first..<pairs.count where areSeveral {
          pairs[place].databases = alike.map { $0.database }
        }
      }
      let isSame = old.map { FilePath.normalized($0) == FilePath.normalized(one.path) }
      // Without an earlier project, only the files themselves can be compared.
      if isSame ?? then.deployed.isEmpty {
        var gone: [String] = []
        try add(one.path, history, &gone)
        continue
      }
      // A deployed file that is not in git counts as rules that deny everything.
      let known: SourceText? = if let old { try history.read(old) } else { nil }
      do throws(UsageProblem) {
        pairs.append(
          Pair(
            old: known ?? Self.nothing(called: "nothing"), new: try newer.read(one.path),
            standing: old == nil ? .first : .compared))
      } catch {
        refusals += [Annotation](error)
      }
    }
    guard file == nil else { return }
    for one in then.deployed
    where !now.deployed.contains(where: { $0.database == one.database }) {
      try addUnmanaged(one, history)
    }
  }

  // MARK: Files

  /// Adds all rules files for Firestore, if no configuration names them; other programs have `*.rules` files,
  /// too.
  private mutating func addAll(_ history: GitHistory) throws(UsageProblem) {
    var gone: [String] = []
    for file in try history.deletedRules(in: newer.history)
    where try history.read(file)?.isOfFirestore ?? false {
      gone.append(file)
    }
    for file in try newer.allRules(since: history) where try newer.read(file).isOfFirestore {
      try add(file, history, &gone)
    }
    for file in gone { try add(deleted: file, history) }
  }

  /// Adds a file with its version at a revision, which may have another name among `gone`.
  private mutating func add(
    _ file: String, _ history: GitHistory, _ gone: inout [String]
  ) throws(UsageProblem) {
    let old = try history.read(file)
    if try newer.isGone(file), old != nil { return try add(deleted: file, history) }
    let new: SourceText
    do throws(UsageProblem) {
      new = try newer.read(file)
    } catch {
      return refusals += [Annotation](error)
    }
    if let old { return pairs.append(Pair(old: old, new: new)) }
    guard let former = try FormerFile.find(new, among: gone, at: history, newer) else {
      if let ignorance { throw ignorance }
      let isUnknown = formerFiles.contains(FilePath.normalized(file))
      return pairs.append(
        Pair(
          old: Self.nothing(called: "nothing"), new: new,
          standing: isUnknown ? .compared : .first))
    }
    gone.removeAll { $0 == former.name }
    pairs.append(Pair(old: former.text, new: new))
  }

  /// Adds a file of a revision that does not exist, or is not deployed, any more.
  private mutating func add(
    deleted file: String, _ history: GitHistory
  ) throws(UsageProblem) {
    let old = try history.read(file) ?? Self.nothing(called: file)
    let reason: DiffReport.Ending = try newer.isGone(file) ? .deleted : .notDeployed
    pairs.append(Pair(old: old, new: Self.nothing(called: file), standing: .unmanaged(reason)))
  }

  // MARK: Operands

  /// Adds the files that operands name. A file that the project deploys is compared with the file that was
  /// deployed in its place before.
  private mutating func add(
    _ operands: [String], _ then: ProjectRules, _ now: ProjectRules, _ history: GitHistory
  ) throws(UsageProblem) {
    let deployed = DeployedRules(
      around: operands,
      of: (try? Configuration.find(isRemarking: false, isComplaining: false)) ?? Configuration())
    var (files, gone): ([String], [String]) = ([], [])
    var named: Set<String> = []
    for operand in operands {
      switch try newer.kind(of: operand) {
      case .folder:
        files += try newer.rules(below: operand)
        gone += try history.deletedRules(below: operand, in: newer.history)
      case .file where FilePath.name(of: operand) == FirebaseProject.fileName:
        try add(
          ProjectRules(deploying: ProjectRules.deployed(by: operand, at: history) ?? []),
          ProjectRules(deploying: newer.deployed(by: operand)), history)
      // A file that exists only in git counts as named, not as found.
      case .file, .missing:
        files.append(operand)
        named.insert(operand)
      }
    }
    for file in FileSystem.distinct(files) {
      if !named.contains(file), try isForeign(file) { continue }
      if now.deploys(file), !then.deployed.isEmpty || !elsewhere.lost.isEmpty {
        try add(then, now, history, only: file)
      } else if then.deploys(file), named.contains(file) {
        try add(deleted: file, history)
      } else {
        try add(file, history, &gone)
      }
      guard named.contains(file), newer.history == nil, let project = deployed.stranger(file)
      else { continue }
      notices.append(
        ProjectNotice(
          .undeployed(project: project.path, deployed: project.files.map(\.path)), about: file))
    }
    for file in gone where try history.read(file)?.foreignService == nil {
      try add(deleted: file, history)
    }
  }

  /// True if a file that was found has rules of another product; adds a notice of it.
  private mutating func isForeign(_ file: String) throws(UsageProblem) -> Bool {
    guard let service = try newer.read(file).foreignService else { return false }
    notices.append(ProjectNotice(.foreignService(name: service), about: file))
    return true
  }

  /// Returns rules that deny everything, in place of missing ones.
  private static func nothing(called name: String) -> SourceText {
    SourceText(name: name, "rules_version = '2'; function nothing() { return false; }")
  }
}

extension SourceText {
  /// True if the text names the Firestore service.
  fileprivate var isOfFirestore: Bool {
    String(decoding: bytes, as: UTF8.self).contains("cloud.firestore")
  }
}
