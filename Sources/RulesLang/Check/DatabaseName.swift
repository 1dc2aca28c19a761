/// The name of a Firestore database, as rules see it: `(default)`, `prod`.
///
/// Rules are deployed to one database, and every request that they decide is a request to it. So the name is
/// a constant of each decision (Docs/Language.md §4.5).
public struct DatabaseName: Hashable, Sendable {
  /// The segments above every document of the database: `databases`, the name, `documents`.
  public let root: [Text]

  /// Creates a name.
  public init(_ text: Text) { root = ["databases", text, "documents"] }

  /// The name of a project's default database.
  public static let standard = DatabaseName("(default)")

  /// The empty name, below whose root no path is.
  public static let none = DatabaseName(Text())

  /// Segments of a path above the documents.
  public static let rootCount = 3

  /// Index of the database name in a path.
  public static let place = 1

  /// The name.
  public var text: Text { root[Self.place] }

  /// True if it is the default database.
  public var isStandard: Bool { text == Self.standard.text }

  /// True if a segment of a path names the database; an empty one names `(default)` (Docs/Fidelity.md §11).
  public func isNamed(by segment: Text) -> Bool {
    segment == text || segment.isEmpty && isStandard
  }

  /// Returns the reason why no database can have the name; nil if one can.
  public var problem: String? {
    if text.isEmpty { return "a database name must not be empty" }
    if text.bytes.contains(UInt8(ascii: "/")) {
      return "\"\(String(text))\" is not a database name: it contains a slash"
    }
    return nil
  }

  /// Returns true if both are the same name.
  public static func == (one: DatabaseName, other: DatabaseName) -> Bool {
    one.text == other.text
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Checked {
  /// True if decisions may depend on the name of the database.
  ///
  /// False only if the name is never read: blocks have a wildcard for it, and conditions use that wildcard
  /// only in paths of documents.
  public var dependsOnDatabase: Bool {
    for (index, facts) in matches.enumerated()
    where ruleset.services[ruleset.matches[index].service].name.text == Ruleset.firestoreService {
      guard facts.pattern.count >= DatabaseName.rootCount else { return true }
      for (place, step) in facts.pattern.prefix(DatabaseName.rootCount).enumerated() {
        switch step {
        case .literal(let text):
          if place == DatabaseName.place || text != database.root[place] { return true }
        case .capture: if place != DatabaseName.place { return true }
        case .glob: return true
        }
      }
    }
    var inPaths: Set<ExprID> = []
    for expression in ruleset.expressions {
      guard case .path(let parts) = expression.kind, parts.count > DatabaseName.rootCount else {
        continue
      }
      if case .interpolation(let id) = parts[DatabaseName.place].kind { inPaths.insert(id) }
    }
    return ruleset.expressions.indices.contains { index in
      let id = ExprID(index)
      // The root of a block's path has one wildcard, the first.
      if case .capture(0) = bindings[index] { return !inPaths.contains(id) }
      return looksAtPath(id)
    }
  }

  /// Members whose values are paths, or parts of paths.
  private static let pathNames: [Text] = ["path", "__name__", "segments"]

  /// True if the value of an expression can contain the part of a path with the database name.
  private func looksAtPath(_ id: ExprID) -> Bool {
    switch ruleset[id].kind {
    case .path(let parts):
      guard parts.count > DatabaseName.place else { return true }
      if case .interpolation = parts[DatabaseName.place].kind { return false }
      return true
    case .member(_, let name), .method(_, let name, _): return Self.pathNames.contains(name.text)
    case .literal(.string(let text)): return Self.pathNames.contains(text)
    case .index, .slice: return true
    case .call: return bindings[id.index] == .builtin(.string)
    case .literal, .variable, .list, .map, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .invalid:
      return false
    }
  }
}
