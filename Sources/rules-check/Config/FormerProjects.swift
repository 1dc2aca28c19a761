import RulesHost
import RulesLang

/// Rules that projects elsewhere in a repository deployed at an older revision and no longer deploy: after a
/// folder is renamed, a run in the new folder does not see its former rules.
struct FormerProjects {
  /// The deployments of `firebase.json` files that are gone, or name other databases now.
  private(set) var lost: [ProjectRules.Deployment] = []
  /// Files named `firestore.rules` that are gone and that no project deployed.
  private var undeployed: [String] = []
  /// Errors because of which the deployments of a former project are unknown.
  private(set) var problems: [UsageProblem] = []
  /// The databases of new projects, one entry for each deployment.
  private var successors: [String] = []

  /// Creates an empty list of losses.
  init() {}

  /// Compares all projects of the repository with the present ones, except those of the run.
  init(
    _ history: GitHistory, _ newer: NewerFiles, except own: [String]
  ) throws(UsageProblem) {
    let own = Set(own.map { FilePath.normalized($0) })
    let before = try history.files(called: FirebaseProject.fileName)
    let now = try newer.files(called: FirebaseProject.fileName, since: history)
    var former: Set<String> = []
    for project in before {
      let old: [ProjectRules.Deployment]
      do throws(UsageProblem) {
        old = try ProjectRules.deployed(by: project, at: history) ?? []
      } catch {
        if !now.contains(project) { problems.append(error) }
        continue
      }
      former.formUnion(old.map { FilePath.normalized($0.path) })
      if own.contains(project) { continue }
      // Problems with a present project are reported by a run of that project.
      guard let new = now.contains(project) ? try? newer.deployed(by: project) : [] else {
        continue
      }
      lost += old.filter { one in !new.contains { $0.database == one.database } }
    }
    for project in now where !before.contains(project) && !own.contains(project) {
      successors += ((try? newer.deployed(by: project)) ?? []).map { $0.database }
    }
    for file in try history.files(called: RulesSearch.usualName)
    where !former.contains(file) {
      if try newer.isGone(file) { undeployed.append(file) }
    }
  }

  /// Removes and returns the file that was deployed to a database and is most similar to a text; nil if there
  /// is none.
  mutating func take(
    _ database: String, like text: SourceText?, at history: GitHistory
  ) throws(UsageProblem) -> String? {
    var nearest: (path: String, likeness: Double)?
    let usual = database == FirebaseProject.defaultDatabase ? undeployed : []
    let deployed = lost.filter { $0.database == database }.map { $0.path }
    for path in deployed.isEmpty ? usual : deployed {
      let old = try history.read(path)
      let likeness = old.flatMap { old in text?.likeness(to: old) } ?? 0
      if nearest == nil || likeness > nearest?.likeness ?? 0 { nearest = (path, likeness) }
    }
    guard let nearest else { return nil }
    if let place = lost.firstIndex(where: {
      $0.database == database && $0.path == nearest.path
    }) {
      lost.remove(at: place)
    }
    undeployed.removeAll { $0 == nearest.path }
    return nearest.path
  }

  /// Returns the lost deployments without a successor.
  func unreplaced() -> [ProjectRules.Deployment] {
    var left = successors
    return lost.filter { one in
      guard let place = left.firstIndex(of: one.database) else { return true }
      left.remove(at: place)
      return false
    }
  }
}
