import RulesEval
import RulesLang

/// A decision by rules with the official message and the documents that were looked up.
struct Judgement: Sendable {
  /// The decision.
  var decision: Decision
  /// The official message; nil if the request is allowed.
  var denial: String?
  /// The documents that the rules looked up besides the request's own, stored or not.
  var lookedUp: [DocumentPath]
  /// True if the request is denied before any document was read.
  var isSettledUnread: Bool

  /// The documents that were read to decide: those that the rules looked up, and of a denied request those
  /// that it names.
  var readDocuments: [DocumentPath] {
    if isSettledUnread { return [] }
    let own = denial == nil ? [] : decision.accesses.compactMap { $0.access.document }
    return lookedUp + own
  }

  /// Drops the outcomes of sub-expressions, which take much memory in a log.
  mutating func dropTraces() {
    for access in decision.accesses.indices {
      for tried in decision.accesses[access].tried.indices {
        decision.accesses[access].tried[tried].trace = nil
      }
    }
  }
}

extension Engine {
  /// Decides a request on stored documents.
  ///
  /// No copy of the documents outlives the call, so that the store changes them in place afterwards.
  ///
  /// - Parameters:
  ///   - tracing: True if the decision carries the outcomes of sub-expressions.
  ///   - explaining: True if the message of a denial also explains, after the official line, what would have
  ///     to be different; requires `tracing`.
  func judge(
    _ request: Request, on documents: Documents, tracing: Bool, explaining: Bool
  ) throws(RequestProblem) -> Judgement {
    let prepared = try PreparedRequest(request, on: documents, in: rules.database, profile: profile)
    let (decision, lookedUp) = try decideNotingLookups(prepared, tracing: tracing)
    let official = denial(of: request, decision, prepared, on: documents)
    var text = official?.text
    if explaining, let official {
      text = official.text + DenialText.explanation(of: decision, in: rules)
    }
    return Judgement(
      decision: decision, denial: text, lookedUp: lookedUp,
      isSettledUnread: official?.isSettledUnread == true)
  }

  /// Returns the official message of a decision, and whether the decision was made before any document was
  /// read; nil if the request is allowed.
  ///
  /// The official emulator first evaluates conditions without reading documents: for a request that reads
  /// several documents those of each, for a set without precondition as `create` and as `update`. If an
  /// error, or a grant of one of these two, leaves the request undecided, the emulator evaluates them again,
  /// and the message has the parts of both passes.
  private func denial(
    of request: Request, _ decision: Decision, _ prepared: PreparedRequest,
    on documents: Documents
  ) -> (text: String, isSettledUnread: Bool)? {
    guard !decision.isAllowed, let refused = decision.accesses.last else { return nil }
    if case .get = request.operation {
      let (first, isSettled) = decideUnread(prepared)
      let decisions = first + (isSettled ? [] : [refused])
      return (DenialText.text(of: decisions, in: rules.ruleset), isSettled)
    }
    var first = [decideUnread(refused.access, of: prepared)]
    if let document = refused.access.document, case .commit(let writes) = request.operation,
      let place = writes.firstIndex(where: { $0.path == document }),
      case .none = writes[place].precondition, refused.access.method != .delete
    {
      let variants = [Write.Precondition.missing, .exists].compactMap { precondition in
        unread(document, of: request, writes: writes, at: place, as: precondition, on: documents)
      }
      if variants.count == 2 { first = variants }
    }
    let isSettled = first.allSatisfy { $0.isSettled && !$0.decision.isGranted }
    let decisions = first.map { $0.decision } + (isSettled ? [] : [refused])
    return (DenialText.text(of: decisions, in: rules.ruleset), isSettled)
  }

  /// Returns the first pass over a document of a commit whose first write is given a precondition; nil if
  /// such a commit is impossible.
  private func unread(
    _ document: DocumentPath, of request: Request, writes: [Write], at place: Int,
    as precondition: Write.Precondition, on documents: Documents
  ) -> (decision: AccessDecision, isSettled: Bool)? {
    var writes = writes
    writes[place].precondition = precondition
    var request = request
    request.operation = .commit(writes)
    guard
      let prepared = try? PreparedRequest(
        request, on: documents, in: rules.database, profile: profile),
      let access = prepared.access(to: document)
    else { return nil }
    return decideUnread(access, of: prepared)
  }
}
