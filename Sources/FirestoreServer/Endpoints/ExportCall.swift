public import FirestoreStore
import FirestoreTransport
import RulesEval
import RulesLang

/// The endpoint that writes the documents of a database to files (Docs/Emulator.md, Exports).
public enum ExportCall {
  /// The result of an export.
  public enum Outcome: Sendable {
    /// All files are written.
    case written
    /// The path of the export's parent folder is not that of a folder.
    case noFolder
    /// A file could not be written.
    case failed
  }

  /// Writes an export of a database into an existing folder, under a given name or a generated one.
  public typealias Writer = @Sendable (_ store: Store, _ folder: String, _ name: String?) -> Outcome

  /// The members of a body; some have two spellings.
  private static let members: Set<Text> = [
    "database", "export_directory", "exportDirectory", "export_name", "exportName",
  ]

  /// Writes an export: `{"database": "projects/P/databases/D", "export_directory": …, "export_name"?: …}`.
  ///
  /// Refused for pages of browsers, because it changes files.
  static func post(
    _ request: HTTPRequest, _ backend: Backend, by write: Writer
  ) -> HTTPResponse {
    guard request.value(of: "origin") == nil else {
      return .error(CallStatus(.permissionDenied, "exports are not for pages of browsers"))
    }
    guard let json = JSON(body: request.body), case .object(let given) = json.kind,
      given.allSatisfy({ members.contains($0.key) && $0.value.text != nil })
    else { return .invalidPayload }
    let folder = json.member("export_directory") ?? json.member("exportDirectory")
    let name = json.member("export_name") ?? json.member("exportName")
    do throws(Refusal) {
      let id = try DatabaseID(name: json.member("database")?.text ?? Text())
      switch write(
        backend.store(id), String(folder?.text ?? Text()), name?.text.map { String($0) })
      {
      case .written: return .emptyObject
      case .noFolder:
        return .error(CallStatus(.failedPrecondition, "export_directory must be a directory"))
      case .failed: return .error(CallStatus(.internal, "failed to write export"))
      }
    } catch {
      return .error(CallStatus(error))
    }
  }
}
