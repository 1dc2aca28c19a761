/// The conjunctions that do not hold, in the order in which that was found out, of which those that are known
/// to be justified are left out when one is looked for to be justified.
///
/// Sound: only what is justified is left out. What a part justifies that has a value is looked at again once
/// that is taken back; what the lack of a value justifies, once there is one.
struct Frontier {
  /// The conjunctions.
  private var nodes: [Int32] = []
  /// By place, a bit for each that must be looked at.
  private var awake: [UInt64] = []
  /// Those that were left out because of a value, in that order.
  private var settled: [Int32] = []
  /// By node, the last place that is left out until the node holds; -1 if there is none. Empty until there
  /// is one.
  private var sleepers: [Int32] = []
  /// By place, the one before among those that are left out until the same node holds.
  private var others: [Int32] = []

  /// How many there are.
  var count: Int { nodes.count }
  /// How many were left out because of a value.
  var settledCount: Int { settled.count }

  /// The conjunction at a place.
  subscript(_ place: Int) -> Int32 { nodes[place] }

  /// Adds one to be looked at.
  mutating func append(_ node: Int32) {
    nodes.append(node)
    if nodes.count > 64 * awake.count { awake.append(0) }
    rouse(nodes.count - 1)
  }

  /// The first one from a place on that must be looked at.
  func next(from start: Int) -> Int? {
    var word = start >> 6
    if start >= nodes.count { return nil }
    var bits = awake[word] & (~0 << UInt64(start & 63))
    while bits == 0 {
      word += 1
      if word == awake.count { return nil }
      bits = awake[word]
    }
    let place = word << 6 + bits.trailingZeroBitCount
    return place < nodes.count ? place : nil
  }

  /// Leaves one out until its justifier's value, which has one, is taken back.
  mutating func settle(_ place: Int) {
    rest(place)
    settled.append(Int32(place))
  }

  /// Leaves one out, which must never be taken back, until a node holds that has no value; there are `count`
  /// nodes.
  mutating func sleep(_ place: Int, until node: Int32, of count: Int) {
    if sleepers.isEmpty { sleepers = Array(repeating: -1, count: count) }
    while others.count <= place { others.append(-1) }
    rest(place)
    others[place] = sleepers[Int(node)]
    sleepers[Int(node)] = Int32(place)
  }

  /// A node holds: what was left out until then must be looked at.
  mutating func wake(by node: Int32) {
    guard Int(node) < sleepers.count else { return }
    var place = sleepers[Int(node)]
    sleepers[Int(node)] = -1
    while place >= 0 {
      rouse(Int(place))
      place = others[Int(place)]
    }
  }

  /// Has all looked at again. To be called once something was taken back that had been left out until a node
  /// holds: its place gets another conjunction, which must not be among those of that node.
  mutating func wakeAll() {
    (sleepers, others) = ([], [])
    for word in awake.indices { awake[word] = ~0 }
  }

  /// Takes back all but the first ones, and what was left out because of values but the first times.
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
