import RulesLang

/// A run of a test's steps: what is stored between them, and what has come of them.
///
/// What an allowed write leaves is what the next step finds; a denied request, and a write that
/// Firestore refuses although the rules allow it, leave everything as it was.
struct StepRun {
  private let test: Test
  private let count: Int
  private var results: [TestResult] = []
  private var failures: [String] = []
  /// What is stored now.
  private(set) var documents: Documents
  /// Whether the next step can be run: what a step leaves that cannot be decided is not known.
  private(set) var goesOn = true

  /// Begins with the documents of the test over those of its suite.
  init(of test: Test, on documents: Documents) {
    self.test = test
    self.documents = documents
    for (path, data) in test.documents { self.documents[path] = data }
    if case .steps(let steps) = test.subject { count = steps.count } else { count = 0 }
  }

  /// Goes on to what is stored after a step that was asked at a time.
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

  /// What has come of the test: the decision is that of the step which reports tell of.
  var result: TestResult {
    var result = TestResult(test: test, decision: nil, failures: failures, steps: results)
    result.decision = result.telling.decision
    return result
  }
}

extension TestResult {
  /// The result that reports tell of: of a test with steps, the first one that failed, else the first
  /// one that passed by chance, else the last one; otherwise the result itself.
  public var telling: TestResult { tellingPlace.map { steps[$0] } ?? self }

  /// Which of the steps that is; nil for a test of one request.
  public var tellingPlace: Int? {
    steps.firstIndex { !$0.isPassed } ?? steps.firstIndex { $0.decision?.isByChance == true }
      ?? steps.indices.last
  }
}

extension Write {
  /// What became of a commit in which this write's precondition does not hold.
  fileprivate var sentence: String {
    let state: String
    switch precondition {
    case .exists: state = "is not stored"
    case .missing, .none: state = "is stored already"
    }
    return "\(String(path.text)) \(state): the rules allow the commit, then it fails as a whole"
  }
}
