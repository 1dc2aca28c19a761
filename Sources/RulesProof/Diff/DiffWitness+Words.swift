package import RulesEval
import RulesLang

extension DiffWitness {
  /// The request as a clause: "mallory, whose /users/mallory has role 'admin', updates fcmToken of
  /// /users/alice".
  package var sentence: String {
    RequestWords(
      request: request, documents: documents, document: document, method: method, fields: fields,
      circumstances: circumstances
    ).text
  }
}

extension DiffWitness {
  /// Finds the circumstances without which the evaluators would not decide the request differently.
  package mutating func explain(by allowing: Engine, not refusing: Engine) {
    let candidate = CandidateRequest(
      request, on: documents, in: allowing.rules.database, about: document, method: method)
    circumstances = Circumstances(of: candidate) {
      $0.impossibility == nil && $0.isReturned($0.before)
        && allowing.decides($0.request, on: $0.documents, as: true)
        && refusing.decides($0.request, on: $0.documents, as: false)
    }
  }
}
