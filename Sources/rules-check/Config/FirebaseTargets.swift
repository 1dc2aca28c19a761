import RulesEval
import RulesHost
import RulesLang

/// The databases behind the deploy targets of `firebase.json`, as `.firebaserc` has them:
/// `{"targets": {PROJECT: {"firestore": {TARGET: [DATABASE]}}}}`.
struct FirebaseTargets {
  /// The name of the file.
  static let fileName = ".firebaserc"

  private let json: JSON?

  /// Reads the text of the file; a missing or malformed one has no targets.
  init(_ source: SourceText?) { json = source.flatMap { try? JSONParser.parse($0) } }

  /// The default project; nil if there is none.
  var standardProject: String? {
    guard case .string(let name)? = json?.member("projects")?.member("default")?.kind else {
      return nil
    }
    return String(name)
  }

  /// Returns the databases of a target in the default project; if that has no such target, in any project.
  func databases(of target: String) -> [String] {
    guard let targets = json?.member("targets"), case .object(let projects) = targets.kind else {
      return []
    }
    let standard = standardProject.map { Text($0) }
    var found: [String] = []
    for project in projects {
      guard let list = project.value.member("firestore")?.member(Text(target)),
        case .array(let names) = list.kind
      else { continue }
      let databases = names.compactMap { name -> String? in
        guard case .string(let text) = name.kind else { return nil }
        return String(text)
      }
      if project.key == standard { return databases }
      found += databases.filter { !found.contains($0) }
    }
    return found
  }
}
