import RulesEval
import RulesLang

// The kinds of requests that a claim is about: each method, each way to reach a document, and for a
// path with `{x=**}` each length that some pattern can tell apart.

extension ClaimSet {
  /// The kinds of requests, those with the plainest counterexamples first.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    Scenario.all(
      claim.methods, paths(claim.claim.path), rules: rules)
  }

  /// The paths that a claim is about; nil stands for any text.
  private func paths(_ path: ClaimPath) -> [[Text?]] {
    guard let glob = path.steps.firstIndex(where: { $0.isGlob }) else {
      return [path.steps.map { $0.text }]
    }
    let fixed = path.steps.count - 1
    var paths: [[Text?]] = []
    for length in max(fixed, 1)...max(rules.longestPattern, fixed) + 2
    where length.isMultiple(of: 2) {
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

extension Checked {
  /// The number of segments of the longest pattern, below the database root. Longer paths can only
  /// meet patterns with `{x=**}`, which do not tell their lengths apart.
  var longestPattern: Int {
    let longest = matches.map { $0.pattern.count }.max() ?? 0
    return max(0, longest - DocumentPath.root.count)
  }
}

extension Scenario {
  /// The kinds of requests with some methods on some paths.
  static func all(_ methods: [Method], _ paths: [[Text?]], rules: Checked) -> [Scenario] {
    let order: [Method] = [.get, .create, .update, .delete, .list]
    var scenarios: [Scenario] = []
    for method in order where methods.contains(method) {
      for path in paths {
        for access in accesses(method, path) {
          scenarios.append(Scenario(method: method, access: access, path: path))
        }
      }
    }
    return scenarios
  }

  private static func accesses(_ method: Method, _ path: [Text?]) -> [Access] {
    guard method == .list else { return [.document] }
    let groups = stride(from: 0, through: path.count - 2, by: 2).map { Access.group(below: $0) }
    return [.query, .namedQuery] + groups
  }
}
