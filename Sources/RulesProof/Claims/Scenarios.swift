import RulesEncoding
import RulesEval
import RulesLang

// The kinds of requests in a claim's scope: each method, each way to reach a document, and for a
// path with `{x=**}` each length that patterns can distinguish.

extension ClaimSet {
  /// Returns the kinds of requests, those with the simplest counterexamples first.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    let paths = paths(claim.claim.path)
    let isOpen = claim.claim.path.steps.contains { $0.isGlob }
    return Scenario.all(
      with: claim.methods, on: paths, open: isOpen ? paths.last?.count : nil, rules: rules)
  }

  /// Returns the paths of a claim by length; nil stands for any segment.
  private func paths(_ path: ClaimPath) -> [[Text?]] {
    guard let glob = path.steps.firstIndex(where: { $0.isGlob }) else {
      return [path.steps.map { $0.text }]
    }
    let fixed = path.steps.count - 1
    var extent = rules.extent
    extent.add(length: fixed, head: glob, tail: fixed - glob)
    var paths: [[Text?]] = []
    for length in max(fixed, 1)...extent.greatestLength where length.isMultiple(of: 2) {
      let run = Array(repeating: Text?.none, count: length - fixed)
      let head = path.steps[..<glob].map { $0.text }
      let tail = path.steps[(glob + 1)...].map { $0.text }
      paths.append(head + run + tail)
    }
    return paths
  }
}

extension ClaimPath.Step {
  /// The text of a literal; nil for a wildcard.
  var text: Text? {
    if case .literal(let text) = self { return text }
    return nil
  }
}

/// The reach of patterns from both ends of paths, in segments below the database root.
///
/// Longer paths only match patterns with `{x=**}`. Two of these may constrain the beginning and the
/// end of a path; only where these ranges do not overlap can a path match any two of them.
struct PathExtent {
  /// The length of the longest pattern, counting a glob as one segment.
  private var length = 0
  /// The most segments before a glob.
  private var head = 0
  /// The most segments after a glob that conditions see. They see the last one, the ID, without a pattern.
  private var tail = 1

  /// Adds a pattern.
  mutating func add(length: Int, head: Int, tail: Int) {
    self.length = max(self.length, length)
    self.head = max(self.head, head)
    self.tail = max(self.tail, tail)
  }

  /// Adds other patterns.
  mutating func add(_ other: PathExtent) {
    add(length: other.length, head: other.head, tail: other.tail)
  }

  /// The greatest length that is examined. The longest even length within it represents all longer
  /// paths, since document paths have an even length. It has a segment that nothing sees. For longer
  /// paths it is unlike that of any path which conditions look up, as these are of another length.
  var greatestLength: Int { max(length, head + tail) + 2 }
}

extension Checked {
  /// The reach of all patterns, and the lengths of path literals.
  var extent: PathExtent {
    var extent = PathExtent()
    let root = DatabaseName.rootCount
    for match in matches {
      let pattern = match.pattern
      let glob = pattern.firstIndex { $0.isGlob }
      extent.add(
        length: pattern.count - root, head: (glob ?? root) - root,
        tail: glob.map { pattern.count - $0 - 1 } ?? 0)
    }
    // A document looked up by a path literal may be the request's own.
    var spliced: [ExprID: Int] = [:]
    for (index, expression) in ruleset.expressions.enumerated() {
      switch expression.kind {
      case .path(let parts):
        let count = parts.reduce(0) { count, part in
          guard case .interpolation(let inner) = part.kind else { return count + 1 }
          return count + (spliced[inner] ?? 1)
        }
        spliced[ExprID(index)] = count
        extent.add(length: count - root, head: 0, tail: 0)
      case .parenthesized(let inner): spliced[ExprID(index)] = spliced[inner]
      default: break
      }
    }
    return extent
  }
}

extension Scenario {
  /// Returns the kinds of requests with some methods on some paths. Paths of length `open` stand
  /// for all longer ones.
  static func all(
    with methods: [Method], on paths: [[Text?]], open: Int?, rules: Checked
  ) -> [Scenario] {
    let order: [Method] = [.get, .create, .update, .delete, .list]
    var scenarios: [Scenario] = []
    for method in order where methods.contains(method) {
      for path in paths {
        for access in accesses(with: method, on: path) {
          scenarios.append(
            Scenario(method: method, access: access, path: path, isOpen: path.count == open))
        }
      }
    }
    return scenarios
  }

  private static func accesses(with method: Method, on path: [Text?]) -> [Access] {
    guard method == .list else { return [.document] }
    let groups = stride(from: 0, through: path.count - 2, by: 2).map { Access.group(below: $0) }
    return [.query, .namedQuery] + groups
  }
}

extension Checked {
  /// True if a statement may match requests of the kind.
  func mayBeAsked(_ scenario: Scenario) -> Bool {
    ruleset.allows.indices.contains { index in
      let facts = matches[ruleset.allows[index].match.index]
      return methods[index].contains(scenario.method) && facts.isReachable
        && facts.mayFit(scenario.path)
    }
  }
}
