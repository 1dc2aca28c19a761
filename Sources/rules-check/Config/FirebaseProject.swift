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
    let source: SourceText
    let json: JSON
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    do throws(JSONProblem) {
      json = try JSONParser.parse(source)
    } catch {
      let place = source.position(of: error.range.start)
      throw UsageProblem("\(path):\(place.line):\(place.column): \(error.message)")
    }
    var paths: [String] = []
    for database in databases(json) {
      guard let rules = member("rules", of: database), case .string(let text) = rules.kind else {
        continue
      }
      let file = FilePath.join(FilePath.folder(of: path), with: String(text))
      if !paths.contains(file) { paths.append(file) }
    }
    guard !paths.isEmpty else {
      throw UsageProblem(
        "\(path) names no Firestore rules",
        help: "it needs {\"firestore\": {\"rules\": \"firestore.rules\"}}")
    }
    return paths
  }

  private static func databases(_ json: JSON) -> [JSON] {
    guard let firestore = member("firestore", of: json) else { return [] }
    if case .array(let databases) = firestore.kind { return databases }
    return [firestore]
  }

  private static func member(_ name: String, of json: JSON) -> JSON? {
    guard case .object(let members) = json.kind else { return nil }
    return members.first { String($0.key) == name }?.value
  }
}
