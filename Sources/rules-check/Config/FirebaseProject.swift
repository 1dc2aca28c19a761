import RulesEval
import RulesHost
import RulesLang

/// What `firebase.json` says about Firestore rules: one file, or one for each database.
enum FirebaseProject {
  /// The name of the file.
  static let fileName = "firebase.json"

  /// The rules files that a `firebase.json` deploys, each once, in its order; paths are relative to
  /// its folder.
  ///
  /// `firestore` is an object with `rules`, or a list of such objects, one a database. Everything
  /// else in the file belongs to others.
  static func rules(in path: String) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for one in try deployments(in: path) where !paths.contains(one.path) { paths.append(one.path) }
    return paths
  }

  /// What the project calls a database that it does not name.
  static let defaultDatabase = "(default)"

  /// The rules of each database, in the order of the file.
  static func deployments(
    in path: String
  ) throws(UsageProblem) -> [ProjectRules.Deployment] {
    try deployments(in: try text(of: path), at: path)
  }

  /// The rules of each database; none if the file is about other things alone.
  static func deployed(in path: String) throws(UsageProblem) -> [ProjectRules.Deployment] {
    try listed(in: try text(of: path), at: path)
  }

  private static func text(of path: String) throws(UsageProblem) -> SourceText {
    do throws(FileProblem) {
      return SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
  }

  /// The same for a version of the file whose text is at hand.
  static func deployments(
    in source: SourceText, at path: String
  ) throws(UsageProblem) -> [ProjectRules.Deployment] {
    let found = try listed(in: source, at: path)
    if found.isEmpty { throw none(in: path) }
    return found
  }

  private static func listed(
    in source: SourceText, at path: String
  ) throws(UsageProblem) -> [ProjectRules.Deployment] {
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(source)
    } catch {
      throw problem(error.message, at: error.range, in: source, path)
    }
    var found: [ProjectRules.Deployment] = []
    for database in try databases(json, in: source, path) {
      // A database may have indexes alone.
      guard let rules = member("rules", of: database) else { continue }
      guard case .string(let text) = rules.kind else {
        throw problem(
          "\"rules\" is the path of a file, this is \(rules.kindName)", at: rules.range, in: source,
          path)
      }
      guard !text.bytes.isEmpty else {
        throw problem(
          "\"rules\" is the path of a file, this is empty", at: rules.range, in: source, path)
      }
      let file = FilePath.join(FilePath.folder(of: path), with: String(text))
      found.append(ProjectRules.Deployment(database: name(of: database), path: file))
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

  private static func name(of database: JSON) -> String {
    for key in ["database", "target"] {
      if case .string(let text)? = member(key, of: database)?.kind { return String(text) }
    }
    return defaultDatabase
  }

  private static func problem(
    _ message: String, at range: SourceRange, in source: SourceText, _ path: String
  ) -> UsageProblem {
    let place = source.position(of: range.start)
    return UsageProblem(
      "\(path):\(place.line):\(place.column): \(message)",
      [Diagnostic(.configuration, severity: .error, message: message, at: range)], in: source)
  }

  private static func databases(
    _ json: JSON, in source: SourceText, _ path: String
  ) throws(UsageProblem) -> [JSON] {
    guard let firestore = member("firestore", of: json) else { return [] }
    var databases = [firestore]
    if case .array(let several) = firestore.kind { databases = several }
    for database in databases {
      guard case .object = database.kind else {
        throw problem(
          "\"firestore\" is an object or a list of objects, this is \(database.kindName)",
          at: database.range, in: source, path)
      }
    }
    return databases
  }

  private static func member(_ name: String, of json: JSON) -> JSON? {
    guard case .object(let members) = json.kind else { return nil }
    return members.first { String($0.key) == name }?.value
  }
}
