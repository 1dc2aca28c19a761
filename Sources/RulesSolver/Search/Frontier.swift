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
  /// By place, a bit for each that the present question is made of.
  private var asked: [UInt64] = []
  /// Those that were left out because of a value, in that order.
  private var settled: [Int32] = []
  /// By node, the number of the last one that is left out until the node holds; -1 if there is none. Empty
  /// until there is one.
  private var sleepers: [Int32] = []
  /// Those that are left out until a node holds: their place, and the number of the one before with the same
  /// node. A place may have another conjunction by then, which is looked at in vain.
  private var asleep: [(place: Int32, before: Int32)] = []

  /// How many there are.
  var count: Int { nodes.count }
  /// How many were left out because of a value.
  var settledCount: Int { settled.count }

  /// The conjunction at a place.
  subscript(_ place: Int) -> Int32 { nodes[place] }

  /// Adds one to be looked at.
  mutating func append(_ node: Int32, isAsked: Bool) {
    nodes.append(node)
    if nodes.count > 64 * awake.count {
      awake.append(0)
      asked.append(0)
    }
    rouse(nodes.count - 1)
    mark(nodes.count - 1, isAsked: isAsked)
  }

  /// Takes another question to be the present one.
  mutating func ask(_ isAsked: (Int32) -> Bool) {
    for place in nodes.indices { mark(place, isAsked: isAsked(nodes[place])) }
  }

  private mutating func mark(_ place: Int, isAsked: Bool) {
    let bit: UInt64 = 1 << UInt64(place & 63)
    if isAsked { asked[place >> 6] |= bit } else { asked[place >> 6] &= ~bit }
  }

  /// The first one from a place on that must be looked at, among those that the question is made of or among
  /// the others.
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

  /// Leaves one out until its justifier's value, which has one, is taken back.
  mutating func settle(_ place: Int) {
    rest(place)
    settled.append(Int32(place))
  }

  /// Leaves one out until a node holds that has no value; there are `count` nodes.
  mutating func sleep(_ place: Int, until node: Int32, of count: Int) {
    if asleep.count > Self.greatestSleep + 4 * count { wakeAll() }
    if sleepers.isEmpty { sleepers = Array(repeating: -1, count: count) }
    rest(place)
    asleep.append((Int32(place), sleepers[Int(node)]))
    sleepers[Int(node)] = Int32(asleep.count - 1)
  }

  /// So many and some for each node are remembered at a time.
  private static let greatestSleep = 10_000

  /// A node holds: what was left out until then must be looked at.
  mutating func wake(by node: Int32) {
    guard Int(node) < sleepers.count else { return }
    var number = sleepers[Int(node)]
    sleepers[Int(node)] = -1
    while number >= 0 {
      let (place, before) = asleep[Int(number)]
      if Int(place) < nodes.count { rouse(Int(place)) }
      number = before
    }
  }

  /// Has all looked at again.
  mutating func wakeAll() {
    (sleepers, asleep) = ([], [])
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
