import RulesLang

/// The run of a test's steps: the stored documents between them, and the results so far.
///
/// An allowed write changes the documents for the next step; a denied request, and a write that Firestore
/// refuses although the rules allow it, change nothing.
struct StepRun {
  private let test: Test
  private let count: Int
  private var results: [TestResult] = []
  private var failures: [String] = []
  /// The documents stored now.
  private(set) var documents: Documents
  /// False after a step that could not be decided, because the stored result is unknown.
  private(set) var goesOn = true

  /// Creates a run that begins with the suite's documents, overridden by those of the test.
  init(of test: Test, on documents: Documents) {
    self.test = test
    self.documents = documents
    for (path, data) in test.documents { self.documents[path] = data }
    if case .steps(let steps) = test.subject { count = steps.count } else { count = 0 }
  }

  /// Adds a step's result, and applies its writes if it was allowed.
  mutating func add(_ result: TestResult, at time: Timestamp) {
    var result = result
    let number = results.count + 1
    if let decision = result.decision {
      if decision.isAllowed, case .operation(.commit(let writes)) = result.test.subject,
        let refused = documents.commit(writes, at: time), writes.count > 1
      {
        result.decision?.notes.append(refused.sentence)
      }
    } else {
      goesOn = false
    }
    let name = count == 1 ? "the step" : "step \(number) of \(count)"
    failures += result.failures.map { "\(name), \(result.test.name): \($0)" }
    if !goesOn, number < count { failures.append("the steps after it were not run") }
    results.append(result)
  }

  /// The result of the whole test; its decision is that of the step that reports show.
  var result: TestResult {
    var result = TestResult(test: test, decision: nil, failures: failures, steps: results)
    result.decision = result.telling.decision
    return result
  }
}

extension TestResult {
  /// The result that reports show: of a test with steps, the first one that failed, else the first one that
  /// passed by chance, else the last one; otherwise the result itself.
  public var telling: TestResult { tellingPlace.map { steps[$0] } ?? self }

  /// The index of that step; nil for a test of one request.
  public var tellingPlace: Int? {
    steps.firstIndex { !$0.isPassed } ?? steps.firstIndex { $0.decision?.isByChance == true }
      ?? steps.indices.last
  }
}

extension Write {
  /// The sentence about a commit that fails because this write's precondition does not hold.
  fileprivate var sentence: String {
    let state: String
    switch precondition {
    case .exists: state = "is not stored"
    case .missing, .none: state = "is stored already"
    }
    return "\(String(path.text)) \(state): the rules allow the commit, then it fails as a whole"
  }
}
