extension ArraySlice<UInt8> {
  /// The number in the first four bytes, most significant first; with fewer bytes these are the low ones.
  var bigEndian: UInt32 { prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

extension [UInt8] {
  /// Appends the four bytes of a number, most significant first.
  mutating func append(bigEndian number: UInt32) {
    append(UInt8(truncatingIfNeeded: number >> 24))
    append(UInt8(truncatingIfNeeded: number >> 16))
    append(UInt8(truncatingIfNeeded: number >> 8))
    append(UInt8(truncatingIfNeeded: number))
  }
}
