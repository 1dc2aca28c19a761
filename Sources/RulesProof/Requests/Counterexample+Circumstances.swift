import RulesEval
import RulesLang

extension Counterexample {
  /// Computes the circumstances of all requests, each after those before it.
  mutating func explain(by engine: Engine) {
    if steps.isEmpty {
      circumstances = Circumstances(of: CandidateRequest(self, in: engine.rules.database)) {
        $0.impossibility == nil && engine.decides($0.request, on: $0.documents, as: true)
      }
      return
    }
    let requests = steps + [self]
    let written = requests.map { $0.document }
    var candidate = CandidateRequest(requests[0], in: engine.rules.database)
    // The requests' own documents are named in their sentences.
    let own = candidate.others.filter { written.contains($0.path) || $0.isChanged }
    candidate.others.removeAll { written.contains($0.path) || $0.isChanged }
    let last = self
    let wasDenied = isDenied(to: request.principal, on: steps[0].documents, by: engine)
    var found = Circumstances(of: candidate) { changed in
      var whole = changed
      whole.others += own
      guard whole.impossibility == nil else { return false }
      let asker = last.request.principal
      let principal = asker?.text == whole.principal?.text ? whole.principal : asker
      if wasDenied, !last.isDenied(to: principal, on: whole.documents, by: engine) { return false }
      return requests.areAllowed(by: engine, from: whole.documents, as: whole.principal)
    }
    (found.written, found.time) = ([], nil)
    var later = found
    later.fields = []
    circumstances = later.seen(by: request.principal, of: requests[0].request.principal)
    for place in steps.indices {
      steps[place].circumstances = (place == 0 ? found : later).seen(
        by: steps[place].request.principal, of: requests[0].request.principal)
    }
  }
}

extension Counterexample {
  /// True if the last of several requests is denied to a client on other documents.
  private func isDenied(
    to principal: Principal?, on documents: Documents, by engine: Engine
  ) -> Bool {
    var request = request
    request.principal = principal
    return engine.decides(request, on: documents, as: false)
  }
}

extension Circumstances {
  /// Returns the circumstances of one client: the claims belong to the client of the first request.
  fileprivate func seen(by principal: Principal?, of first: Principal?) -> Circumstances {
    if principal?.text == first?.text { return self }
    var copy = self
    copy.claims = []
    return copy
  }
}

extension Principal {
  /// The user ID, if it is a text.
  fileprivate var text: Text? {
    if case .string(let text) = uid { return text }
    return nil
  }
}

extension [Counterexample] {
  /// True if all requests are allowed one after the other, from what is stored at first and by a client.
  fileprivate func areAllowed(
    by engine: Engine, from documents: Documents, as principal: Principal?
  ) -> Bool {
    var documents = documents
    for one in self {
      var request = one.request
      if request.principal?.text == principal?.text { request.principal = principal }
      guard engine.decides(request, on: documents, as: true) else { return false }
      if case .commit(let writes) = request.operation,
        documents.commit(writes, at: request.time) != nil
      {
        return false
      }
    }
    return true
  }
}

extension Engine {
  /// True if a request can be decided, and is allowed or denied as wanted.
  func decides(_ request: Request, on documents: Documents, as isAllowed: Bool) -> Bool {
    (try? decide(request, on: documents))?.isAllowed == isAllowed
  }
}
