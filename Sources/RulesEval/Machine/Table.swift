/// A row of plain data that grows, with one owner.
///
/// An array counts references and asks at every write whether somebody else holds it, too; here
/// nobody can. Places are checked as an array checks them. An emptied table keeps its memory.
struct Table<Element: BitwiseCopyable>: ~Copyable {
  // Safe: the memory belongs to this value alone, which cannot be copied. The first `count` elements
  // are initialized; what is read or written is checked to be one of them. Plain data needs no
  // deinitialization.
  private var memory: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// The number of elements.
  private(set) var count = 0

  private static var leastCapacity: Int { 16 }

  /// Makes an empty table.
  init() {
    capacity = Self.leastCapacity
    memory = .allocate(capacity: Self.leastCapacity)
  }

  /// Makes a table of the same element many times.
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

  /// Drops everything from a place on; nothing if there is nothing.
  @inline(__always)
  mutating func drop(from place: Int) {
    precondition(place >= 0)
    if place < count { count = place }
  }

  /// Makes room for so many more elements.
  @inline(__always)
  private mutating func reserve(_ added: Int) {
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
  /// Whether so many words from a place are the same as those from a place of another table.
  @inline(__always)
  func areEqual(_ one: Int, _ other: borrowing Table<UInt64>, _ two: Int, count size: Int) -> Bool {
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

  /// Appends a text.
  mutating func append(packing bytes: [UInt8]) {
    // Safe: the buffer does not leave the closure.
    bytes.withUnsafeBytes { append(packing: $0, 0..<$0.count) }
  }

  /// Appends the text that a range of a buffer is; the range lies inside it.
  mutating func append(packing bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    reserve((range.count + 7) / 8)
    // Safe: the range lies inside the buffer, and there is room for all words.
    let target = memory + count
    var place = range.lowerBound
    var filled = 0
    while place + 8 <= range.upperBound {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      (target + filled).initialize(to: UInt64(littleEndian: word))
      filled += 1
      place += 8
    }
    if place < range.upperBound {
      var last: UInt64 = 0
      var shift: UInt64 = 0
      while place < range.upperBound {
        last |= UInt64(bytes[place]) << shift
        shift += 8
        place += 1
      }
      (target + filled).initialize(to: last)
      filled += 1
    }
    count += filled
  }
}
