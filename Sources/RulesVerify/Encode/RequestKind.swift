import RulesEval
public import RulesLang

/// A kind of request: the method, the length of the path and, for a list, the kind of query. A claim
/// is proved if none of its kinds has a counterexample.
///
/// Where a path may be longer than what the rules tell apart, one kind stands for all lengths from some
/// on: its first segments are the first of the path, those from `cut` on the last, and of what is
/// between them nothing is known, not even whether there is anything. So whatever has these segments
/// among its own is free in its question: what `{x=**}` stands for, `request.path` and `__name__`.
public struct RequestKind: Hashable, Sendable {
  /// How a document is reached.
  public enum Access: Hashable, Sendable {
    /// By its path; by a query of its collection; by a query whose filters name the document; by a
    /// query of the collection group, below the first so many segments.
    case document, query, namedQuery
    case group(below: Int)
  }

  /// The method.
  public let method: Method
  /// How the document is reached.
  public let access: Access
  /// The segments of the document's path: texts, or nil where any text may stand.
  public let path: [Text?]
  /// The place at which longer paths, which are meant, too, have more segments; nil if none are meant.
  public let cut: Int?

  /// The kinds of requests that a claim is about.
  static func all(of claim: Claim, _ rules: Checked) -> [RequestKind] {
    let order: [Method] = [.get, .create, .update, .delete, .list]
    var kinds: [RequestKind] = []
    for method in order where claim.methods.contains(method) {
      // Only writes change fields.
      if !claim.writes.isEmpty, !method.isWrite { continue }
      for (path, cut) in paths(claim.path, rules) {
        for access in accesses(method, path) {
          kinds.append(RequestKind(method: method, access: access, path: path, cut: cut))
        }
      }
    }
    return kinds
  }

  /// The paths of a claim, each with its place for more segments.
  ///
  /// The last kind of an open path has room for the longest pattern before the place and for the most
  /// that any pattern has behind `{x=**}` after it. So each pattern sees the same of all its paths. None
  /// without `{x=**}` is for one of them, and none with `{x=**}` ends before the place.
  private static func paths(_ path: ClaimPath, _ rules: Checked) -> [(path: [Text?], cut: Int?)] {
    let texts = path.steps.map { step -> Text? in
      if case .literal(let text) = step { return text }
      return nil
    }
    guard let glob = path.steps.firstIndex(where: { $0.isGlob }) else { return [(texts, nil)] }
    let fixed = texts.count - 1
    var (longest, behind) = (texts.count, fixed - glob)
    for match in rules.matches {
      longest = max(longest, match.pattern.count - DocumentPath.root.count)
      for (place, step) in match.pattern.enumerated() {
        if case .glob = step { behind = max(behind, match.pattern.count - place - 1) }
      }
    }
    // Two more, for a query always knows the collection.
    let greatest = (longest + behind + 3) / 2 * 2
    let lengths = (max(fixed, 1)...greatest).filter { $0.isMultiple(of: 2) }
    return lengths.map { length in
      let run = Array(repeating: Text?.none, count: length - fixed)
      return (
        texts[..<glob] + run + texts[(glob + 1)...], length == greatest ? longest : nil
      )
    }
  }

  private static func accesses(_ method: Method, _ path: [Text?]) -> [Access] {
    guard method == .list else { return [.document] }
    let groups = stride(from: 0, through: path.count - 2, by: 2).map { Access.group(below: $0) }
    return [.query, .namedQuery] + groups
  }

  /// The kind on a line of a certificate: `update document /users/*`, `get document /*/* or longer 1`.
  public var line: String {
    let reach =
      switch access {
      case .document: "document"
      case .query: "query"
      case .namedQuery: "named-query"
      case .group(let below): "group.\(below)"
      }
    let path = self.path.map { "/" + ($0.map { ConstantText.escaped($0.bytes) } ?? "*") }
    return method.word + " " + reach + " " + path.joined() + (cut.map { " or longer \($0)" } ?? "")
  }
}
