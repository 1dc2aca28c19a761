/// The decision queue: false conjunctions, each of which needs a false part (its justifier). Conjunctions
/// known to be justified are skipped.
///
/// Soundness: only justified conjunctions are skipped. If the justifier has a value, the skip is undone with
/// that value; a conjunction that an unassigned part justifies is never skipped.
struct DecisionQueue {
  /// The conjunctions, in the order in which they became false.
  private var nodes: [Int32] = []
  /// Bit set by position: the conjunction is not skipped.
  private var awake: [UInt64] = []
  /// Bit set by position: the conjunction is in the cone of the present query.
  private var asked: [UInt64] = []
  /// The positions skipped because of a value, in that order.
  private var settled: [Int32] = []

  /// The number of conjunctions.
  var count: Int { nodes.count }
  /// The number of positions skipped because of a value.
  var settledCount: Int { settled.count }

  /// Returns the conjunction at a position.
  subscript(_ place: Int) -> Int32 { nodes[place] }

  /// Appends a conjunction.
  mutating func append(_ node: Int32, isAsked: Bool) {
    nodes.append(node)
    if nodes.count > 64 * awake.count {
      awake.append(0)
      asked.append(0)
    }
    rouse(nodes.count - 1)
    mark(nodes.count - 1, isAsked: isAsked)
  }

  /// Marks the conjunctions of a new query.
  mutating func ask(_ isAsked: (Int32) -> Bool) {
    for place in nodes.indices { mark(place, isAsked: isAsked(nodes[place])) }
  }

  private mutating func mark(_ place: Int, isAsked: Bool) {
    let bit: UInt64 = 1 << UInt64(place & 63)
    if isAsked { asked[place >> 6] |= bit } else { asked[place >> 6] &= ~bit }
  }

  /// Returns the first position from `start` on that is not skipped, inside or outside the query's
  /// cone.
  func next(from start: Int, isAsked: Bool) -> Int? {
    if start >= nodes.count { return nil }
    let flip: UInt64 = isAsked ? 0 : ~0
    var word = start >> 6
    var bits = awake[word] & (asked[word] ^ flip) & (~0 << UInt64(start & 63))
    while bits == 0 {
      word += 1
      if word == awake.count { return nil }
      bits = awake[word] & (asked[word] ^ flip)
    }
    let place = word << 6 + bits.trailingZeroBitCount
    return place < nodes.count ? place : nil
  }

  /// Skips a position until the value of its justifier is undone.
  mutating func settle(_ place: Int) {
    rest(place)
    settled.append(Int32(place))
  }

  /// Undoes all but the first `count` conjunctions and the first `known` skips.
  mutating func back(to count: Int, settled known: Int) {
    while settled.count > known {
      let place = Int(settled.removeLast())
      if place < count { rouse(place) }
    }
    nodes.removeLast(nodes.count - count)
  }

  private mutating func rouse(_ place: Int) { awake[place >> 6] |= 1 << UInt64(place & 63) }

  private mutating func rest(_ place: Int) { awake[place >> 6] &= ~(1 << UInt64(place & 63)) }
}
