import RulesEval
import RulesHost

/// Which databases rules files are deployed for, where `firebase.json` has several.
struct DatabaseNames {
  private let deployments: [ProjectRules.Deployment]

  /// Knows what the project deploys, or what a `firebase.json` among the operands does. What cannot be read
  /// is told by who searches for the files.
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

  /// The databases of a rules file; none if there is only one database.
  func names(of path: String) -> [String] {
    deployments.filter { FileSystem.plain($0.path) == FileSystem.plain(path) }.map { $0.database }
  }
}

extension JSONText {
  /// A report with the names of the databases in its entries, behind what the rules are called.
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

  /// One entry with the names of its databases, if there are any.
  func naming(_ databases: [String]) -> JSONText {
    guard !databases.isEmpty, case .object(var members) = self,
      let place = members.lastIndex(where: { ["rules", "new"].contains($0.0) })
    else { return self }
    members.insert(("databases", .array(databases.map { .string($0) })), at: place + 1)
    return .object(members)
  }
}
