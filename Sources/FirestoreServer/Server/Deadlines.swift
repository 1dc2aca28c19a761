import RulesEval

/// Times by key in a binary heap, so that the earliest is found in constant time.
struct Deadlines<Key: Hashable & Sendable>: Sendable {
  /// The heap. Each time is at most those of its children, at `2 * place + 1` and `2 * place + 2`.
  private var heap: [(time: Timestamp, key: Key)] = []
  private var places: [Key: Int] = [:]

  /// The earliest time; nil if there is none.
  var earliest: Timestamp? { heap.first?.time }

  /// Returns the keys whose times are reached, in no particular order.
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

  /// The time of a key; nil if it has none.
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

  /// Moves an entry up or down until the heap is ordered.
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
