import RulesLang

// A test with steps: requests one after the other, each on the documents that those before it left.

extension SuiteReader {
  /// The keys of a test with steps.
  static let sequenceKeys = ["name", "time", "documents", "steps"]
  /// The keys of a step.
  static let stepKeys = testKeys.filter { $0 != "documents" }

  /// Reads a test with steps.
  mutating func sequence(_ json: JSON, in outer: Context) -> Test? {
    // The keys of a request are accepted here, so that a specific message can say where they belong.
    guard
      let object = object(json, as: "a test with steps", known: Self.sequenceKeys + Self.stepKeys),
      let list = object["steps"], let elements = array(list, as: "steps")
    else { return nil }
    for member in object.members {
      let key = String(member.key)
      if Self.stepKeys.contains(key), !Self.sequenceKeys.contains(key) {
        report(
          "\"\(key)\" means nothing beside \"steps\"", at: member.keyRange,
          help: "each step makes a request of its own: move it into a step")
      }
    }
    if elements.isEmpty { report("the test has no step", at: list.range) }
    var context = outer
    if let own = object["documents"] { context.documents += documents(own) }
    if let own = object["time"].flatMap({ time($0, as: "time") }) { context.time = own }
    let given = object["name"].flatMap { string($0, as: "name") }.map { String($0) }
    let steps = self.steps(elements, in: context)
    guard let last = steps.last, steps.count == elements.count else { return nil }
    let name = given ?? Self.name(of: steps)
    return Test(
      name: name, groups: context.groups, principalName: nil, documents: context.documents,
      subject: .steps(steps.map { $0.inside(name) }), principal: nil, time: context.time,
      verb: "steps", path: last.path, expectation: last.expectation, expectedLine: nil,
      expectsErrors: nil, unsupported: nil, range: json.range)
  }

  /// Returns the name of a test with steps that was given none.
  private static func name(of steps: [Test]) -> String {
    guard let first = steps.first, steps.count > 2 else {
      return steps.map { $0.name }.joined(separator: ", then ")
    }
    return "\(first.name), then \(steps.count - 1) more steps"
  }

  /// Reads the steps, in order. A step without a time has that of the step before it.
  private mutating func steps(_ elements: [JSON], in outer: Context) -> [Test] {
    var context = outer
    context.documents = []
    return elements.compactMap { element -> Test? in
      guard let step = step(element, in: context) else { return nil }
      context.time = step.time
      return step
    }
  }

  private mutating func step(_ json: JSON, in context: Context) -> Test? {
    let known = Self.stepKeys + ["documents", "steps"]
    guard let object = object(json, as: "a step", known: known) else { return nil }
    if let own = object.member("documents") {
      report(
        "a step stores no documents of its own", at: own.keyRange,
        help:
          "put what is stored before the first step beside \"steps\"; every later step finds "
          + "what the earlier ones left")
    }
    if let inner = object.member("steps") {
      report(
        "a step has no steps of its own", at: inner.keyRange,
        help: "write them one after the other")
      return nil
    }
    if let asked = object["as"], case .array = asked.kind {
      report(
        "a step has one client, this is a list", at: asked.range,
        help: "write a step for each of them")
      return nil
    }
    if object["as"] == nil, let askers = context.askers, askers.count > 1 {
      report(
        "a step has one client, but the group names \(askers.count)", at: object.range,
        help: "name the client in the step: \"as\"")
      return nil
    }
    return tests(object, as: "step", in: context).first
  }
}

extension Test {
  /// Returns the test as a step of the test with a name.
  fileprivate func inside(_ name: String) -> Test {
    var step = self
    step.groups.append(name)
    return step
  }
}
