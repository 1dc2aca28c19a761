import RulesEval
import RulesLang
import RulesProof
import RulesSolver

/// A first suite for a rules file: for each statement a request that it grants, and a similar one that is
/// denied. The engine has decided every request.
struct FirstSuite {
  /// The tests for one statement.
  struct Entry {
    /// The statement.
    var allow: AllowID
    /// The title above its tests.
    var title: String
    /// The tests as JSON.
    var tests: [JSON]
    /// Sentences about tests that could not be found.
    var notes: [String]
  }

  private let rules: Checked
  private let engine: Engine
  private let now: Timestamp
  private let limits: QuestionLimits
  private let whole: Budget
  /// The questions to the prover, compiled on first use; nil if they cannot be.
  private lazy var questions: GrantQuestions? = {
    whole.chargeChecking(rules)
    return GrantQuestions(about: rules, profile: engine.profile)
  }()
  /// The statements in order.
  private(set) var entries: [Entry] = []

  /// Finds the tests; where guessing fails, by the prover, within limits.
  init(_ rules: Checked, profile: Profile, now: Timestamp, limits: QuestionLimits) {
    self.rules = rules
    self.now = now
    self.limits = limits
    whole = limits.whole()
    engine = Engine(rules, profile: profile)
    for index in rules.ruleset.allows.indices { add(AllowID(index)) }
  }

  /// The number of tests.
  var testCount: Int { entries.reduce(0) { $0 + $1.tests.count } }

  /// One decided request.
  private struct Found {
    var sample: SampleRequests.Sample
    /// True if the statement in question decided it.
    var isOwn: Bool
  }

  private mutating func add(_ allow: AllowID) {
    let statement = rules.ruleset[allow]
    let service = rules.ruleset.services[rules.ruleset[statement.match].service]
    guard service.name.text == Ruleset.firestoreService else { return }
    let line = rules.ruleset.source.line(of: statement.keyword.start)
    var entry = Entry(allow: allow, title: rules.title(of: allow), tests: [], notes: [])
    let methods = rules.methods[allow.index].methods
    let order: [Method] = [.get, .update, .create, .delete, .list]
    let wanted = order.filter { methods.contains($0) }
    guard !isNever(statement), let (method, granted) = firstGranted(allow, wanted) else {
      entry.notes.append(
        isNever(statement) ? "it never grants anything" : "no request that it grants was found")
      entries.append(entry)
      return
    }
    let name = "line \(line), \(method.word)"
    var test = SuiteWriter.test(
      name: "\(name): granted", granted.sample.request, on: granted.sample.documents,
      expect: .allow)
    if granted.isOwn { test.add("line", JSON(.number("\(line)"))) }
    guard passes(test) else {
      entry.notes.append("no request that it grants was found")
      entries.append(entry)
      return
    }
    entry.tests.append(test)
    let denial = denied(like: granted.sample, method).map { who, denied in
      SuiteWriter.test(
        name: "\(name): not \(who)", denied.request, on: denied.documents, expect: .deny)
    }
    if let denial, passes(denial) {
      entry.tests.append(denial)
    } else {
      entry.notes.append("no request of this method was found that is denied: is it open to all?")
    }
    entries.append(entry)
  }

  private func isNever(_ statement: Allow) -> Bool {
    guard let condition = statement.condition else { return false }
    let root = rules.ruleset.unparenthesized(condition.root)
    return rules.ruleset[root].kind == .literal(.bool(false))
  }

  /// True if a test passes after being read back as part of a suite: not every request can be expressed.
  private func passes(_ test: JSON) -> Bool {
    let suite = JSON(.object([JSON.Member("tests", value: JSON(.array([test])))]))
    let (read, diagnostics) = SuiteReader.read(
      suite, in: SourceText(name: "the first suite", ""), database: rules.database)
    guard let read, !diagnostics.hasErrors, let written = read.tests.first else { return false }
    return engine.run(written, documents: Documents(), now: now).isPassed
  }

  // MARK: Granted

  private mutating func firstGranted(_ allow: AllowID, _ methods: [Method]) -> (Method, Found)? {
    let samples = SampleRequests(rules, now: now)
    var other: (Method, Found)?
    for method in methods {
      for sample in samples.samples(for: allow, method) {
        guard let decision = decide(sample), decision.isAllowed else { continue }
        if decides(allow, decision) { return (method, Found(sample: sample, isOwn: true)) }
        other = other ?? (method, Found(sample: sample, isOwn: false))
      }
    }
    if let other { return other }
    for method in methods {
      guard let example = counterexample(allow, method) else { continue }
      let found = SampleRequests.Sample(request: example.request, documents: example.documents)
      let sample = found.allowedToUsers(by: engine) ?? found
      guard let decision = decide(sample), decision.isAllowed else { continue }
      return (method, Found(sample: sample, isOwn: decides(allow, decision)))
    }
    return nil
  }

  private func decide(_ sample: SampleRequests.Sample) -> Decision? {
    if whole.isSpent { return nil }
    let decision = try? engine.decide(sample.request, on: sample.documents)
    whole.charge(for: decision, by: engine)
    return decision
  }

  private func decides(_ allow: AllowID, _ decision: Decision) -> Bool {
    decision.accesses.contains { $0.isGranted && $0.tried.last?.allow == allow }
  }

  /// Returns a request, found by the prover, that the statement grants for a method.
  private mutating func counterexample(_ allow: AllowID, _ method: Method) -> Counterexample? {
    if whole.isSpent { return nil }
    let questions = questions
    let budget = limits.question(of: whole)
    defer { budget.settle() }
    return questions?.granted(allow, method, within: budget)
  }

  // MARK: Denied

  /// Returns a request that differs little from a granted one and is denied, with the difference in words.
  private func denied(
    like granted: SampleRequests.Sample, _ method: Method
  ) -> (String, SampleRequests.Sample)? {
    for (who, sample) in variants(of: granted) {
      if let decision = decide(sample), !decision.isAllowed { return (who, sample) }
    }
    return nil
  }

  private func variants(
    of granted: SampleRequests.Sample
  ) -> [(String, SampleRequests.Sample)] {
    var variants: [(String, SampleRequests.Sample)] = []
    func add(_ who: String, _ change: (inout SampleRequests.Sample) -> Void) {
      var copy = granted
      change(&copy)
      variants.append((who, copy))
    }
    if granted.request.principal != nil {
      add("by a stranger") {
        $0.request.principal = Principal(uid: SampleRequests.stranger)
      }
      add("signed out") { $0.request.principal = nil }
    }
    if case .list(let query) = granted.request.operation {
      add("without filter and limit") { sample in
        var plain = query
        plain.filter = nil
        plain.limit = nil
        sample.request.operation = .list(plain)
      }
    } else {
      variants += storedVariants(of: granted)
    }
    return variants + writtenVariants(of: granted)
  }

  /// Returns variants of the request with other stored documents.
  private func storedVariants(
    of granted: SampleRequests.Sample
  ) -> [(String, SampleRequests.Sample)] {
    var variants: [(String, SampleRequests.Sample)] = []
    for (path, data) in granted.documents.all {
      for (key, _) in data {
        var copy = granted
        var less = data
        less[key] = nil
        copy.documents[path] = less
        variants.append(("when `\(String(key))` is not stored", copy))
      }
    }
    return variants
  }

  /// Returns variants of the request with other written data.
  private func writtenVariants(
    of granted: SampleRequests.Sample
  ) -> [(String, SampleRequests.Sample)] {
    var variants: [(String, SampleRequests.Sample)] = []
    func add(_ who: String, _ change: (inout SampleRequests.Sample) -> Void) {
      var copy = granted
      change(&copy)
      variants.append((who, copy))
    }
    guard case .commit(let writes) = granted.request.operation, let write = writes.first,
      case .set(let data, let mask) = write.change
    else { return variants }
    func writing(_ data: MapValue) -> Request.Operation {
      var changed = write
      changed.change = .set(data, mask: mask)
      return .commit([changed])
    }
    add("with another field") { sample in
      var more = data
      more["unexpected"] = .string("text")
      sample.request.operation = writing(more)
    }
    for (key, _) in data {
      add("without `\(String(key))`") { sample in
        var less = data
        less[key] = nil
        sample.request.operation = writing(less)
      }
      add("with another `\(String(key))`") { sample in
        var other = data
        other[key] = .list([])
        sample.request.operation = writing(other)
      }
    }
    return variants
  }
}

extension JSON {
  /// Adds a member to an object.
  fileprivate mutating func add(_ key: Text, _ value: JSON) {
    guard case .object(let members) = kind else { return }
    kind = .object(members + [JSON.Member(key, value: value)])
  }
}

extension Checked {
  /// Returns the title of a statement: "line 6: allow write on /users/{user}".
  func title(of allow: AllowID) -> String {
    let statement = ruleset[allow]
    let line = ruleset.source.line(of: statement.keyword.start)
    let words = statement.operations.map { String($0.text) }.joined(separator: ", ")
    return "line \(line): allow \(words) on \(matches[statement.match.index].text)"
  }
}

extension MatchFacts {
  /// The path below the documents, in the notation of rules.
  fileprivate var text: String {
    pattern.dropFirst(DatabaseName.rootCount).reduce("") { text, step in
      switch step {
      case .literal(let literal): text + "/" + String(literal)
      case .capture(let slot): text + "/{\(String(captures[Int(slot)].text))}"
      case .glob(let slot): text + "/{\(String(captures[Int(slot)].text))=**}"
      }
    }
  }
}
