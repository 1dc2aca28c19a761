import RulesEval
import RulesLang
import RulesReport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Firestore security rules, for deciding requests with explanations, proving claims about all requests, and
/// running suites.
///
/// ```swift
/// let rules = try Rules(contentsOf: url).storing(["/users/alice": ["fcmToken": "old"]])
/// let request = Rules.Request.update("/users/alice", data: ["fcmToken": "x"], as: "mallory")
/// try rules.require(.deny, request)
/// print(try rules.decide(request))
/// ```
///
/// Each request is decided by itself, on the stored documents: only steps change them for the next one.
/// Nothing reaches the network. A value of this type can be used on several threads at once.
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
  private(set) var documents: [String: Notation] = [:]
  /// The compiler's warnings about the rules.
  public let warnings: [Warning]

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
    guard let checked = outcome.checked else {
      let renderer = TextRenderer()
      let lines = outcome.diagnostics.map { diagnostic in renderer.render(diagnostic, in: source) }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    engine = Engine(checked, profile: profile.known)
    warnings = outcome.diagnostics.map { diagnostic in Warning(diagnostic, in: source) }
  }

  /// Reads the rules in a file, whose name explanations show. Throws their errors, or that the file cannot be
  /// read.
  public init(contentsOf url: URL, profile: Profile = .emulator) throws(Failure) {
    try self.init(
      bytes: try FileText.bytes(of: url), file: url.lastPathComponent, profile: profile)
  }
}

extension Rules {
  /// Returns the rules with these documents stored, which replace stored ones at the same paths.
  public func storing(_ documents: [String: [String: FieldValue]]) -> Rules {
    var other = self
    for (path, fields) in documents { other.documents[path] = FieldValue.object(fields) }
    return other
  }

  /// Returns the rules with these documents stored, whose fields can be variables.
  @_disfavoredOverload
  public func storing(_ documents: [String: [String: (any Encodable)?]]) -> Rules {
    storing(documents.mapValues { fields in FieldValue.fields(fields) })
  }

  /// Returns the rules with a document stored, of the properties of a value.
  public func storing(_ path: String, from value: some Encodable) -> Rules {
    var other = self
    other.documents[path] = FieldValue.object(encoding: value)
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
