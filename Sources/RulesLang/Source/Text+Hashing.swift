// Comparing and hashing all bytes at once: element by element, as arrays do it, was a large part of
// reading and deciding requests.

extension Text {
  /// True if two texts are the same, unit by unit.
  public static func == (left: Text, right: Text) -> Bool {
    let count = left.bytes.count
    guard count == right.bytes.count else { return false }
    // Safe: every read lies inside both buffers, which are equally long and stay in the closures.
    return left.bytes.withUnsafeBytes { one in
      right.bytes.withUnsafeBytes { two in
        if one.baseAddress == two.baseAddress { return true }
        var place = 0
        while place + 8 <= count {
          if one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            != two.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          {
            return false
          }
          place += 8
        }
        while place < count {
          if one[place] != two[place] { return false }
          place += 1
        }
        return true
      }
    }
  }

  /// Mixes the text into a hash.
  public func hash(into hasher: inout Hasher) {
    // Safe: the buffer does not leave the closure.
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    // A terminator: texts in a row hash differently from the same bytes divided elsewhere.
    hasher.combine(UInt8(0xFF))
  }
}
