import RulesEval
import RulesHost
import RulesLang

/// The emulator's answers to trials. Rules and documents that are already in place are not sent again.
final class EmulatorSide {
  private let client: EmulatorClient
  private var rules: String?
  private var compilation: EmulatorClient.Compilation?
  private var documents: String?

  /// Uses a project of an emulator that nothing else uses.
  init(_ client: EmulatorClient) { self.client = client }

  /// Uploads rules, which also resets the coverage.
  func compile(_ text: String) throws(EmulatorClient.Problem) -> EmulatorClient.Compilation {
    let result = try client.setRules(text)
    rules = text
    compilation = result
    return result
  }

  /// Resets the coverage with the next trial.
  func forget() { rules = nil }

  /// Returns the answer to a trial, without the outcomes of expressions; nil if the emulator fails on the
  /// rules.
  func ask(
    _ trial: Trial, question: Trial.Question
  ) throws(EmulatorClient.Problem) -> Answer? {
    if rules != trial.rules || compilation == nil { _ = try compile(trial.rules) }
    if let compilation, compilation.hasFailed { return nil }
    guard compilation?.isAccepted == true else { return Answer(verdict: .rejected) }
    try store(question.documents, of: trial)
    let verdict = try client.ask(question.operation, as: question.principal)
    switch verdict {
    case .allow:
      if case .commit = question.operation { documents = nil }
      return Answer(verdict: .allow)
    case .deny(let message): return Answer(verdict: .deny, messages: [message])
    case .refused(let message): return Answer(verdict: .refused, messages: [message])
    }
  }

  private func store(
    _ stored: Documents, of trial: Trial
  ) throws(EmulatorClient.Problem) {
    let wanted = JSONText.object(trial.documents.map { ($0.path, $0.data) }).compact
    if documents == wanted { return }
    try client.clear()
    try client.store(stored.all.map { ($0.path, $0.data) })
    documents = wanted
  }

  /// Returns the outcomes of expressions since the rules were uploaded.
  func coverage() throws(EmulatorClient.Problem) -> Coverage? { try client.coverage() }
}
