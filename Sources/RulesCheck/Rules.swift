import RulesEval
import RulesLang
import RulesReport

/// Firestore security rules that can be asked: what they say to a request and why, what holds for all
/// requests, and whether suites pass.
///
/// ```swift
/// let rules = try Rules(text, file: "firestore.rules")
///   .storing(["/users/alice": ["fcmToken": "old"]])
/// try rules.expect(.deny, update: "/users/alice", data: ["fcmToken": "x"], as: "mallory")
/// ```
///
/// Each request is decided by itself, on what is stored: none changes it for the next. Nothing reads
/// files or the network. A value of this type can be used on several threads at once.
public struct Rules: Sendable {
  /// Whose behaviour is followed where engines differ (Docs/Language.md §16).
  public enum Profile: Sendable {
    /// The official emulator.
    case emulator
    /// The emulator, and the documented limits that it does not enforce.
    case strict
  }

  /// Decides by the rules.
  private(set) var engine: Engine
  /// What is stored, in the notation of suites, by path.
  private(set) var documents: [String: FieldValue] = [:]
  /// What is to be known of rules that compile: warnings and lint, ready to print.
  public let warnings: [String]

  /// Reads rules; `file` is what explanations call the text. Throws what is wrong with them.
  public init(
    _ text: String, file: String = "firestore.rules", profile: Profile = .emulator
  ) throws(Failure) {
    try self.init(bytes: Array(text.utf8), file: file, profile: profile)
  }

  /// Reads rules as a file has them.
  public init(
    bytes: [UInt8], file: String = "firestore.rules", profile: Profile = .emulator
  ) throws(Failure) {
    let source = SourceText(name: file, bytes: bytes)
    let outcome = Checker.checkFirestore(source, profile: profile.known)
    let renderer = TextRenderer()
    guard let checked = outcome.checked else {
      let lines = outcome.diagnostics.map { diagnostic in renderer.render(diagnostic, in: source) }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    engine = Engine(checked, profile: profile.known)
    warnings = outcome.diagnostics.map { diagnostic in renderer.render(diagnostic, in: source) }
  }

  /// Returns these rules as deployed to a database.
  func deployed(to database: DatabaseName) -> Rules {
    var other = self
    other.engine = Engine(engine.rules.deployed(to: database), profile: engine.profile)
    return other
  }

  /// The same rules with these documents stored besides those that are, in whose place they come.
  public func storing(_ documents: [String: [String: FieldValue]]) -> Rules {
    var other = self
    for (path, fields) in documents {
      other.documents[path] = FieldValue(json: FieldValue.object(fields))
    }
    return other
  }
}

extension Rules.Profile {
  /// The profile as the engine knows it.
  fileprivate var known: Profile {
    switch self {
    case .emulator: .emulator
    case .strict: .strict
    }
  }
}
