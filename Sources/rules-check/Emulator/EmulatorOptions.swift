import RulesHost
import RulesLang

/// The options that `exec` and `serve` share: where is listened, and which rules hold at the start.
struct EmulatorOptions {
  /// The host that only programs of this machine reach, in both address families.
  static let loopback = "localhost"
  /// The port of the official emulator, at which some tests look for it whatever the environment says.
  private static let usualPort: UInt16 = 8080
  /// The port of the official hub.
  private static let usualHub: UInt16 = 4400

  /// The port that is listened to.
  static let port = Option<UInt16>(
    name: "--port", value: "NUMBER", summary: "the port to listen on",
    parsing: { UInt16($0) },
    refusal: { UsageProblem("`\($1)` is a number up to 65535, not `\($0)`") })
  /// The host that is listened to.
  static let host = Option(
    name: "--host", value: "HOST",
    summary: "the host to listen on; beyond localhost, who reaches it can become administrator")
  /// The rules to begin with.
  static let rules = Option(
    name: "--rules", value: "FILE", summary: "the rules to begin with instead of the project's own")
  /// The documents to begin with.
  static let imported = Option(
    name: "--import", value: "DIR",
    summary: "begin with the documents of an export of the Firebase emulator")
  /// The folder that the documents are exported to in the end.
  static let exported = Option(
    name: "--export-on-exit", value: "DIR", isValueOptional: true,
    summary: "export the documents in the end, without DIR to that of --import")
  /// The project that a command is told of.
  static let project = Option(
    name: "--project", value: "ID",
    summary: "the project of GCLOUD_PROJECT; that of .firebaserc by default")

  /// The suite that requests are added to.
  static let record = Option(
    name: "--record", value: "FILE.suite.json",
    summary: "write the requests as a suite, or add them to one that is there")

  /// The path of the suite that requests are added to; nil for none.
  static func recordPath(_ invocation: Invocation, _ option: Option<String>) throws(UsageProblem)
    -> String?
  {
    guard let path = try invocation[option] else { return nil }
    guard path.hasSuffix(SuiteSearch.suffix) else {
      throw UsageProblem(
        "`\(option.name)` needs a suite, \(path) is none",
        help: "the name of a suite ends in \(SuiteSearch.suffix)")
    }
    return path
  }

  /// The port that is named; nil for the usual one.
  let port: UInt16?
  /// The host.
  let host: String
  /// The rules file that is named.
  let rulesPath: String?
  /// The export that the emulator begins with; nil for none.
  let importPath: String?
  /// The folder that the documents are exported to in the end; nil for none.
  let exportPath: String?
  /// The project's configuration.
  let configuration: Configuration

  /// Reads the part of a command line that is about the emulator.
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
    rulesPath = try invocation[Self.rules]
  }

  /// The project that a command is told of: that of the command line, else the default one of the project.
  static func project(_ invocation: Invocation) throws(UsageProblem) -> String {
    if let named = try invocation[Self.project] { return named }
    return try usualProject()
  }

  /// The default project, or one of a name that no project has.
  static func usualProject() throws(UsageProblem) -> String {
    let standard = try standardProject()
    return standard ?? anyProject
  }

  /// The folder of an export in the end: an empty text stands for that of the import.
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

  /// Reads the documents that the emulator begins with; nil if it begins with none, as before the first of
  /// exports to the same folder.
  func seed() throws(UsageProblem) -> EmulatorSeed? {
    guard let importPath else { return nil }
    if importPath == exportPath, FileSystem.kind(of: importPath) == .missing { return nil }
    return try EmulatorSeed(importPath)
  }

  /// Prepares the export in the end; nil if there is none.
  func finalExport(
    of project: String, named name: String? = nil
  ) throws(UsageProblem) -> FinalExport? {
    guard let exportPath else { return nil }
    return try FinalExport(to: exportPath, named: name, of: project)
  }

  /// The port on which tests look for the emulator: that of `firebase.json`, else the official one.
  func expectedPort() throws(UsageProblem) -> UInt16 {
    try FirebaseProject.emulatorPort("firestore") ?? Self.usualPort
  }

  /// The port on which tests look for the hub.
  func expectedHub() throws(UsageProblem) -> UInt16 {
    try FirebaseProject.emulatorPort("hub") ?? Self.usualHub
  }

  /// The name of a project that has none; SDKs look for none in the cloud that begins with `demo-`.
  private static let anyProject = "demo-rules-check"

  /// The default project of the nearest `.firebaserc`; nil if there is none.
  private static func standardProject() throws(UsageProblem) -> String? {
    guard let path = try Configuration.nearest(FirebaseTargets.fileName),
      let bytes = try? FileSystem.read(path)
    else { return nil }
    return FirebaseTargets(SourceText(name: path, bytes: bytes)).standardProject
  }
}
