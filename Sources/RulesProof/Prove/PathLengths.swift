import RulesEval
import RulesLang

// Which lengths of paths have to be looked at where a path may have any (Docs/Proofs.md, assumption 10).
//
// The greatest of them, N, stands for all longer ones, because the question for a longer path is the
// question for N word by word:
//
// - N is more than what has one length has segments: no pattern without `{x=**}` is for N segments or
//   more, and no path that is written out names a document so deep.
// - N has room for the most segments that anything has before `{x=**}` and the most that anything has
//   behind it. So what these stand for are different segments, the same ones counted from their end of
//   the path, whether it is longer or not. To queries the last two are known whatever the patterns are:
//   the collection and the document's ID, which is also `resource.id`.
// - What else a condition could see of the path is all of it: what `{x=**}` stands for, `request.path`,
//   `__name__`, where a query begins. A condition that uses that is found by `PathUses`, one that looks
//   up a document as deep as N by the compiler; the question then stays open.
//
// What is left is the request's own document, whose path is in no other term.

/// The lengths of paths that rules, and the paths of a question, can tell apart.
struct PathLengths: Sendable {
  /// The segments of the longest of what has one length.
  private var fixed = 0
  /// The most segments before `{x=**}` and behind it.
  private var (head, tail) = (0, 0)

  /// Nothing is told apart.
  init() {}

  /// What rules tell apart.
  init(of rules: Checked) { add(rules) }

  /// Adds the patterns of rules, and the paths that are written out in them.
  mutating func add(_ rules: Checked) {
    let root = DocumentPath.root.count
    for match in rules.matches {
      let count = match.pattern.count
      if let glob = match.pattern.firstIndex(where: { $0.isGlob }) {
        add(head: glob - root, tail: count - glob - 1)
      } else {
        fixed = max(fixed, count - root)
      }
    }
    var spliced: [ExprID: Int] = [:]
    for (index, expression) in rules.ruleset.expressions.enumerated() {
      switch expression.kind {
      case .path(let parts):
        let count = parts.reduce(0) { count, part in
          guard case .interpolation(let inner) = part.kind else { return count + 1 }
          return count + (spliced[inner] ?? 1)
        }
        spliced[ExprID(index)] = count
        fixed = max(fixed, count - root)
      case .parenthesized(let inner): spliced[ExprID(index)] = spliced[inner]
      default: break
      }
    }
  }

  /// Adds a path with so many segments before `{x=**}` and behind it.
  mutating func add(head: Int, tail: Int) {
    self.head = max(self.head, head)
    self.tail = max(self.tail, tail)
  }

  /// The length that stands for all greater ones, too.
  var greatest: Int {
    // In version 1 `{x=**}` takes one segment at least.
    let ends = head + max(tail == 0 ? 0 : tail + 1, 2)
    let least = max(fixed + 1, ends)
    return least + least % 2
  }

  /// All lengths of documents' paths of at least so many segments.
  func all(from least: Int) -> [Int] {
    stride(from: max(least + least % 2, 2), through: greatest, by: 2).map { $0 }
  }
}

extension ClaimPath {
  /// The segments before `{x=**}` and behind it; nil if the path has one length.
  var ends: (head: Int, tail: Int)? {
    steps.firstIndex { $0.isGlob }.map { ($0, steps.count - $0 - 1) }
  }
}
