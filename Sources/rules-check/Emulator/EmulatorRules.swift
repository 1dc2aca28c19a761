import FirestoreServer
import RulesEval
import RulesHost
import RulesLang

/// The rules with which an emulator begins: those that commands without operands use.
struct EmulatorRules {
  /// A rules file with its database; a nil database stands for every database without rules of its own.
  struct Entry {
    /// The path from the working folder.
    var path: String
    /// The database.
    var database: DatabaseName?
    /// The text.
    var source: SourceText
  }

  /// The files, one for each database.
  let entries: [Entry]

  /// Reads the rules.
  ///
  /// - Throws: The reason why the emulator cannot start, with the errors of a file that does not compile.
  init(_ options: EmulatorOptions) throws(UsageProblem) {
    entries = try Self.deployments(options).map { path, database throws(UsageProblem) in
      let source: SourceText
      do throws(FileProblem) {
        source = SourceText(name: path, bytes: try FileSystem.read(path))
      } catch {
        throw UsageProblem(error)
      }
      let outcome = Checker.checkFirestore(source, profile: .emulator)
      guard outcome.checked != nil else {
        throw UsageProblem("\(path) does not compile", outcome.diagnostics, in: source)
      }
      return Entry(path: path, database: database, source: source)
    }
  }

  /// Returns the files with their databases.
  private static func deployments(
    _ options: EmulatorOptions
  ) throws(UsageProblem) -> [(path: String, database: DatabaseName?)] {
    if let path = options.rulesPath { return [(path, nil)] }
    let project = try ProjectRules(options.configuration)
    if !project.named.isEmpty {
      let known = project.managed.filter { one in
        project.named.contains { FileSystem.isSame($0, one.path) }
      }
      if !known.isEmpty { return known.map { ($0.path, DatabaseName(Text($0.database))) } }
      guard project.named.count == 1 else {
        throw UsageProblem(
          "there are several rules files: \(project.named.joined(separator: ", "))",
          help: "\(EmulatorOptions.rules.name) FILE says which one is meant")
      }
      return [(project.named[0], nil)]
    }
    return project.deployed.map { ($0.path, DatabaseName(Text($0.database))) }
  }

  /// Returns the path of the file with exactly the text of some rules, and its rules checked for their
  /// database; nil if there is none.
  func file(of rules: Checked) -> (path: String, rules: Checked)? {
    let bytes = rules.ruleset.source.bytes
    guard let entry = entries.first(where: { $0.source.bytes == bytes }),
      let own = Checker.checkFirestore(entry.source, profile: .emulator).checked
    else { return nil }
    return (entry.path, own.deployed(to: rules.database))
  }
}
