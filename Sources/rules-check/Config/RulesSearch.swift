import RulesHost

/// Finding the rules files that a command is about.
enum RulesSearch {
  /// The rules files that operands, or a configuration, name: files, folders that are searched for
  /// `*.rules`, and `firebase.json` for the rules that it deploys. Without operands what the
  /// nearest `firebase.json` names.
  static func files(_ operands: [String]) throws(UsageProblem) -> [String] {
    var names = operands
    if names.isEmpty, let project = Configuration.nearest(FirebaseProject.fileName) {
      names = [project]
    }
    guard !names.isEmpty else {
      throw UsageProblem(
        "there are no rules to check",
        help: "name a rules file; or \"rules\" in \(Configuration.fileName), or a firebase.json")
    }
    var files: [String] = []
    for name in names {
      if FileSystem.kind(of: name) == .folder {
        do throws(FileProblem) {
          files += try FileSystem.files(below: name, suffix: ".rules")
        } catch {
          throw UsageProblem(error)
        }
      } else if FilePath.name(of: name) == FirebaseProject.fileName {
        files += try FirebaseProject.rules(in: name)
      } else {
        files.append(name)
      }
    }
    guard !files.isEmpty else {
      throw UsageProblem("there is no rules file", help: "a folder needs *.rules")
    }
    return files
  }
}
