import RulesLang

/// A growing array of plain data with one owner.
///
/// A Swift array counts references and checks at every write that it is not shared; a table cannot be shared.
/// Indices are checked as those of an array. An emptied table keeps its memory.
struct Table<Element: BitwiseCopyable>: ~Copyable {
  // Safe: the memory belongs to this value alone, which cannot be copied. The first `count` elements
  // are initialized; what is read or written is checked to be one of them. Plain data needs no
  // deinitialization.
  private var memory: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// The number of elements.
  private(set) var count = 0

  private static var leastCapacity: Int { 16 }

  /// Creates an empty table.
  init() {
    capacity = Self.leastCapacity
    memory = .allocate(capacity: Self.leastCapacity)
  }

  /// Creates a table of the same element many times.
  init(repeating element: Element, count: Int) {
    self.init()
    append(repeating: element, count: count)
  }

  deinit { memory.deallocate() }

  /// The element at a place, which is less than `count`.
  subscript(_ place: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      return memory[place]
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      memory[place] = newValue
    }
  }

  /// Appends an element.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    (memory + count).initialize(to: element)
    count += 1
  }

  /// Appends an element many times.
  mutating func append(repeating element: Element, count added: Int) {
    reserve(added)
    (memory + count).initialize(repeating: element, count: added)
    count += added
  }

  /// Appends copies of `added` of its own elements, from `place` on.
  mutating func append(copying place: Int, count added: Int) {
    precondition(place >= 0 && added >= 0 && place + added <= count)
    reserve(added)
    // Safe: the elements that are copied are initialized, and there is room behind all elements.
    (memory + count).initialize(from: memory + place, count: added)
    count += added
  }

  /// Removes the elements from an index on, if there are any.
  @inline(__always)
  mutating func drop(from place: Int) {
    precondition(place >= 0)
    if place < count { count = place }
  }

  /// Reserves memory for `added` more elements.
  @inline(__always)
  mutating func reserve(_ added: Int) {
    precondition(added >= 0)
    if capacity - count < added { grow(by: added) }
  }

  @inline(never)
  private mutating func grow(by added: Int) {
    let larger = Swift.max(capacity * 2, count + added)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    moved.moveInitialize(from: memory, count: count)
    memory.deallocate()
    memory = moved
    capacity = larger
  }
}

// Safe: a table is its only owner's, and that owner's to give away.
extension Table: @unchecked Sendable where Element: Sendable {}

// Texts lie in tables of words: eight bytes to a word, the last word filled up with zeros.

extension Table where Element == UInt64 {
  /// True if `size` words of this table from `one` on equal those of another table from `two` on.
  @inline(__always)
  func areEqual(at one: Int, to other: borrowing Table<UInt64>, at two: Int, count size: Int)
    -> Bool
  {
    precondition(one >= 0 && two >= 0 && size >= 0)
    precondition(one + size <= count && two + size <= other.count)
    // Safe: both ranges lie inside their tables.
    let left = memory + one
    let right = other.memory + two
    var place = 0
    while place < size {
      if left[place] != right[place] { return false }
      place += 1
    }
    return true
  }

  /// Returns the number of words that a text occupies.
  @inline(__always)
  static func size(of text: Text) -> Int { (text.bytes.count + 7) / 8 }

  /// Appends a text.
  mutating func append(_ text: Text) {
    reserve(Self.size(of: text))
    append(roomy: text)
  }

  /// Appends a text without growing.
  ///
  /// - Requires: Memory for it was reserved.
  @inline(__always)
  mutating func append(roomy text: Text) {
    let size = text.bytes.count
    precondition(capacity - count >= Self.size(of: text))
    let target = memory + count
    // Safe: every read lies inside the buffer, which does not leave the closure, and there is room
    // for every word that is written.
    text.bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= size {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        target[place / 8] = UInt64(littleEndian: word)
        place += 8
      }
      if place < size {
        var last: UInt64 = 0
        var shift: UInt64 = 0
        while place < size {
          last |= UInt64(bytes[place]) << shift
          shift += 8
          place += 1
        }
        target[size / 8] = last
      }
    }
    count += Self.size(of: text)
  }

  /// True if the text at a place is this one.
  @inline(__always)
  func isText(_ text: Text, at place: TextPlace) -> Bool {
    let size = text.bytes.count
    let start = Int(place.start)
    guard size == Int(place.count) else { return false }
    precondition(start + Self.size(of: text) <= count)
    let known = memory + start
    // Safe: every read lies inside the buffer, which does not leave the closure, or in words that the
    // table has.
    return text.bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= size {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if known[offset / 8] != UInt64(littleEndian: word) { return false }
        offset += 8
      }
      var rest: UInt64 = 0
      var shift: UInt64 = 0
      while offset < size {
        rest |= UInt64(bytes[offset]) << shift
        shift += 8
        offset += 1
      }
      return shift == 0 || known[size / 8] == rest
    }
  }
}

/// The location of a text in an arena.
struct TextPlace {
  /// The first word.
  var start: UInt32
  /// The number of bytes.
  var count: UInt32

  /// The number of words that hold it.
  var wordCount: Int { (Int(count) + 7) / 8 }
}
