import RulesEval

/// A time for each of some keys, of which the earliest is known at once: a heap.
struct Deadlines<Key: Hashable & Sendable>: Sendable {
  /// Each time is no later than those of its two children, at `2 * place + 1` and behind it.
  private var heap: [(time: Timestamp, key: Key)] = []
  private var places: [Key: Int] = [:]

  /// The earliest time; nil if there is none.
  var earliest: Timestamp? { heap.first?.time }

  /// The keys whose times have come, in no order.
  func due(at now: Timestamp) -> [Key] {
    var due: [Key] = []
    var pending = [0]
    while let place = pending.popLast() {
      guard place < heap.count, heap[place].time <= now else { continue }
      due.append(heap[place].key)
      pending += [2 * place + 1, 2 * place + 2]
    }
    return due
  }

  /// The time of a key; nil for none.
  subscript(key: Key) -> Timestamp? {
    get { places[key].map { heap[$0].time } }
    set {
      if let newValue { set(newValue, of: key) } else { remove(key) }
    }
  }

  private mutating func set(_ time: Timestamp, of key: Key) {
    if let place = places[key] {
      heap[place].time = time
      settle(place)
    } else {
      places[key] = heap.count
      heap.append((time, key))
      settle(heap.count - 1)
    }
  }

  private mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[last.key] = place
    settle(place)
  }

  /// Moves an entry up or down to where it belongs.
  private mutating func settle(_ place: Int) {
    var place = place
    while place > 0, heap[place].time < heap[(place - 1) / 2].time {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while let child = earlierChild(of: place), heap[child].time < heap[place].time {
      swap(place, child)
      place = child
    }
  }

  private func earlierChild(of place: Int) -> Int? {
    let (left, right) = (2 * place + 1, 2 * place + 2)
    guard left < heap.count else { return nil }
    return right < heap.count && heap[right].time < heap[left].time ? right : left
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].key] = one
    places[heap[other].key] = other
  }
}
