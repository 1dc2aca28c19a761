import RulesLang
import RulesSolver

// Why a request is granted by one rules file and not by the other: parts of the conditions that
// are enough for that whatever else the request is like.

/// A part of a condition that holds, or that does not.
struct CubeLiteral {
  /// Which rules file it was found in.
  var side: DiffSide
  /// The node of that file's outline.
  var node: Int
  /// Whether it holds.
  var holds: Bool
  /// The proposition.
  var ref: Ref
}

extension Outline {
  /// Adds to a cube what makes a node hold, or not hold, in the state of a search.
  func justify(
    _ node: Int, holds: Bool, in search: SearchEnd, side: DiffSide, into cube: inout [CubeLiteral]
  ) {
    var done: Set<Int> = []
    justify(node, holds: holds, in: search, side: side, into: &cube, done: &done)
  }

  /// `done` are the nodes that are justified; a node that others share is so once.
  private func justify(
    _ node: Int, holds: Bool, in search: SearchEnd, side: DiffSide, into cube: inout [CubeLiteral],
    done: inout Set<Int>
  ) {
    guard done.insert(2 * node + (holds ? 1 : 0)).inserted else { return }
    let ref = holds ? nodes[node].ref : !nodes[node].ref
    // What holds in every request needs no reason.
    if ref == .yes { return }
    switch nodes[node].form {
    case .leaf, .place, .common:
      if !cube.contains(where: { $0.ref == ref }) {
        cube.append(CubeLiteral(side: side, node: node, holds: holds, ref: ref))
      }
    case .all(let parts) where holds, .any(let parts) where !holds:
      for part in parts {
        justify(part, holds: holds, in: search, side: side, into: &cube, done: &done)
      }
    case .all(let parts), .any(let parts):
      func isSo(_ part: Int) -> Bool { value(of: part, search) == holds }
      func isInCube(_ part: Int) -> Bool {
        let wanted = holds ? nodes[part].ref : !nodes[part].ref
        return cube.contains { $0.ref == wanted }
      }
      let open = parts.filter { isSo($0) }
      if let best = open.first(where: isInCube) ?? open.first {
        justify(best, holds: holds, in: search, side: side, into: &cube, done: &done)
      }
    }
  }

  private func value(of node: Int, _ search: SearchEnd) -> Bool? {
    search.value(of: nodes[node].ref)
  }
}
