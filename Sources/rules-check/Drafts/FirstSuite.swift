import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesSolver

/// A first suite for a rules file: for each statement requests that it grants, and similar ones that are
/// denied: another user's, one of someone signed out, one with other data. The engine has decided every
/// request.
///
/// No test names a line of the rules, so that the suite still passes after an edit that changes no decision.
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

  /// The tests that were written, without their names.
  private var written: Set<String> = []
  private var names = UniqueNames()

  /// The methods in the order of their tests.
  private static let order: [Method] = [.get, .list, .update, .create, .delete]

  private mutating func add(_ allow: AllowID) {
    let statement = rules.ruleset[allow]
    let service = rules.ruleset.services[rules.ruleset[statement.match].service]
    guard service.name.text == Ruleset.firestoreService else { return }
    let own = rules.methods[allow.index].methods
    let methods = Self.order.filter { own.contains($0) }
    var entry = Entry(allow: allow, title: rules.title(of: allow), tests: [], notes: [])
    if isNever(statement) {
      entry.notes.append("this statement never grants anything")
      for method in methods { addLocked(method, of: allow, to: &entry) }
      entries.append(entry)
      return
    }
    var granted = methods.map { guess(allow, $0) }
    if granted.allSatisfy({ $0 == nil }), let proved = search(allow, methods) {
      granted[methods.firstIndex(of: proved.method) ?? 0] = proved
    }
    if granted.allSatisfy({ $0 == nil }) {
      entry.notes.append("no request was found that this statement grants")
    } else {
      for (method, found) in zip(methods, granted) { add(found, method, of: allow, to: &entry) }
    }
    entries.append(entry)
  }

  /// Adds the tests of one method: what is granted and what is similar and denied, or that nothing is.
  private mutating func add(
    _ found: Granted?, _ method: Method, of allow: AllowID, to entry: inout Entry
  ) {
    guard let found, add(found.sample, expecting: .allow, to: &entry) else {
      return addLocked(method, of: allow, to: &entry)
    }
    let before = entry.tests.count
    var changed = [found.sample]
    for variant in clients(of: found.sample)
    where !addDenied(variant, like: found.sample, to: &entry)
      && variant.sample.request.principal != nil
    {
      changed.append(variant.sample)
    }
    for sample in changed where found.method.isWrite || entry.tests.count == before {
      _ = variants(of: sample).first { addDenied($0, like: sample, to: &entry) }
    }
    if entry.tests.count == before {
      entry.notes.append("no similar \(found.method.word) is denied: is it open to everyone?")
    }
  }

  /// Adds a test that the usual user is denied the simplest request of a method.
  private mutating func addLocked(
    _ method: Method, of allow: AllowID, to entry: inout Entry
  ) {
    guard let sample = SampleRequests(rules, now: now).samples(for: allow, method).first,
      let decision = decide(sample), !decision.isAllowed
    else { return }
    add(sample, expecting: .deny, to: &entry)
  }

  /// Adds a test of a variant, if it is denied.
  @discardableResult
  private mutating func addDenied(
    _ variant: Variant, like sample: SampleRequests.Sample, to entry: inout Entry
  ) -> Bool {
    guard let decision = decide(variant.sample), !decision.isAllowed else { return false }
    func sentence(_ sample: SampleRequests.Sample) -> String {
      RequestSentence.name(sample.request, on: sample.documents, expect: .deny)
    }
    let isTold = sentence(variant.sample) != sentence(sample)
    return add(
      variant.sample, expecting: .deny, differingIn: isTold ? "" : variant.difference, to: &entry)
  }

  /// Adds a test, unless the suite has it. False if the request cannot be expressed as a test.
  @discardableResult
  private mutating func add(
    _ sample: SampleRequests.Sample, expecting expectation: Test.Expectation,
    differingIn difference: String = "", to entry: inout Entry
  ) -> Bool {
    let test = SuiteWriter.test(
      name: "", sample.request, on: sample.documents, expect: expectation)
    guard passes(test) else { return false }
    guard written.insert(JSONText(test).compact).inserted else { return true }
    let name = RequestSentence.name(sample.request, on: sample.documents, expect: expectation)
    entry.tests.append(
      test.renamed { _ in names.unique(difference.isEmpty ? name : name + " " + difference) })
    return true
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

  /// A granted request.
  private struct Granted {
    var method: Method
    var sample: SampleRequests.Sample
  }

  /// Returns a guessed request that is granted, if possible by the statement itself.
  private func guess(_ allow: AllowID, _ method: Method) -> Granted? {
    var other: Granted?
    for sample in SampleRequests(rules, now: now).samples(for: allow, method) {
      guard let decision = decide(sample), decision.isAllowed else { continue }
      let granted = Granted(method: method, sample: sample)
      if decides(allow, decision) { return granted }
      other = other ?? granted
    }
    return other
  }

  /// Returns a request that the statement grants, found by the prover.
  private mutating func search(_ allow: AllowID, _ methods: [Method]) -> Granted? {
    for method in methods {
      guard let example = counterexample(allow, method) else { continue }
      let found = SampleRequests.Sample(request: example.request, documents: example.documents)
      let sample = found.allowedToUsers(by: engine) ?? found
      guard let decision = decide(sample), decision.isAllowed else { continue }
      return Granted(method: method, sample: sample)
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

  /// A request that differs little from a granted one.
  private struct Variant {
    var sample: SampleRequests.Sample
    /// The difference in words, for a name that would not tell it.
    var difference = ""
  }

  /// Returns the request as another user's and as that of someone signed out.
  private func clients(of granted: SampleRequests.Sample) -> [Variant] {
    guard granted.request.principal != nil else { return [] }
    return [Principal(uid: SampleRequests.stranger), nil].map { principal in
      var sample = granted
      sample.request.principal = principal
      return Variant(sample: sample)
    }
  }

  /// Returns variants with another query, other stored documents, or other written data.
  private func variants(of granted: SampleRequests.Sample) -> [Variant] {
    guard case .list(let query) = granted.request.operation else {
      return writtenVariants(of: granted) + storedVariants(of: granted)
    }
    var plain = query
    plain.filter = nil
    plain.limit = nil
    var sample = granted
    sample.request.operation = .list(plain)
    return [Variant(sample: sample, difference: "without filter and limit")]
  }

  /// Returns variants of the request with other stored documents.
  private func storedVariants(of granted: SampleRequests.Sample) -> [Variant] {
    var variants: [Variant] = []
    let own = granted.request.operation.path
    for (path, data) in granted.documents.all {
      for (key, _) in data {
        var copy = granted
        var less = data
        less[key] = nil
        copy.documents[path] = less
        let document = path == own ? "it" : String(path.text)
        let difference = "if \(document) has no \(String(key))"
        variants.append(Variant(sample: copy, difference: difference))
      }
    }
    return variants
  }

  /// Returns variants of the request with other written data.
  private func writtenVariants(of granted: SampleRequests.Sample) -> [Variant] {
    var variants: [Variant] = []
    guard case .commit(let writes) = granted.request.operation, let write = writes.first,
      case .set(let data, let mask) = write.change
    else { return variants }
    func add(_ difference: String, _ change: (inout MapValue) -> Void) {
      var other = data
      change(&other)
      var changed = write
      changed.change = .set(other, mask: mask)
      var sample = granted
      sample.request.operation = .commit([changed])
      variants.append(Variant(sample: sample, difference: difference))
    }
    for (key, _) in data {
      add("without \(String(key))") { $0[key] = nil }
      add("with another \(String(key))") { $0[key] = .list([]) }
    }
    add("with one more field") { $0["unexpected"] = .string("text") }
    return variants
  }
}

extension Checked {
  /// Returns the title of a statement: "allow write on /users/{user}".
  func title(of allow: AllowID) -> String {
    let statement = ruleset[allow]
    let words = statement.operations.map { String($0.text) }.joined(separator: ", ")
    return "allow \(words) on \(matches[statement.match.index].text)"
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

extension Request.Operation {
  /// The document that is read or written by itself; nil for a query or several documents.
  fileprivate var path: DocumentPath? {
    switch self {
    case .get(let paths): paths.count == 1 ? paths[0] : nil
    case .commit(let writes): writes.count == 1 ? writes[0].path : nil
    case .list: nil
    }
  }
}
