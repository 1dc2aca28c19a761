import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Recorded requests as a suite, both as text and as tests that can be run.
struct RecordedSuite {
  /// The requests, except those that the suite would decide differently.
  let requests: [RequestRecording.Recorded]
  /// The number of excluded requests.
  let leftOut: Int
  /// The time of the suite.
  let time: Timestamp
  /// The suite, ready to run.
  let loaded: LoadedSuite
  private let tests: [JSON]

  /// Creates a suite of a group of requests.
  ///
  /// - Parameters:
  ///   - rules: The path of the rules, for reports.
  ///   - name: The suite's name in reports.
  init(_ group: RequestRecording.Group, rules path: String, named name: String) {
    let time = group.requests.first?.request.time ?? .epoch
    self.time = time
    let kept = group.requests.compactMap { recorded in
      Self.json(recorded, at: time, by: group.engine).map { (recorded, $0) }
    }
    requests = kept.map { $0.0 }
    tests = kept.map { $0.1 }
    leftOut = group.leftOut + group.requests.count - kept.count
    let source = SourceText(
      name: name,
      Self.text(tests, at: time, rules: path, group.engine.rules.database, isEverybodyNamed: false))
    let suite = SuiteReader.read(source, database: group.engine.rules.database).suite
    loaded = LoadedSuite(
      suite?.tests ?? [], in: source, of: suite, rulesPath: path, engine: group.engine)
  }

  /// Returns a request as a test; nil if the test, read back, is not decided as the request was.
  private static func json(
    _ recorded: RequestRecording.Recorded, at time: Timestamp, by engine: Engine
  ) -> JSON? {
    recorded.tests.lazy.map { $0.named(recorded.name) }.first { json in
      let source = SourceText(
        name: "",
        text([json], at: time, rules: "", engine.rules.database, isEverybodyNamed: false))
      let read = SuiteReader.read(source, database: engine.rules.database).suite
      guard let test = read?.tests.first else { return false }
      return engine.run(test, documents: Documents(), now: time).isPassed
    }
  }

  /// Returns the tests that a suite in a file lacks, by name, each with its time unless it is the suite's.
  func tests(notIn suite: Suite, at time: Timestamp?) -> [JSON] {
    let known = Set(suite.tests.map { $0.displayName })
    return zip(requests, self.tests(at: time)).compactMap { recorded, test in
      known.contains(recorded.name) ? nil : test
    }
  }

  /// Returns the tests for a suite with some time, each with its own time unless it is the suite's.
  func tests(at time: Timestamp?) -> [JSON] {
    time == self.time ? tests : tests.map { $0.at(self.time) }
  }

  /// Returns the text of a new suite file; `rules` is the path from its folder.
  func text(rules: String) -> String {
    Self.text(
      tests, at: time, rules: rules, loaded.engine.rules.database, isEverybodyNamed: true)
  }

  private static func text(
    _ tests: [JSON], at time: Timestamp, rules: String, _ database: DatabaseName,
    isEverybodyNamed: Bool
  ) -> String {
    let users = isEverybodyNamed ? users(of: tests) : []
    var lines = ["  \"rules\": \(JSONText.string(rules).compact),"]
    if !database.isStandard {
      lines.append("  \"database\": \(JSONText.string(String(database.text)).compact),")
    }
    lines.append("  \"time\": \(JSONText.string(time.description).compact),")
    if !users.isEmpty {
      let named = users.map { user in
        "\(JSONText.string(String(user.name)).compact): \(JSONText(user.principal).compact)"
      }
      lines.append("  \"users\": {\n    \(named.joined(separator: ",\n    "))\n  },")
    }
    let style = SuiteTestText(users: users, time: time)
    let written = tests.map { "    " + style.text($0) }
    lines.append("  \"tests\": [\n\(written.joined(separator: ",\n"))\n  ]")
    return "{\n" + lines.joined(separator: "\n") + "\n}\n"
  }

  /// Returns the users by ID; for a user with different tokens the first one.
  private static func users(of tests: [JSON]) -> [SuiteTestText.User] {
    var users: [SuiteTestText.User] = []
    for test in tests {
      guard let principal = test.member("as"),
        case .string(let uid)? = principal.member("uid")?.kind,
        !uid.isEmpty, !users.contains(where: { $0.name == uid })
      else { continue }
      users.append(SuiteTestText.User(name: uid, principal: principal))
    }
    return users
  }
}

extension JSON {
  /// Returns a test with another name.
  fileprivate func named(_ name: String) -> JSON {
    setting("name", to: JSON(.string(Text(name))), at: 0)
  }

  /// Returns a test with a time, unless it has one.
  fileprivate func at(_ time: Timestamp) -> JSON {
    member("time") == nil
      ? setting("time", to: JSON(.string(Text(time.description))), at: 2) : self
  }

  private func setting(_ key: Text, to value: JSON, at place: Int) -> JSON {
    guard case .object(var members) = kind else { return self }
    members.removeAll { $0.key == key }
    members.insert(Member(key, value: value), at: min(place, members.count))
    return JSON(.object(members))
  }
}
