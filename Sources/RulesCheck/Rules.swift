import RulesEval
import RulesLang
import RulesReport

/// Firestore security rules, for deciding requests with explanations, proving claims about all requests, and
/// running suites.
///
/// ```swift
/// let rules = try Rules(text, file: "firestore.rules")
///   .storing(["/users/alice": ["fcmToken": "old"]])
/// try rules.expect(.deny, update: "/users/alice", data: ["fcmToken": "x"], as: "mallory")
/// ```
///
/// Each request is decided by itself, on the stored documents: no request changes them for the next one.
/// Nothing reads files or the network. A value of this type can be used on several threads at once.
public struct Rules: Sendable {
  /// The engine to follow where engines differ (Docs/Language.md §16).
  public enum Profile: Sendable {
    /// The official emulator.
    case emulator
    /// The emulator, with the documented limits that it does not enforce.
    case strict
  }

  /// The engine that decides by the rules.
  private(set) var engine: Engine
  /// The stored documents by path, in the notation of suites.
  private(set) var documents: [String: FieldValue] = [:]
  /// The warnings and lint findings about rules that compile, ready to print.
  public let warnings: [String]

  /// Reads rules; `file` is the text's name in explanations. Throws their errors.
  public init(
    _ text: String, file: String = "firestore.rules", profile: Profile = .emulator
  ) throws(Failure) {
    try self.init(bytes: Array(text.utf8), file: file, profile: profile)
  }

  /// Reads rules from the bytes of a file.
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

  /// Returns the rules with these documents stored, which replace stored ones at the same paths.
  public func storing(_ documents: [String: [String: FieldValue]]) -> Rules {
    var other = self
    for (path, fields) in documents {
      other.documents[path] = FieldValue(json: FieldValue.object(fields))
    }
    return other
  }
}

extension Rules.Profile {
  /// The profile of the engine.
  fileprivate var known: Profile {
    switch self {
    case .emulator: .emulator
    case .strict: .strict
    }
  }
}
