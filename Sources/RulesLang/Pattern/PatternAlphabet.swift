/// A partition of all code points into classes that no set of a pattern tells apart.
///
/// A pattern such as `^[a-z0-9]+@[a-z.]+$` has few: an automaton has one transition a class, not
/// one a code point.
struct PatternAlphabet: Sendable {
  /// The number of a class, dense from 0. A pattern of legal length has fewer than 65,536.
  struct ClassID: Hashable, Sendable {
    /// The number.
    let rawValue: UInt16

    /// Creates the ID of class `number`.
    init(_ number: Int) { rawValue = UInt16(number) }
  }

  /// The first code points of the intervals of the partition, ascending from 0.
  let starts: [UInt32]
  /// The class of each interval.
  private let classes: [ClassID]
  /// The classes of the ASCII characters.
  let ascii: [ClassID]
  /// The number of classes.
  let count: Int
  /// The neighbour that a member of each class is to an assertion. Exact if the newline and the word
  /// characters were among the sets.
  let neighbors: [PatternNeighbor]
  /// The sets, as bits: word `set * stride + class / 64`.
  private let members: [UInt64]
  private let stride: Int

  /// Partitions by `sets`; `separating` are further sets to tell apart.
  /// O(sets × intervals of the partition).
  init(_ sets: [CodePointSet], separating: [CodePointSet]) {
    let starts = Self.boundaries(sets + separating)
    let (classes, count) = Self.classes(of: starts, in: sets + separating)
    var representatives = [UInt32](repeating: 0, count: count)
    for (index, id) in classes.enumerated() { representatives[Int(id.rawValue)] = starts[index] }
    stride = (count + 63) / 64
    var members = [UInt64](repeating: 0, count: sets.count * stride)
    for (number, set) in sets.enumerated() {
      for (id, point) in representatives.enumerated() where set.contains(point) {
        members[number * stride + id / 64] |= 1 << UInt64(id % 64)
      }
    }
    self.starts = starts
    self.classes = classes
    self.count = count
    self.members = members
    neighbors = representatives.map { PatternNeighbor($0) }
    var ascii: [ClassID] = []
    var interval = 0
    for point in 0..<UInt32(128) {
      while interval + 1 < starts.count, starts[interval + 1] <= point { interval += 1 }
      ascii.append(classes[interval])
    }
    self.ascii = ascii
  }

  /// The class of a code point. O(log intervals).
  func classID(of point: UInt32) -> ClassID {
    if point < 128 { return ascii[Int(point)] }
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= point { low = middle } else { high = middle }
    }
    return classes[low]
  }

  /// True if the members of a class are members of a set of the pattern.
  func contains(_ id: ClassID, in set: PatternSyntax.SetID) -> Bool {
    let bit = Int(id.rawValue)
    return members[Int(set.rawValue) * stride + bit / 64] >> UInt64(bit % 64) & 1 != 0
  }

  /// Returns 0 and the code points where membership in any of the sets begins or ends, ascending.
  private static func boundaries(_ sets: [CodePointSet]) -> [UInt32] {
    var points: [UInt32] = [0]
    for set in sets {
      for interval in set.intervals {
        points.append(interval.lower)
        if interval.upper < CodePointSet.maximum { points.append(interval.upper + 1) }
      }
    }
    points.sort()
    var distinct: [UInt32] = []
    for point in points where point != distinct.last { distinct.append(point) }
    return distinct
  }

  /// Partitions the intervals into classes, splitting by each set in turn: the members of a class that are in
  /// the set stay, the others move to a new class.
  private static func classes(
    of starts: [UInt32], in sets: [CodePointSet]
  ) -> (classes: [ClassID], count: Int) {
    var classes = [ClassID](repeating: ClassID(0), count: starts.count)
    var count = 1
    for set in sets {
      // For both answers to "is it a member": the new number of each old class, once met.
      var renamed = [ClassID?](repeating: nil, count: count * 2)
      var next = 0
      var interval = 0
      for (index, start) in starts.enumerated() {
        while interval < set.intervals.count, set.intervals[interval].upper < start {
          interval += 1
        }
        let isMember = interval < set.intervals.count && set.intervals[interval].lower <= start
        let key = Int(classes[index].rawValue) * 2 + (isMember ? 1 : 0)
        if let known = renamed[key] {
          classes[index] = known
        } else {
          classes[index] = ClassID(next)
          renamed[key] = classes[index]
          next += 1
        }
      }
      count = next
    }
    return (classes, count)
  }
}

/// The neighbour on one side of a place in a text, as far as assertions distinguish it.
enum PatternNeighbor: UInt8, Sendable {
  /// Nothing: the text begins or ends here.
  case edge
  /// A line feed.
  case lineFeed
  /// An ASCII letter, digit or underscore.
  case word
  /// Any other code point.
  case other

  /// Classifies a code point.
  init(_ point: UInt32) {
    if point == 0x0A {
      self = .lineFeed
    } else {
      self = NamedClass.word.contains(point) ? .word : .other
    }
  }
}

extension PatternSyntax.Assertion {
  /// True if the condition holds between two neighbours.
  func holds(between before: PatternNeighbor, and after: PatternNeighbor) -> Bool {
    switch self {
    case .beginText: before == .edge
    case .endText: after == .edge
    case .beginLine: before == .edge || before == .lineFeed
    case .endLine: after == .edge || after == .lineFeed
    case .wordBoundary: (before == .word) != (after == .word)
    case .notWordBoundary: (before == .word) == (after == .word)
    }
  }
}
