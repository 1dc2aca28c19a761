import RulesHost
import RulesLang
import RulesReport

/// Rules files that operands name directly, as opposed to those found in folders.
enum NamedRules {
  /// Returns a notice for each named file that the project does not deploy.
  static func notices(of operands: [String], _ deployed: DeployedRules) -> [ProjectNotice] {
    operands.compactMap { operand in
      let isRules =
        operand != "-" && FileSystem.kind(of: operand) == .file
        && FilePath.name(of: operand) != FirebaseProject.fileName
      guard isRules, let project = deployed.stranger(operand), !isForeign(operand) else {
        return nil
      }
      return ProjectNotice(
        .undeployed(project: project.path, deployed: project.files.map(\.path)), about: operand)
    }
  }

  /// True if a file has rules of another service, which an error says already.
  /// A stream is not read: it has its text only once.
  private static func isForeign(_ path: String) -> Bool {
    let bytes = FileSystem.isStream(path) ? nil : try? FileSystem.read(path)
    return bytes.flatMap { SourceText(name: path, bytes: $0).foreignService } != nil
  }

  /// Returns a notice for each deployed file that the configuration of the project leaves out, so that it is
  /// not `read`: not checked, or not audited.
  static func leftOut(
    of files: [String], _ deployed: DeployedRules, read: String
  ) throws(UsageProblem) -> [ProjectNotice] {
    guard let path = try Configuration.nearest(Configuration.fileName) else { return [] }
    return deployed.files.filter { file in
      !files.contains { FileSystem.isSame($0, file.path) }
    }.map { ProjectNotice(.leftOut(configuration: path, read: read), about: $0.path) }
  }

  /// Returns the service of rules that are skipped: those of another product that were found in a folder.
  /// Rules that an operand names, or that are deployed as Firestore's, are never skipped.
  static func skipped(
    _ source: SourceText, among operands: [String], _ deployed: DeployedRules
  ) -> String? {
    guard let service = source.foreignService else { return nil }
    func isSame(_ path: String) -> Bool { FileSystem.isSame(path, source.name) }
    let isFound = operands.contains { FileSystem.kind(of: $0) == .folder }
    let isMeant = operands.contains(where: isSame) || deployed.files.contains { isSame($0.path) }
    return isFound && !isMeant ? service : nil
  }
}
