// The meaning of a pattern, as a tree in an arena: the parser builds it, the matcher compiles it, and a
// prover turns the same tree into automata. The tree contains nothing of the notation: flags, escapes and
// named classes have become sets of code points.

/// The tree of a pattern (Docs/Language.md §8).
///
/// Children come before their parents in `nodes`; no node is deeper than a few hundred levels.
public struct PatternSyntax: Sendable {
  /// The number of a node.
  public struct NodeID: Hashable, Sendable {
    /// The index into `nodes`.
    public let rawValue: UInt32

    /// Creates the ID of the node at `index`.
    init(_ index: Int) { rawValue = UInt32(index) }
  }

  /// The number of a set in `sets`; equal sets have one number.
  public struct SetID: Hashable, Sendable {
    /// The index into `sets`.
    public let rawValue: UInt32

    /// Creates the ID of the set at `index`.
    init(_ index: Int) { rawValue = UInt32(index) }
  }

  /// The number of a capturing group, from 1 in the order of the opening parentheses.
  public struct GroupID: Hashable, Sendable {
    /// The number; 0 would be the whole match.
    public let rawValue: UInt32

    /// Creates the ID of group `number`.
    init(_ number: Int) { rawValue = UInt32(number) }
  }

  /// A slice of `childIDs`: the operands of an n-ary node.
  public struct Children: Hashable, Sendable {
    /// The index of the first operand in `childIDs`.
    let start: UInt32
    /// The number of operands.
    let count: UInt32
  }

  /// The bounds of a repetition.
  public struct Repetition: Hashable, Sendable {
    /// The least number of times.
    public let minimum: UInt16
    /// The greatest number of times, or nil when there is no limit.
    public let maximum: UInt16?
    /// True if more repetitions are preferred to fewer. No influence on whether a text matches.
    public let isGreedy: Bool
  }

  /// A condition on a place between two code points.
  public enum Assertion: UInt8, Hashable, Sendable {
    /// `\A`, and `^` without the flag `m`.
    case beginText
    /// `\z`, and `$` without the flag `m`.
    case endText
    /// `^` with the flag `m`: the start or just after a line feed.
    case beginLine
    /// `$` with the flag `m`: the end or just before a line feed.
    case endLine
    /// `\b`: exactly one neighbour is an ASCII word character.
    case wordBoundary
    /// `\B`: both neighbours are ASCII word characters, or neither.
    case notWordBoundary
  }

  /// One node.
  public enum Node: Hashable, Sendable {
    /// Matches the empty text.
    case empty
    /// Matches one code point of a set; nothing if the set is empty.
    case set(SetID)
    /// Matches its operands, at least two, one after the other.
    case concatenation(Children)
    /// Matches one of its operands, at least two; the earlier is preferred.
    case alternation(Children)
    /// Matches its operand several times; the operand is never `empty`.
    case repetition(NodeID, Repetition)
    /// Matches its operand and remembers where.
    case capture(NodeID, GroupID)
    /// Matches the empty text where the condition holds.
    case assertion(Assertion)
  }

  /// All nodes, children before parents.
  public internal(set) var nodes: [Node] = []
  /// The operands of the n-ary nodes.
  public internal(set) var childIDs: [NodeID] = []
  /// The distinct sets of code points.
  public internal(set) var sets: [CodePointSet] = []
  /// The names of the groups by number, nil where a group has none; index 0 is the whole match.
  public internal(set) var groupNames: [[UInt8]?] = [nil]
  /// The node of the whole pattern.
  public internal(set) var root = NodeID(0)

  /// Creates an arena without nodes.
  init() {}

  /// The node with a given ID.
  public subscript(id: NodeID) -> Node { nodes[Int(id.rawValue)] }

  /// The set with a given ID.
  public subscript(id: SetID) -> CodePointSet { sets[Int(id.rawValue)] }

  /// The operands of an n-ary node, in order.
  public subscript(children: Children) -> ArraySlice<NodeID> {
    childIDs[Int(children.start)..<Int(children.start + children.count)]
  }

  /// The number of capturing groups.
  public var groupCount: Int { groupNames.count - 1 }

  /// The only character that the pattern matches, with no other text beside it; nil if there is no such
  /// character.
  public var onlyCharacter: UInt32? {
    guard case .set(let set) = self[root], self[set].intervals.count == 1,
      let interval = self[set].intervals.first, interval.lower == interval.upper
    else { return nil }
    return interval.lower
  }

  /// Returns a pattern that matches one character and nothing else, also inside of a class.
  public static func literal(_ point: UInt32) -> Text {
    var bytes: [UInt8] = []
    var rest = point
    repeat {
      let digit = UInt8(rest & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      rest >>= 4
    } while rest > 0
    return "\\x{" + Text(wellFormed: bytes.reversed()) + "}"
  }

  /// Returns, for each node, true if it can match the empty text. O(nodes).
  public func nullableNodes() -> [Bool] {
    var nullable: [Bool] = []
    nullable.reserveCapacity(nodes.count)
    for node in nodes {
      switch node {
      case .empty, .assertion: nullable.append(true)
      case .set: nullable.append(false)
      case .concatenation(let children):
        nullable.append(self[children].allSatisfy { nullable[Int($0.rawValue)] })
      case .alternation(let children):
        nullable.append(self[children].contains { nullable[Int($0.rawValue)] })
      case .repetition(let child, let repetition):
        nullable.append(repetition.minimum == 0 || nullable[Int(child.rawValue)])
      case .capture(let child, _): nullable.append(nullable[Int(child.rawValue)])
      }
    }
    return nullable
  }
}
