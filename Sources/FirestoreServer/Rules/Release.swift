import FirestoreTransport
import RulesEval
import RulesLang

/// The rules in force for a database (Docs/Emulator.md, Rules).
struct Release: Sendable {
  /// The effect of rules on requests.
  enum State: Sendable {
    /// No rules: every request is allowed.
    case open
    /// Rules that compile.
    case compiled(Engine)
    /// Rules in force that do not compile: every request, even an administrator's, is refused with this
    /// message.
    case broken(String)
  }

  /// The effect on requests.
  var state: State
  /// The files as they were uploaded.
  var files: [RulesFile]
  /// Errors and warnings of the compiler.
  var issues: [RulesIssue] = []

  /// The state of databases without rules.
  static let open = Release(state: .open, files: [.open])

  private init(state: State, files: [RulesFile]) {
    self.state = state
    self.files = files
  }

  /// Compiles files together as the rules of a database. Rules with errors are `.broken`.
  init(_ files: [RulesFile], database: DatabaseName) {
    self.files = files
    let content = files.map { $0.content }.joined(separator: "\n")
    let name = files.first?.name
    let source = SourceText(name: name ?? "security.rules", content)
    let outcome = Checker.check(source, database: database)
    issues = outcome.diagnostics.filter { $0.severity != .info }
      .map { RulesIssue($0, in: source, file: name) }
    if let checked = outcome.checked {
      state = .compiled(Engine(checked))
    } else {
      let lines = issues.map { $0.text }
      state = .broken("Error compiling rules:\n" + lines.joined(separator: "\n"))
    }
  }

  /// Returns the rules for another database, which shares the compiled program.
  func deployed(to database: DatabaseName) -> Release {
    guard case .compiled(let engine) = state else { return self }
    var release = self
    release.state = .compiled(
      Engine(engine.rules.deployed(to: database), profile: engine.profile))
    return release
  }

  /// The rules; nil if there are none, or none that compile.
  var rules: Checked? {
    switch state {
    case .compiled(let engine): engine.rules
    case .open, .broken: nil
    }
  }

  /// The message that refuses the rules; nil if they compile.
  var refusal: String? {
    switch state {
    case .broken(let message): message
    case .open, .compiled: nil
    }
  }

  /// Throws the status of every request if rules that do not compile are in force.
  func checkUsable() throws(CallStatus) {
    if let refusal { throw CallStatus(.invalidArgument, refusal) }
  }
}
