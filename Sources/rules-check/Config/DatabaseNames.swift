import RulesEval
import RulesHost

/// The databases that rules files are deployed to, for `firebase.json` files with several.
struct DatabaseNames {
  private let deployments: [ProjectRules.Deployment]

  /// Reads what the project deploys, or a `firebase.json` among the operands. Errors of files are ignored:
  /// the search for files reports them.
  init(
    _ operands: [String], of configuration: @autoclosure () throws(UsageProblem) -> Configuration
  ) {
    var projects = operands.filter { FilePath.name(of: $0) == FirebaseProject.fileName }
    if operands.isEmpty, let configuration = try? configuration() {
      projects = configuration.rules.filter { FilePath.name(of: $0) == FirebaseProject.fileName }
      if configuration.rules.isEmpty,
        let nearest = try? Configuration.nearest(FirebaseProject.fileName)
      {
        projects = [nearest]
      }
    }
    deployments = projects.flatMap { path in
      let found = (try? FirebaseProject.deployments(in: path)) ?? []
      return found.count > 1 ? found : []
    }
  }

  /// Returns the databases of a rules file; none if there is only one database.
  func names(of path: String) -> [String] {
    deployments.filter { FileSystem.plain($0.path) == FileSystem.plain(path) }.map { $0.database }
  }
}

extension JSONText {
  /// Returns a report with the databases added to its entries, behind the name of the rules.
  func naming(_ databases: [[String]], in list: String) -> JSONText {
    guard case .object(var members) = self,
      let place = members.firstIndex(where: { $0.0 == list }),
      case .array(let entries) = members[place].1
    else { return self }
    members[place].1 = .array(
      entries.enumerated().map { number, entry in
        number < databases.count ? entry.naming(databases[number]) : entry
      })
    return .object(members)
  }

  /// Returns one entry with its databases added, if there are any.
  func naming(_ databases: [String]) -> JSONText {
    guard !databases.isEmpty, case .object(var members) = self,
      let place = members.lastIndex(where: { ["rules", "new"].contains($0.0) })
    else { return self }
    members.insert(("databases", .array(databases.map { .string($0) })), at: place + 1)
    return .object(members)
  }
}
