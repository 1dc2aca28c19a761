import RulesEval
package import RulesLang

/// A kind of request: method, path length and, for a list, the kind of query. A claim is proved if
/// no kind has a counterexample.
package struct RequestKind: Hashable, Sendable {
  /// The way in which a request reaches a document.
  package enum Access: Hashable, Sendable {
    /// By its path; by a query of its collection; by a query whose filters name the document; by a
    /// query of the collection group below the first `below` segments.
    case document, query, namedQuery
    case group(below: Int)
  }

  /// The method.
  package let method: Method
  /// The way in which the request reaches the document.
  package let access: Access
  /// The segments of the document's path; nil for an arbitrary segment.
  package let path: [Text?]
  /// True if the kind stands for all longer paths, too. These match the same statements; conditions see their
  /// first and last segments, and an unknown path for any part that includes the middle.
  let isOpen: Bool

  /// Returns the kinds of requests in a claim's scope. A path of open length gives one kind for each even
  /// length up to two segments beyond the patterns of claim and rules, of which there may be two versions.
  static func all(of claim: Claim, _ rules: [Checked]) -> [RequestKind] {
    let order: [Method] = [.get, .create, .update, .delete, .list]
    var kinds: [RequestKind] = []
    for method in order where claim.methods.contains(method) {
      // Only writes change fields.
      if !claim.writes.isEmpty, !method.isWrite { continue }
      let paths = paths(of: claim.path, in: rules)
      for path in paths {
        let isOpen = claim.path.steps.contains { $0.isGlob } && path.count == paths.last?.count
        for access in accesses(for: method, at: path) {
          kinds.append(RequestKind(method: method, access: access, path: path, isOpen: isOpen))
        }
      }
    }
    return kinds
  }

  private static func paths(of path: ClaimPath, in rules: [Checked]) -> [[Text?]] {
    let texts = path.steps.map { step -> Text? in
      if case .literal(let text) = step { return text }
      return nil
    }
    guard let glob = path.steps.firstIndex(where: { $0.isGlob }) else { return [texts] }
    let fixed = texts.count - 1
    // Segments below the database root: the longest pattern, and the most before and after a glob.
    // Conditions see the last segment, the ID, without a pattern. The longest path has a segment that
    // nothing sees. For longer paths it is unlike that of any path which conditions look up, as these
    // are of another length.
    var (longest, head, tail) = (fixed, glob, max(fixed - glob, 1))
    for match in rules.flatMap({ $0.matches }) {
      longest = max(longest, match.pattern.count - DatabaseName.rootCount)
      let place = match.pattern.firstIndex { step in
        if case .glob = step { return true }
        return false
      }
      guard let place else { continue }
      head = max(head, place - DatabaseName.rootCount)
      tail = max(tail, match.pattern.count - place - 1)
    }
    let lengths = (fixed...max(longest, head + tail) + 2).filter { $0.isMultiple(of: 2) && $0 > 0 }
    return lengths.map { length in
      texts[..<glob] + Array(repeating: nil, count: length - fixed) + texts[(glob + 1)...]
    }
  }

  private static func accesses(for method: Method, at path: [Text?]) -> [Access] {
    guard method == .list else { return [.document] }
    let groups = stride(from: 0, through: path.count - 2, by: 2).map { Access.group(below: $0) }
    return [.query, .namedQuery] + groups
  }

  /// The kind on a line of a certificate: `update document /users/*`.
  package var line: String {
    let reach =
      switch access {
      case .document: "document"
      case .query: "query"
      case .namedQuery: "named-query"
      case .group(let below): "group.\(below)"
      }
    let path = self.path.map { "/" + ($0.map { ConstantText.escaped($0.bytes) } ?? "*") }
    return method.word + " " + reach + " " + path.joined()
  }
}
