public import FirestoreStore
import FirestoreTransport
import RulesEval
import RulesLang

/// The endpoint that adds the documents of an export to a database (Docs/Emulator.md, Exports).
public enum ImportCall {
  /// The result of reading an export.
  public enum Outcome: Sendable {
    /// The documents.
    case read(Seed)
    /// The reason why they cannot be read.
    case refused(String)
  }

  /// Reads an export, by the path of its `.overall_export_metadata` file.
  public typealias Reader = @Sendable (_ path: String) -> Outcome

  /// The members of a body, with the names of an export's body; one has two spellings.
  private static let members: Set<Text> = ["database", "export_directory", "exportDirectory"]

  /// Adds documents: `{"database": "projects/P/databases/D", "export_directory": FILE}`. From an export of
  /// several databases, those of the database named D are taken, in any project.
  ///
  /// Refused for pages of browsers, because it reads files.
  static func post(
    _ request: HTTPRequest, _ backend: inout Backend, by read: Reader, at now: Timestamp
  ) -> HTTPResponse {
    guard request.value(of: "origin") == nil else {
      return .error(CallStatus(.permissionDenied, "imports are not for pages of browsers"))
    }
    guard let json = JSON(body: request.body), case .object(let given) = json.kind,
      given.allSatisfy({ members.contains($0.key) && $0.value.text != nil })
    else { return .invalidPayload }
    let path = json.member("export_directory") ?? json.member("exportDirectory")
    do throws(Refusal) {
      let id = try DatabaseID(name: json.member("database")?.text ?? Text())
      switch read(String(path?.text ?? Text())) {
      case .refused(let reason): return .error(CallStatus(.invalidArgument, reason))
      case .read(let seed):
        try backend.add(seed, to: id, at: now)
        return .emptyObject
      }
    } catch {
      return .error(CallStatus(error))
    }
  }
}
