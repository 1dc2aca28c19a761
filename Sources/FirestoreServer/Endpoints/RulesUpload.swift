import FirestoreStore
import FirestoreTransport
public import RulesEval
public import RulesLang

/// Writes a report on the coverage of rules, with the file name of the upload.
public typealias CoverageText =
  @Sendable (_ rules: Checked, _ coverage: RuleCoverage, _ name: String?) -> String

/// The endpoint that replaces and shows the rules of a database (Docs/Emulator.md, Rules).
enum RulesUpload {
  /// Replaces rules: `{"rules": {"files": [{"name"?, "content"}]}, "ignore_errors"?: true}`.
  ///
  /// Rules that do not compile leave the old ones in force. With `ignore_errors` they take their place, and
  /// every request is refused.
  static func put(_ body: [UInt8], for id: DatabaseID, _ backend: inout Backend) -> HTTPResponse {
    guard let json = JSON(body: body) else { return .invalidPayload }
    let files = (json.member("rules")?.member("files")?.elements ?? []).map { file in
      RulesFile(
        name: file.member("name")?.text.flatMap { $0.isEmpty ? nil : String($0) },
        content: String(file.member("content")?.text ?? Text()))
    }
    // The status is that of the official emulator.
    guard !files.isEmpty else { return .error(CallStatus(.unknown)) }
    let release = Release(files, database: id.database)
    let ignoresErrors =
      json.member("ignore_errors")?.isTrue ?? json.member("ignoreErrors")?.isTrue ?? false
    if let refusal = release.refusal, !ignoresErrors { return .error(.invalid(refusal)) }
    backend.setRules(release, of: id)
    if release.issues.isEmpty { return .emptyObject }
    return .json(JSONText.object([issues(of: release)]).pretty)
  }

  /// Returns the rules in force.
  static func get(for id: DatabaseID, _ backend: inout Backend) -> HTTPResponse {
    let release = backend.rulebook.release(of: id)
    let files = files(of: release)
    var members: [(String, JSONText)] = [("rules", .object([("files", files)]))]
    if !release.issues.isEmpty { members.append(issues(of: release)) }
    return .json(JSONText.object(members).pretty)
  }

  /// Returns the server owner's report on the coverage of the rules, as JSON or as a page.
  static func coverage(
    of id: DatabaseID, _ backend: inout Backend, as report: CoverageText?, isPage: Bool
  ) -> HTTPResponse {
    guard let report else { return .notFound }
    let release = backend.rulebook.release(of: id)
    guard case .compiled(let engine) = release.state else {
      if isPage { return .plain("There are no rules that compile, so nothing is counted.\n") }
      return .json(JSONText.object([("rules", .object([("files", files(of: release))]))]).pretty)
    }
    let coverage = backend.coverage(of: id) ?? RuleCoverage(engine.rules.ruleset)
    let text = report(engine.rules, coverage, release.files.first?.name)
    return isPage ? .page(text) : .json(text)
  }

  private static func files(of release: Release) -> JSONText {
    let files = release.files.map { file -> JSONText in
      var members: [(String, JSONText)] = []
      if let name = file.name { members.append(("name", .string(name))) }
      members.append(("content", .string(file.content)))
      return .object(members)
    }
    return .array(files)
  }

  private static func issues(of release: Release) -> (String, JSONText) {
    ("issues", .array(release.issues.map { $0.json }))
  }
}
