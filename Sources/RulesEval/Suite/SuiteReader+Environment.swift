public import RulesLang

extension SuiteReader {
  /// Reads an environment: a test without expectations, with its own `documents` and `time`.
  ///
  /// - Returns: The environment; nil, with errors, if something in it is wrong, and else with warnings. Its
  ///   database is `database`; if that is nil, the one that the text names.
  public static func readEnvironment(
    _ source: SourceText, now: Timestamp, in database: DatabaseName? = nil
  ) -> (environment: Environment?, diagnostics: [Diagnostic]) {
    var reader = SuiteReader(in: database ?? .standard)
    let environment: Environment?
    do throws(JSONProblem) {
      let json = try JSONParser.parse(source)
      reader.choose(database, of: json)
      environment = reader.environment(json, now: now)
    } catch {
      reader.report(error.message, at: error.range)
      environment = nil
    }
    let isUsable = reader.diagnostics.isEmpty
    return (
      isUsable ? environment : nil,
      (isUsable ? reader.warnings : reader.diagnostics).sortedByPlace()
    )
  }

  private mutating func environment(_ json: JSON, now: Timestamp) -> Environment? {
    let known = Self.testKeys + ["users", "rules", "database", "description"]
    guard let object = object(json, as: "an environment", known: known) else { return nil }
    var context = Context()
    if let users = object["users"] { context.users = self.users(users) }
    let stored = object["documents"].map { documents($0) } ?? []
    let time = object["time"].flatMap { self.time($0, as: "time") } ?? now
    guard let scripted = scripted(object) else { return nil }
    if let unsupported = scripted.unsupported {
      report("UNSUPPORTED: \(unsupported)", at: json.range)
      return nil
    }
    // A name is looked up among users; without any, it is the user ID itself.
    var principal: Principal?
    if context.users.isEmpty, case .string(let uid) = object["as"]?.kind {
      principal = Principal(uid: uid)
      if let asked = object["as"] { warnOfNull(uid, at: asked.range) }
    } else {
      principal = principals(object["as"], in: context).first?.principal
    }
    let request = Request(principal: principal, time: time, operation: scripted.operation)
    return Environment(request, on: Documents(stored), in: database)
  }
}
