// Looking for bytes eight at a time: a log of requests is read at the speed of this.

extension [UInt8] {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns the first index of a byte in a range; the end of the range if the byte is not in it.
  ///
  /// - Requires: The range lies inside the array, here and below.
  public func place(of byte: UInt8, in range: Range<Int>) -> Int {
    let pattern = Self.ones &* UInt64(byte)
    return place(
      in: range, whereWord: { Self.hasZero($0 ^ pattern) }, whereByte: { $0 == byte })
  }

  /// Returns the number of times that a byte occurs in a range.
  public func count(of byte: UInt8, in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let pattern = Self.ones &* UInt64(byte)
    let lows = ~Self.highs
    let ones = Self.ones
    // Safe: every read lies inside the range, and the buffer does not leave the closure.
    return withUnsafeBytes { bytes in
      var place = range.lowerBound
      var count = 0
      while place + 8 <= range.upperBound {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ pattern
        // The high bit of each byte that is zero, as no byte carries into the next; then their sum.
        let zeros = ~(((word & lows) &+ lows) | word | lows)
        count += Int(truncatingIfNeeded: ((zeros >> 7) &* ones) >> 56)
        place += 8
      }
      while place < range.upperBound {
        if bytes[place] == byte { count += 1 }
        place += 1
      }
      return count
    }
  }

  /// True if all bytes of a range are ASCII.
  func isASCII(in range: Range<Int>) -> Bool {
    place(in: range, whereWord: { $0 & Self.highs != 0 }, whereByte: { $0 >= 0x80 })
      == range.upperBound
  }

  /// Returns the first index in a range of a byte that ends or complicates a JSON string: a quote, a
  /// backslash, a control character.
  func endOfPlainString(in range: Range<Int>) -> Int {
    let quotes = Self.ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = Self.ones &* UInt64(UInt8(ascii: "\\"))
    return place(
      in: range,
      whereWord: { word in
        let isControl = (word &- Self.ones &* 0x20) & ~word & Self.highs != 0
        return isControl || Self.hasZero(word ^ quotes) || Self.hasZero(word ^ backslashes)
      },
      whereByte: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
  }

  /// True if the bytes of a range equal all those of another array.
  func isSame(as other: [UInt8], in range: Range<Int>) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    guard other.count == range.count else { return false }
    // Safe: every read lies inside the range or the other array, and the buffers do not leave the
    // closures.
    return withUnsafeBytes { bytes in
      other.withUnsafeBytes { others in
        var place = 0
        while place + 8 <= others.count {
          let one = bytes.loadUnaligned(
            fromByteOffset: range.lowerBound + place, as: UInt64.self)
          if one != others.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
          place += 8
        }
        while place < others.count {
          if bytes[range.lowerBound + place] != others[place] { return false }
          place += 1
        }
        return true
      }
    }
  }

  @inline(__always)
  private static func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & highs != 0 }

  /// Returns the first index whose byte is wanted; `whereWord` tests eight bytes at once.
  @inline(__always)
  private func place(
    in range: Range<Int>, whereWord isWanted: (UInt64) -> Bool, whereByte isOne: (UInt8) -> Bool
  ) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // Safe: every read lies inside the range, and the buffer does not leave the closure.
    return withUnsafeBytes { bytes in
      var place = range.lowerBound
      while place + 8 <= range.upperBound {
        if isWanted(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { break }
        place += 8
      }
      while place < range.upperBound, !isOne(bytes[place]) { place += 1 }
      return place
    }
  }
}
