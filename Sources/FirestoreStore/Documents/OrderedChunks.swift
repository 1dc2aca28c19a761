/// An element of an ordered list. Its key does not change while it is in the list.
protocol OrderedElement: Sendable {
  /// The type of the keys by which elements are ordered.
  associatedtype Key
  /// The key.
  var key: Key { get }
  /// True if one key precedes another.
  static func precedes(_ one: Key, _ other: Key) -> Bool
}

/// A list ordered by unique keys, stored in chunks.
///
/// An insertion moves the elements of one chunk and, when it splits the chunk, the chunks. So a hundred
/// thousand insertions in any order are fast, and copies of a list share all unchanged chunks.
struct OrderedChunks<Element: OrderedElement>: Sendable {
  /// A place in the list: a chunk and an index in it.
  struct Place: Comparable {
    /// The index of the chunk.
    var chunk: Int
    /// The index in the chunk.
    var offset: Int

    /// Orders by the place in the list.
    static func < (one: Place, other: Place) -> Bool {
      one.chunk == other.chunk ? one.offset < other.offset : one.chunk < other.chunk
    }
  }

  /// The elements; no chunk is empty.
  private(set) var chunks: [[Element]] = []
  /// The number of elements.
  private(set) var count = 0

  /// Maximum elements of a chunk, which is split in halves above it. A list of 100,000 elements then has some
  /// hundreds of chunks of some hundreds of elements.
  static var mostInChunk: Int { 512 }

  /// True if there are no elements.
  var isEmpty: Bool { count == 0 }

  /// The place of the first element.
  var start: Place { Place(chunk: 0, offset: 0) }

  /// The place after the last element.
  var end: Place { Place(chunk: chunks.count, offset: 0) }

  /// Returns the place after that of an element.
  func place(after place: Place) -> Place {
    place.offset + 1 < chunks[place.chunk].count
      ? Place(chunk: place.chunk, offset: place.offset + 1)
      : Place(chunk: place.chunk + 1, offset: 0)
  }

  /// The element at a place.
  subscript(_ place: Place) -> Element { chunks[place.chunk][place.offset] }

  /// The element with a key.
  subscript(key key: Element.Key) -> Element? {
    let place = firstPlace(from: key)
    guard place < end, !Element.precedes(key, self[place].key) else { return nil }
    return self[place]
  }

  /// Returns the place of the first element whose key is not less than a key.
  ///
  /// - Complexity: O(log *n*).
  func firstPlace(from key: Element.Key) -> Place {
    // A binary search for the first chunk whose last key is not less than the key.
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      let last = chunks[middle].count - 1
      if Element.precedes(chunks[middle][last].key, key) { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count else { return end }
    return Place(chunk: low, offset: Self.offset(of: key, in: chunks[low]))
  }

  private static func offset(of key: Element.Key, in chunk: [Element]) -> Int {
    var (low, high) = (0, chunk.count)
    while low < high {
      let middle = (low + high) / 2
      if Element.precedes(chunk[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Inserts an element, or replaces the one with its key.
  ///
  /// - Returns: The replaced element.
  @discardableResult
  mutating func set(_ element: Element) -> Element? {
    var place = firstPlace(from: element.key)
    if place < end, !Element.precedes(element.key, self[place].key) {
      let old = self[place]
      chunks[place.chunk][place.offset] = element
      return old
    }
    if chunks.isEmpty { chunks.append([]) }
    if place.chunk == chunks.count {
      place = Place(chunk: chunks.count - 1, offset: chunks[chunks.count - 1].count)
    }
    chunks[place.chunk].insert(element, at: place.offset)
    count += 1
    if chunks[place.chunk].count > Self.mostInChunk { halve(place.chunk) }
    return nil
  }

  /// Removes the element with a key.
  ///
  /// - Returns: The element; nil if there was none.
  @discardableResult
  mutating func remove(_ key: Element.Key) -> Element? {
    let place = firstPlace(from: key)
    guard place < end, !Element.precedes(key, self[place].key) else { return nil }
    let old = chunks[place.chunk].remove(at: place.offset)
    count -= 1
    if chunks[place.chunk].isEmpty {
      chunks.remove(at: place.chunk)
    } else {
      join(place.chunk)
    }
    return old
  }

  private mutating func halve(_ number: Int) {
    let middle = chunks[number].count / 2
    let second = Array(chunks[number][middle...])
    chunks[number].removeSubrange(middle...)
    chunks.insert(second, at: number + 1)
  }

  /// Merges a chunk with the next one if both together are small.
  private mutating func join(_ number: Int) {
    guard number + 1 < chunks.count,
      chunks[number].count + chunks[number + 1].count < Self.mostInChunk / 4
    else { return }
    chunks[number].append(contentsOf: chunks[number + 1])
    chunks.remove(at: number + 1)
  }

  /// Calls `body` for the elements in a range of places, in ascending or descending order, until it returns
  /// false.
  ///
  /// - Returns: False if `body` did.
  @discardableResult
  func forEach(
    from start: Place, to end: Place, isBackward: Bool = false, _ body: (Element) -> Bool
  ) -> Bool {
    guard start < end else { return true }
    let last = end.offset == 0 ? end.chunk - 1 : end.chunk
    for step in 0...(last - start.chunk) {
      let number = isBackward ? last - step : start.chunk + step
      let chunk = chunks[number]
      let lower = number == start.chunk ? start.offset : 0
      let upper = number == end.chunk ? end.offset : chunk.count
      for place in lower..<upper {
        let element = chunk[isBackward ? lower + upper - 1 - place : place]
        if !body(element) { return false }
      }
    }
    return true
  }

  /// Calls `body` for all elements in order until it returns false.
  @discardableResult
  func forEach(_ body: (Element) -> Bool) -> Bool { forEach(from: start, to: end, body) }
}
