import RulesLang
import RulesSolver

// Cubes: sets of condition literals that suffice for one file to grant a request and the other to
// deny it, whatever else the request contains.

/// A literal of a cube: the proposition of an outline's node, or its negation.
struct CubeLiteral {
  /// The rules file that the part belongs to.
  var side: DiffSide
  /// The index of the node in that file's outline.
  var node: Int
  /// True if the node's proposition holds. A part of a condition that is not true may be false or an
  /// error.
  var holds: Bool
  /// The literal: the node's proposition, negated unless `holds`.
  var ref: Ref
}

extension Outline {
  /// Adds literals to the cube that imply the node's truth value in the given model.
  func justify(
    _ node: Int, holds: Bool, in search: SearchResult, side: DiffSide,
    into cube: inout [CubeLiteral]
  ) {
    var done: Set<Int> = []
    justify(node, holds: holds, in: search, side: side, into: &cube, done: &done)
  }

  /// Adds the literals of a node once; `done` holds the nodes already justified, with their
  /// polarity.
  private func justify(
    _ node: Int, holds: Bool, in search: SearchResult, side: DiffSide,
    into cube: inout [CubeLiteral],
    done: inout Set<Int>
  ) {
    guard done.insert(2 * node + (holds ? 1 : 0)).inserted else { return }
    let ref = holds ? nodes[node].ref : !nodes[node].ref
    // A proposition that is constantly true needs no literal.
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

  private func value(of node: Int, _ search: SearchResult) -> Bool? {
    search.value(of: nodes[node].ref)
  }
}
