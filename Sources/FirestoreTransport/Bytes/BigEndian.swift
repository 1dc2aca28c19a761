extension ArraySlice<UInt8> {
  /// The first four bytes as a number; fewer bytes count as the low ones.
  var bigEndian: UInt32 { prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

extension [UInt8] {
  /// Appends four bytes of a number.
  mutating func append(bigEndian number: UInt32) {
    append(UInt8(truncatingIfNeeded: number >> 24))
    append(UInt8(truncatingIfNeeded: number >> 16))
    append(UInt8(truncatingIfNeeded: number >> 8))
    append(UInt8(truncatingIfNeeded: number))
  }
}
