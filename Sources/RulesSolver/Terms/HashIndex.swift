/// A hash index of an array of distinct elements: from an element's hash to its position.
///
/// The elements stay in the array, so a lookup copies nothing, and a copy of the index is two
/// arrays. The last entries can be removed again.
struct HashIndex: Sendable {
  private struct Entry {
    var hash: UInt32
    var position: Int32
  }

  /// The entries in the order of insertion.
  private var entries: [Entry] = []
  /// Open addressing: indices into `entries` from 1; 0 is a free slot. At most half full.
  private var slots: [Int32] = []

  /// Returns the position of the element with this hash for which `isWanted` is true, or nil.
  func first(_ hash: Hash, where isWanted: (Int) -> Bool) -> Int? {
    if slots.isEmpty { return nil }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash.short) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash.short, isWanted(Int(entry.position)) { return Int(entry.position) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds the position of an element.
  ///
  /// - Requires: The element is not in the index.
  mutating func add(_ position: Int, hash: Hash) {
    entries.append(Entry(hash: hash.short, position: Int32(position)))
    if entries.count * 2 > slots.count { grow() } else { put(entries.count) }
  }

  /// Removes the entry that was added last.
  mutating func removeLast() {
    guard let last = entries.last else { return }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: last.hash) & mask
    while slots[slot] != entries.count { slot = (slot + 1) & mask }
    // Later entries never probed past this slot: `grow` keeps the insertion order.
    slots[slot] = 0
    entries.removeLast()
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: max(32, slots.count * 2))
    for number in 1...entries.count { put(number) }
  }

  private mutating func put(_ number: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: entries[number - 1].hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = Int32(number)
  }
}

/// A hash that is built word by word, the same in every process. Collision attacks are no concern:
/// the input is limited by the size of the rules file.
package struct Hash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Starts with a word that tags the kind of element.
  package init(_ kind: UInt64) { add(kind) }

  /// Starts with a tag and a word.
  package init(_ kind: UInt64, _ word: UInt64) {
    add(kind)
    add(word)
  }

  /// Mixes in a word.
  package mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }

  /// Mixes in a number.
  package mutating func add(_ number: Int32) { add(UInt64(UInt32(bitPattern: number))) }

  /// Mixes in a number.
  package mutating func add(_ number: Int128) {
    add(UInt64(truncatingIfNeeded: number))
    add(UInt64(truncatingIfNeeded: number >> 64))
  }

  /// Mixes in bytes and their count.
  package mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    var word: UInt64 = 0
    for (place, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      if place & 7 == 7 { add(word) }
    }
    if bytes.count & 7 != 0 { add(word) }
  }

  /// The lower 32 bits, as stored in a `HashIndex`.
  package var short: UInt32 { UInt32(truncatingIfNeeded: state) }
}
