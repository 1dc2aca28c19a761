public import RulesLang

/// Reads suites and collects their mistakes.
///
/// Reading goes on after a mistake, so that several are reported at once; a suite with a mistake is not run.
public struct SuiteReader {
  /// The errors so far.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The warnings so far.
  var warnings: [Diagnostic] = []

  /// The number of clients in lists so far.
  var listedAskers = 0
  /// The tests so far without an `as`.
  var unstatedAskers = UnstatedAskers()

  /// True while a token is read, whose whole numbers are ints, however they are written.
  var isReadingClaims = false

  /// The database of paths and references.
  var database: DatabaseName

  /// Creates a reader for a database.
  public init(in database: DatabaseName) { self.database = database }

  /// Maximum errors reported.
  static let maximumMistakes = 100

  /// Records an error.
  mutating func report(_ message: String, at range: SourceRange, help: String? = nil) {
    guard diagnostics.count < Self.maximumMistakes else {
      if diagnostics.count == Self.maximumMistakes {
        diagnostics.append(
          Diagnostic(
            .tooManyErrors, severity: .error, message: "too many mistakes; the rest is not listed",
            at: range))
      }
      return
    }
    diagnostics.append(
      Diagnostic(.suite, severity: .error, message: message, at: range, help: help))
  }

  /// Records a warning about impossible data.
  mutating func warn(_ reason: Impossibility, at range: SourceRange) {
    guard warnings.count < Self.maximumMistakes else {
      if warnings.count == Self.maximumMistakes {
        warnings.append(
          Diagnostic(
            .tooManyErrors, severity: .warning,
            message: "there is more impossible data; the rest is not listed",
            at: range))
      }
      return
    }
    var warning = Diagnostic(
      .impossibleData, severity: .warning, message: reason.sentence, at: range)
    warning.notes = ["Firestore would reject this data before your rules run"]
    warnings.append(warning)
  }

  /// Reads the members of an object; keys that are not known are errors.
  mutating func object(_ json: JSON, as what: String, known: [String]) -> Object? {
    guard case .object(let members) = json.kind else {
      report("\(what) is an object, this is \(json.kindName)", at: json.range)
      return nil
    }
    for place in members.indices where !Self.isKnown(members[place].key, among: known) {
      let key = String(members[place].key)
      let nearest = Spelling.nearest(to: key, among: known)
      report(
        "\(what) has no key \"\(key)\"", at: members[place].keyRange,
        help: ForeignKey.help(for: key, in: what)
          ?? nearest.map { "did you mean \"\($0)\"?" }
          ?? "its keys are \(known.joined(separator: ", "))")
    }
    return Object(members: members, range: json.range)
  }

  // Loops over places, here and below: the elements are not copied then.
  private static func isKnown(_ key: Text, among known: [String]) -> Bool {
    for place in known.indices where key == known[place] { return true }
    return false
  }

  /// Reads a string.
  mutating func string(_ json: JSON, as what: String) -> Text? {
    if case .string(let text) = json.kind { return text }
    report("\(what) is a string, this is \(json.kindName)", at: json.range)
    return nil
  }

  /// Reads a bool.
  mutating func bool(_ json: JSON, as what: String) -> Bool? {
    if case .bool(let flag) = json.kind { return flag }
    report("\(what) is true or false, this is \(json.kindName)", at: json.range)
    return nil
  }

  /// Reads a list.
  mutating func array(_ json: JSON, as what: String) -> [JSON]? {
    if case .array(let elements) = json.kind { return elements }
    report("\(what) is a list, this is \(json.kindName)", at: json.range)
    return nil
  }

  /// Reads an integer.
  mutating func int(_ json: JSON, as what: String) -> Int64? {
    if case .number(let text) = json.kind, let number = Int64(text) { return number }
    report("\(what) is an integer, this is \(json.kindName)", at: json.range)
    return nil
  }

  /// Reads a timestamp in RFC 3339.
  mutating func time(_ json: JSON, as what: String) -> Timestamp? {
    guard let text = string(json, as: what) else { return nil }
    if let time = Timestamp(rfc3339: text) { return time }
    report(
      "\(what) is a time like \"2025-10-21T09:00:00Z\", this is \"\(String(text))\"",
      at: json.range)
    return nil
  }

  /// Reads the path of a document.
  mutating func documentPath(_ text: Text, at range: SourceRange) -> DocumentPath? {
    if let path = DocumentPath(text, in: database), path.isDocument,
      !Self.isOfDatabase(path)
    {
      warnOfPath(path, at: range)
      warnOfPattern(path, at: range)
      return path
    }
    reportNoDocument(text, at: range)
    return nil
  }

  /// Warns of a segment such as `{uid}` or `$(uid)`, which is a variable only in rules.
  mutating func warnOfPattern(_ path: DocumentPath, at range: SourceRange) {
    let pattern = path.segments.first {
      let text = String($0)
      return text.hasPrefix("{") && text.hasSuffix("}")
        || text.hasPrefix("$(") && text.hasSuffix(")")
    }
    guard let pattern, warnings.count < Self.maximumMistakes else { return }
    var warning = Diagnostic(
      .literalVariable, severity: .warning,
      message: "the path contains `\(String(pattern))`: a request names one document, not a "
        + "pattern",
      at: range, help: "name one, as in \"/users/alice\"")
    warning.notes = ["this is a document or collection whose ID has exactly these characters"]
    warnings.append(warning)
  }

  /// Reports a text that is not a path of a document.
  mutating func reportNoDocument(_ text: Text, at range: SourceRange) {
    if reportDatabase(text, at: range) { return }
    report(
      "\"\(String(text))\" is not a document path", at: range,
      help:
        "a document has an even number of segments, none empty: \"/users/alice\"; `list` takes a "
        + "collection")
  }

  /// Reports a path of another database. False if it is none.
  mutating func reportDatabase(_ text: Text, at range: SourceRange) -> Bool {
    guard let path = DocumentPath(text, in: database), Self.isOfDatabase(path) else { return false }
    let named = String(path.segments[DatabaseName.place])
    report(
      "the path is of the database \"\(named)\", and the request is to "
        + "\"\(String(database.text))\"",
      at: range,
      help: "write the path below the database, as in \"/users/alice\", and the database as "
        + "\"database\": \"\(named)\" beside \"rules\", or as --database \(named)")
    return true
  }

  /// True if a path begins with the root of another database.
  static func isOfDatabase(_ path: DocumentPath) -> Bool {
    let root = DatabaseName.standard.root
    return path.segments.count > 2 && path.segments[0] == root[0] && path.segments[2] == root[2]
  }

  /// An object with checked keys.
  struct Object {
    var members: [JSON.Member]
    var range: SourceRange

    subscript(_ key: Text) -> JSON? { member(key)?.value }

    /// Returns the value of a key. The key is a string literal, so that no `Text` has to be made.
    subscript(_ key: String) -> JSON? {
      for place in members.indices where members[place].key == key { return members[place].value }
      return nil
    }

    func member(_ key: Text) -> JSON.Member? { members.first { $0.key == key } }
  }
}
