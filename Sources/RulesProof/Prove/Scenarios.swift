import RulesEval
import RulesLang

// The kinds of requests that a claim is about: each method, each way to reach a document, and for a
// path with `{x=**}` each length that can be told apart.

extension ClaimSet {
  /// The kinds of requests, those with the plainest counterexamples first.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    Scenario.all(claim.methods, paths(claim.claim.path))
  }

  /// The paths that a claim is about; nil stands for any text.
  private func paths(_ path: ClaimPath) -> [[Text?]] {
    let texts = path.steps.map { $0.text }
    guard let (head, tail) = path.ends else { return [texts] }
    return lengths(of: path).all(from: head + tail).map { length in
      texts[..<head] + Array(repeating: nil, count: length - head - tail) + texts[(head + 1)...]
    }
  }

  /// The lengths that the rules and a path with `{x=**}` tell apart.
  private func lengths(of path: ClaimPath) -> PathLengths {
    var lengths = self.lengths
    if let (head, tail) = path.ends { lengths.add(head: head, tail: tail) }
    return lengths
  }

  /// Whether the paths of a kind stand for all longer ones, too, of which a claim speaks.
  func standsForLonger(_ scenario: Scenario, _ claim: CompiledClaim) -> Bool {
    let path = claim.claim.path
    return path.ends != nil && scenario.path.count == lengths(of: path).greatest
  }
}

extension ClaimPath.Step {
  /// The text of a literal; nil for a wildcard.
  var text: Text? {
    if case .literal(let text) = self { return text }
    return nil
  }
}

extension Scenario {
  /// The kinds of requests with some methods on some paths.
  static func all(_ methods: [Method], _ paths: [[Text?]]) -> [Scenario] {
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
