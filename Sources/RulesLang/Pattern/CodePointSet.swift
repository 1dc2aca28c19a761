/// A set of code points, lone surrogates included: sorted, disjoint, non-adjacent closed ranges.
///
/// The representation is canonical, so equal sets compare and hash equal.
public struct CodePointSet: Hashable, Sendable {
  /// The code points from `lower` to `upper`, both included.
  public struct Interval: Hashable, Sendable {
    /// The first code point.
    public var lower: UInt32
    /// The last code point; never less than `lower`.
    public var upper: UInt32

    /// Creates the interval `lower...upper`; the caller keeps them in order.
    public init(from lower: UInt32, through upper: UInt32) {
      self.lower = lower
      self.upper = upper
    }
  }

  /// The intervals, ascending, with a gap of at least one code point between neighbours.
  public private(set) var intervals: [Interval]

  /// The largest code point.
  public static let maximum: UInt32 = 0x10FFFF

  /// The set without members.
  public static let empty = CodePointSet(canonical: [])

  /// Every code point.
  public static let all = CodePointSet(from: 0, through: maximum)

  /// Creates the set of one code point.
  public init(_ codePoint: UInt32) { intervals = [Interval(from: codePoint, through: codePoint)] }

  /// Creates the set of the code points from `lower` to `upper`, in order.
  public init(from lower: UInt32, through upper: UInt32) {
    intervals = [Interval(from: lower, through: upper)]
  }

  /// Creates the union of intervals in any order, which may overlap. O(n log n).
  public init(_ unordered: [Interval]) {
    intervals = []
    intervals.reserveCapacity(unordered.count)
    for interval in unordered.sorted(by: { $0.lower < $1.lower }) {
      guard let last = intervals.last, interval.lower <= last.upper + 1 else {
        intervals.append(interval)
        continue
      }
      if interval.upper > last.upper { intervals[intervals.count - 1].upper = interval.upper }
    }
  }

  /// Creates a set from intervals that already satisfy the invariant.
  init(canonical intervals: [Interval]) { self.intervals = intervals }

  /// True if there are no members.
  public var isEmpty: Bool { intervals.isEmpty }

  /// True if `codePoint` is a member. O(log intervals).
  public func contains(_ codePoint: UInt32) -> Bool {
    var low = 0
    var high = intervals.count
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].upper < codePoint { low = middle + 1 } else { high = middle }
    }
    return low < intervals.count && intervals[low].lower <= codePoint
  }
}

extension CodePointSet {
  /// The code points that are not members. O(intervals).
  public var complement: CodePointSet {
    var result: [Interval] = []
    result.reserveCapacity(intervals.count + 1)
    var next: UInt32 = 0
    for interval in intervals {
      if interval.lower > next { result.append(Interval(from: next, through: interval.lower - 1)) }
      next = interval.upper + 1
    }
    if next <= Self.maximum { result.append(Interval(from: next, through: Self.maximum)) }
    return CodePointSet(canonical: result)
  }

  /// The members of either set. O((m + n) log (m + n)).
  public func union(_ other: CodePointSet) -> CodePointSet {
    CodePointSet(intervals + other.intervals)
  }

  /// The members of both sets. O(m + n).
  public func intersection(_ other: CodePointSet) -> CodePointSet {
    var result: [Interval] = []
    var left = 0
    var right = 0
    while left < intervals.count, right < other.intervals.count {
      let one = intervals[left]
      let two = other.intervals[right]
      let lower = max(one.lower, two.lower)
      let upper = min(one.upper, two.upper)
      if lower <= upper { result.append(Interval(from: lower, through: upper)) }
      if one.upper < two.upper { left += 1 } else { right += 1 }
    }
    return CodePointSet(canonical: result)
  }

  /// The members that are not in the other set. O(m + n).
  public func subtracting(_ other: CodePointSet) -> CodePointSet { intersection(other.complement) }
}
