import FirestoreServer
import FirestoreStore
import RulesEval
import RulesLang
import RulesReport

/// A request of the history as the live page shows it: as a row, and opened.
struct LiveRequestJSON {
  private let entry: LiveHistory.Entry
  private var call: DecidedCall { entry.call }

  /// Maximum characters of each text in a row. A usual row has 250 bytes with all of its texts; the name of a
  /// document alone may have 6 KiB.
  private static let longestText = 300

  /// Prepares a request.
  init(_ entry: LiveHistory.Entry) { self.entry = entry }

  private static func short(_ text: String) -> JSONText {
    text.unicodeScalars.count > longestText
      ? .string(String(text.prefix(longestText)) + "…") : .string(text)
  }

  private var verdict: String {
    switch call.outcome {
    case .admin: "owner"
    case .open: "open"
    case .allowed: "allow"
    case .denied: "deny"
    case .refused: "error"
    }
  }

  /// The row: client, operation, verdict, and the deciding statement.
  var row: JSONText {
    let (method, path) = call.what
    var members: [(String, JSONText)] = [
      ("id", .int(entry.number)), ("time", .string(call.request.time.description)),
      ("verdict", .string(verdict)), ("who", Self.short(call.who)), ("method", .string(method)),
      ("path", Self.short(path)), ("call", .string(call.method)),
      ("project", .string(String(call.id.project))),
      ("database", .string(String(call.id.database.text))),
    ]
    if let place = call.place {
      members.append(("file", Self.short(place.file)))
      members.append(("line", .int(place.line)))
    }
    return .object(members)
  }

  /// Returns the opened request: the row's texts in full, the reason of a denial, the conditions with the
  /// value of each part, and the request as a test of a suite.
  ///
  /// - Parameter canRecord: True if a test can be added to a file.
  func detail(canRecord: Bool) -> JSONText {
    var members: [(String, JSONText)] = [
      ("row", row), ("who", .string(call.who)), ("path", .string(call.what.path)),
    ]
    if let message = call.message { members.append(("message", .string(message))) }
    if let rules = call.rules, call.decision != nil,
      let traced = try? Engine(rules).decide(call.request, on: call.documents, tracing: true)
    {
      let reason = DenialReason(traced, in: rules)
      members.append(("why", .array(reason.sentences.map { .string($0) })))
      let text = DecisionText(rules, in: .plain).render(traced, indent: "")
      members.append(("picture", .string(String(text.drop { $0 == "\n" }))))
    }
    switch LiveTest(call) {
    case .text(let text):
      members.append(("test", .string(text)))
      members.append(("canRecord", .bool(canRecord)))
    case .none(let reason): members.append(("noTest", .string(reason)))
    }
    return .object(members)
  }
}
