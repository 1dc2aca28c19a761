import RulesHost
import RulesLang

/// The options that `exec` and `serve` share: address, rules and documents at the start.
struct EmulatorOptions {
  /// The default host, reachable only from this machine, in both address families.
  static let loopback = "localhost"
  /// The port of the official emulator, which some tests use regardless of the environment.
  private static let usualPort: UInt16 = 8080
  /// The port of the official emulator hub.
  private static let usualHub: UInt16 = 4400

  /// `--port NUMBER`.
  static let port = Option<UInt16>(
    name: "--port", value: "NUMBER", summary: "the port to listen on",
    parsing: { UInt16($0) },
    refusal: { UsageProblem("`\($1)` is a number up to 65535, not `\($0)`") })
  /// `--host HOST`.
  static let host = Option(
    name: "--host", value: "HOST",
    summary: "the host to listen on; beyond localhost, anyone who reaches it can become "
      + "administrator")
  /// `--rules FILE`.
  static let rules = Option(
    name: "--rules", value: "FILE", summary: "the rules to start with instead of the project's own")
  /// `--import DIR`.
  static let imported = Option(
    name: "--import", value: "DIR",
    summary: "start with the documents of an export of the Firebase emulator")
  /// `--export-on-exit DIR`.
  static let exported = Option(
    name: "--export-on-exit", value: "DIR", isValueOptional: true,
    summary: "export the documents at the end; without DIR to that of --import")
  /// `--project ID`.
  static let project = Option(
    name: "--project", value: "ID",
    summary: "the project of GCLOUD_PROJECT; that of .firebaserc by default")

  /// `--record FILE.suite.json`.
  static let record = Option(
    name: "--record", value: "FILE.suite.json",
    summary: "write the requests as a suite, or add them to an existing one")

  /// Returns the path of the suite to which requests are added; nil for none.
  static func recordPath(_ invocation: Invocation, _ option: Option<String>) throws(UsageProblem)
    -> String?
  {
    guard let path = try invocation[option] else { return nil }
    guard path.hasSuffix(SuiteSearch.suffix) else {
      throw UsageProblem(
        "`\(option.name)` needs a suite, but \(path) is not one",
        help: "the name of a suite ends in \(SuiteSearch.suffix)")
    }
    return path
  }

  /// The port; nil for the default one.
  let port: UInt16?
  /// The host.
  let host: String
  /// The rules file of the command line.
  let rulesPath: String?
  /// The export to begin with; nil for none.
  let importPath: String?
  /// The folder of the export at the end; nil for none.
  let exportPath: String?
  /// The project's configuration.
  let configuration: Configuration

  /// Parses the emulator's options of a command line.
  ///
  /// - Parameter seed: The export that an option of the official program names; nil for none.
  init(
    _ invocation: Invocation, host: String, importing seed: String? = nil
  ) throws(UsageProblem) {
    importPath = try invocation[Self.imported] ?? seed
    exportPath = try Self.exportPath(try invocation[Self.exported], orThatOf: importPath)
    port = try invocation[Self.port]
    self.host = host
    configuration = try Configuration.find()
    if let named = try invocation[Self.rules] {
      rulesPath = try RulesSearch.onlyFile(of: named)
    } else {
      rulesPath = nil
    }
  }

  /// Returns the project in the command's environment: that of the command line, else the default one of the
  /// project.
  static func project(_ invocation: Invocation) throws(UsageProblem) -> String {
    if let named = try invocation[Self.project] { return named }
    return try usualProject()
  }

  /// Returns the default project, or a placeholder if there is none.
  static func usualProject() throws(UsageProblem) -> String {
    let standard = try standardProject()
    return standard ?? anyProject
  }

  /// Returns the folder of the export at the end; an empty path means that of the import.
  private static func exportPath(
    _ path: String?, orThatOf imported: String?
  ) throws(UsageProblem) -> String? {
    guard let path, path.isEmpty else { return path }
    guard let imported, FileSystem.kind(of: imported) != .file else {
      throw UsageProblem(
        "`\(exported.name)` needs a folder",
        help: "\(exported.name) DIR, or \(Self.imported.name) DIR")
    }
    return imported
  }

  /// Reads the documents to begin with; nil without an import, or if its folder, which is also that of the
  /// export, does not exist yet.
  func seed() throws(UsageProblem) -> EmulatorSeed? {
    guard let importPath else { return nil }
    if importPath == exportPath, FileSystem.kind(of: importPath) == .missing { return nil }
    return try EmulatorSeed(importPath)
  }

  /// Prepares the export at the end; nil if there is none.
  func finalExport(
    of project: String, named name: String? = nil
  ) throws(UsageProblem) -> FinalExport? {
    guard let exportPath else { return nil }
    return try FinalExport(to: exportPath, named: name, of: project)
  }

  /// Returns the port where tests expect the emulator: that of `firebase.json`, else the official one.
  func expectedPort() throws(UsageProblem) -> UInt16 {
    try FirebaseProject.emulatorPort("firestore") ?? Self.usualPort
  }

  /// Returns the port where tests expect the hub.
  func expectedHub() throws(UsageProblem) -> UInt16 {
    try FirebaseProject.emulatorPort("hub") ?? Self.usualHub
  }

  /// The placeholder for a missing project ID; SDKs never contact the cloud for IDs that begin with `demo-`.
  private static let anyProject = "demo-rules-check"

  /// Returns the default project of the nearest `.firebaserc`; nil if there is none.
  private static func standardProject() throws(UsageProblem) -> String? {
    guard let path = try Configuration.nearest(FirebaseTargets.fileName),
      let bytes = try? FileSystem.read(path)
    else { return nil }
    return FirebaseTargets(SourceText(name: path, bytes: bytes)).standardProject
  }
}
