import RulesEval
import RulesHost
import RulesLang

/// The Firestore part of `firebase.json`: one rules file, or one for each database.
enum FirebaseProject {
  /// The name of the file.
  static let fileName = "firebase.json"

  /// Returns the rules files that a `firebase.json` deploys, without repetitions, in its order; paths are
  /// relative to its folder.
  ///
  /// `firestore` is an object with `rules`, or a list of such objects, one for each database. Other keys are
  /// ignored.
  static func rules(in path: String) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for one in try deployments(in: path) where !paths.contains(one.path) { paths.append(one.path) }
    return paths
  }

  /// The name of a database without a name in the file.
  static let defaultDatabase = "(default)"

  /// Returns the rules of each database, in the order of the file. Throws if there are none.
  static func deployments(
    in path: String
  ) throws(UsageProblem) -> [ProjectRules.Deployment] {
    let found = try deployed(in: path)
    if found.isEmpty { throw none(in: path) }
    return found
  }

  /// Returns the rules of each database; none if the file has no Firestore rules.
  static func deployed(in path: String) throws(UsageProblem) -> [ProjectRules.Deployment] {
    try deployments(in: try text(of: path), at: path) { name in
      FileSystem.kind(of: name) == .file && !FileSystem.isStream(name) ? try? text(of: name) : nil
    }
  }

  /// Returns the port of an emulator in the nearest `firebase.json`; nil if it has none.
  static func emulatorPort(_ name: Text) throws(UsageProblem) -> UInt16? {
    guard let path = try Configuration.nearest(fileName) else { return nil }
    guard let json = try? JSONParser.parse(try text(of: path)),
      case .number(let digits)? = json.member("emulators")?.member(name)?.member("port")?.kind
    else { return nil }
    return UInt16(digits)
  }

  private static func text(of path: String) throws(UsageProblem) -> SourceText {
    do throws(FileProblem) {
      return SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
  }

  /// Returns the rules of each database in a version of the file, in its order; `read` returns the version of
  /// another file, nil if there is none.
  static func deployments(
    in source: SourceText, at path: String, reading read: (String) -> SourceText?
  ) throws(UsageProblem) -> [ProjectRules.Deployment] {
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(source)
    } catch {
      throw problem(error.message, at: error.range, in: source)
    }
    let folder = FilePath.folder(of: path)
    lazy var targets = FirebaseTargets(
      read(FilePath.join(folder, with: FirebaseTargets.fileName)))
    var found: [ProjectRules.Deployment] = []
    for database in try databases(json, in: source) {
      // A database may have only indexes.
      guard let rules = member("rules", of: database.json) else { continue }
      guard case .string(let text) = rules.kind else {
        throw problem(
          "\"rules\" is the path of a file, this is \(rules.kindName)", at: rules.range,
          in: source)
      }
      guard !text.bytes.isEmpty else {
        throw problem("\"rules\" is the path of a file, this is empty", at: rules.range, in: source)
      }
      let file = FilePath.join(folder, with: String(text))
      for name in try names(of: database, targets, in: source) {
        // Databases without a name keep their order.
        let isNamed = database.isInList && member("database", of: database.json) != nil
        if isNamed, let known = found.first(where: { $0.database == name }), known.path != file {
          throw problem(
            "the database \(name) has several rules files: \(known.path) and \(file)",
            at: rules.range, in: source)
        }
        let one = ProjectRules.Deployment(database: name, path: file)
        if !found.contains(one) { found.append(one) }
      }
    }
    return found
  }

  private static func none(in path: String) -> UsageProblem {
    var problem = UsageProblem(
      "\(path) names no Firestore rules",
      help: "it needs {\"firestore\": {\"rules\": \"firestore.rules\"}}",
      code: .configuration)
    problem.file = path
    return problem
  }

  /// Returns the databases of an entry: those of its target, or its own.
  private static func names(
    of entry: (json: JSON, isInList: Bool), _ targets: @autoclosure () -> FirebaseTargets,
    in source: SourceText
  ) throws(UsageProblem) -> [String] {
    // Firebase uses targets only in a list.
    if entry.isInList, let target = member("target", of: entry.json),
      case .string(let text) = target.kind
    {
      let names = targets().databases(of: String(text))
      guard names.isEmpty else { return names }
      throw problem(
        "\(FirebaseTargets.fileName) has no database for the target \(String(text))",
        at: target.range, in: source)
    }
    if case .string(let text)? = member("database", of: entry.json)?.kind { return [String(text)] }
    return [defaultDatabase]
  }

  private static func problem(
    _ message: String, at range: SourceRange, in source: SourceText
  ) -> UsageProblem {
    let place = source.position(of: range.start)
    return UsageProblem(
      "\(source.name):\(place.line):\(place.column): \(message)",
      [Diagnostic(.configuration, severity: .error, message: message, at: range)], in: source)
  }

  private static func databases(
    _ json: JSON, in source: SourceText
  ) throws(UsageProblem) -> [(json: JSON, isInList: Bool)] {
    guard let firestore = member("firestore", of: json) else { return [] }
    var databases = [(json: firestore, isInList: false)]
    if case .array(let several) = firestore.kind {
      databases = several.map { (json: $0, isInList: true) }
    }
    for database in databases {
      guard case .object = database.json.kind else {
        throw problem(
          "\"firestore\" is an object or a list of objects, this is \(database.json.kindName)",
          at: database.json.range, in: source)
      }
    }
    return databases
  }

  private static func member(_ name: String, of json: JSON) -> JSON? { json.member(Text(name)) }
}
