import RulesEncoding
import RulesEval
import RulesLang

// The kinds of requests that a claim is about: each method, each way to reach a document, and for a
// path with `{x=**}` each length that some pattern can tell apart.

extension ClaimSet {
  /// The kinds of requests, those with the plainest counterexamples first.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    let paths = paths(claim.claim.path)
    let isOpen = claim.claim.path.steps.contains { $0.isGlob }
    return Scenario.all(
      with: claim.methods, on: paths, open: isOpen ? paths.last?.count : nil, rules: rules)
  }

  /// The paths that a claim is about, the longest ones last; nil stands for any text.
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

/// How far patterns reach into paths from both ends, in segments below the database root.
///
/// Longer paths only meet patterns with `{x=**}`. Of two such patterns one may say how paths begin and
/// the other one how they end: only where neither reaches into the other can a path meet any two.
struct PathExtent {
  /// The length of the longest pattern, a glob being one segment.
  private var length = 0
  /// The most segments before a glob, and behind one.
  private var head = 0
  private var tail = 0

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

  /// A length that all longer paths are like: documents' paths have an even one.
  var greatestLength: Int { max(length, head + tail) + 2 }
}

extension Checked {
  /// How far the patterns reach, and the paths that are written out.
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
    // A document that is looked up by a path that is written out may be the request's own.
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
  /// The kinds of requests with some methods on some paths; those whose paths have the length `open`
  /// stand for all longer ones.
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
  /// Whether a statement may be about requests of a kind.
  func mayBeAsked(_ scenario: Scenario) -> Bool {
    ruleset.allows.indices.contains { index in
      let facts = matches[ruleset.allows[index].match.index]
      return methods[index].contains(scenario.method) && facts.isReachable
        && facts.mayFit(scenario.path)
    }
  }
}
