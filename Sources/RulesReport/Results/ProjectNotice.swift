package import RulesLang

/// A notice about something that a run leaves out, or that the project does not deploy.
package struct ProjectNotice: Sendable {
  /// The kinds of notices.
  package enum Kind: Sendable {
    /// Rules that are deployed, to these databases if there are several, and have no test; suites may have
    /// claims about them.
    case untested(databases: [String], hasClaims: Bool = false)
    /// A suite about rules that a `firebase.json` does not deploy.
    case suiteOfUndeployed(rules: String, project: String, deployed: [String])
    /// Rules that were named and that a `firebase.json` does not deploy.
    case undeployed(project: String, deployed: [String])
    /// Rules that are deployed and that the project's configuration excludes; `read` says from which
    /// command's input.
    case leftOut(configuration: String, read: String)
    /// A suite that has neither a test nor a claim.
    case emptySuite
    /// A folder that was named and contains no suite.
    case noSuite
    /// A suite that was run at an older revision, and is not found any more.
    case removedSuite(revision: String)
    /// Tests and claims that a filter excludes, although the coverage of all is wanted.
    case filtered(count: Int, total: Int)
    /// Rules of another service that were found in a folder, and excluded.
    case foreignService(name: String)
  }

  /// The kind, with its details.
  package var kind: Kind
  /// The file or folder.
  package var file: String

  /// Creates a notice about a file.
  package init(_ kind: Kind, about file: String) {
    self.kind = kind
    self.file = file
  }

  /// The stable name of its kind.
  package var code: String {
    switch kind {
    case .untested: "untested-rules"
    case .leftOut: "unchecked-rules"
    case .suiteOfUndeployed, .undeployed: "undeployed-rules"
    case .emptySuite, .noSuite: "empty-suite"
    case .removedSuite: "removed-suite"
    case .filtered: "filtered-tests"
    case .foreignService: "foreign-service"
    }
  }

  /// The severity.
  package var severity: Diagnostic.Severity {
    switch kind {
    case .untested, .suiteOfUndeployed, .undeployed, .leftOut, .emptySuite, .noSuite,
      .removedSuite, .filtered:
      .warning
    case .foreignService: .info
    }
  }

  /// The message, in one line.
  package var message: String {
    switch kind {
    case .untested(let databases, let hasClaims):
      Self.untested(file, databases, hasClaims: hasClaims)
    case .suiteOfUndeployed(let rules, let project, _):
      "\(file) tests \(rules), which \(project) does not deploy"
    case .undeployed(let project, _): "\(project) does not deploy \(file)"
    case .leftOut(let configuration, let read):
      "\(file) is deployed, but not \(read): \(configuration) names other rules"
    case .emptySuite: "\(file) has no test and no claim"
    case .noSuite: "\(file): there is no suite in this folder"
    case .removedSuite(let revision):
      "\(file) is no longer run: it was a suite of the project at `\(revision)`"
    case .filtered(let count, let total):
      "--filter leaves out \(count) of \(total) tests and claims: the coverage of all of them "
        + "is unknown"
    case .foreignService(let name): "\(file) is skipped: it has rules of `\(name)`"
    }
  }

  /// The advice; nil if the message suffices.
  package var help: String? {
    switch kind {
    case .untested: "rules-check init \(file) writes a first suite"
    case .suiteOfUndeployed(_, _, let deployed), .undeployed(_, let deployed):
      deployed.isEmpty
        ? "it deploys no Firestore rules" : "it deploys \(deployed.joined(separator: ", "))"
    case .leftOut: "add it to \"rules\""
    case .removedSuite:
      "a suite is a file *.suite.json in ./rules, beside the rules, or named in \"suites\""
    case .emptySuite, .noSuite, .filtered, .foreignService: nil
    }
  }

  /// Returns one line that says that rules are deployed and untested.
  static func untested(
    _ file: String, _ databases: [String], hasClaims: Bool = false
  ) -> String {
    let place = databases.isEmpty ? "" : " (\(databases.databaseWords))"
    return "\(file) is deployed\(place) and "
      + (hasClaims ? "has claims, but no test" : "no suite tests it")
  }

  /// The notice as an annotation.
  package var annotation: Annotation {
    var remark = Annotation(file: file, severity: severity, code: code, message: message)
    remark.help = help
    if let help { remark.remarks = ["help: " + help] }
    return remark
  }

  /// Returns the notice with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> ProjectNotice {
    var notice = self
    notice.file = name(file)
    switch kind {
    case .suiteOfUndeployed(let rules, let project, let deployed):
      notice.kind = .suiteOfUndeployed(
        rules: name(rules), project: name(project), deployed: deployed.map { name($0) })
    case .undeployed(let project, let deployed):
      notice.kind = .undeployed(project: name(project), deployed: deployed.map { name($0) })
    case .leftOut(let configuration, let read):
      notice.kind = .leftOut(configuration: name(configuration), read: read)
    case .untested, .emptySuite, .noSuite, .removedSuite, .filtered, .foreignService: break
    }
    return notice
  }
}
