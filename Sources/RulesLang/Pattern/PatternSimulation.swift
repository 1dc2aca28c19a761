extension PatternProgram {
  /// True if the pattern matches the whole text, by following all threads at once.
  /// O(instructions × code points).
  func simulate(_ text: Text) -> Bool {
    let bytes = text.bytes
    var index = 0
    var before = PatternNeighbor.edge
    var closure = PatternClosure(for: self)
    var threads = InstructionSet(for: self)
    _ = threads.insert(start)
    while index < bytes.count {
      let id = alphabet.classID(of: bytes.codePoint(at: &index))
      let after = alphabet.neighbors[Int(id.rawValue)]
      closure.removeAll()
      for thread in threads.members { closure.add(thread, of: self, between: before, and: after) }
      threads.removeAll()
      for thread in closure.consuming {
        if case .set(let set, let then) = self[thread], alphabet.contains(id, in: set) {
          _ = threads.insert(then)
        }
      }
      if threads.members.isEmpty { return false }
      before = after
    }
    closure.removeAll()
    for thread in threads.members { closure.add(thread, of: self, between: before, and: .edge) }
    return closure.hasMatch
  }
}

extension [UInt8] {
  /// Reads the code point that starts at `index` in the bytes of a text, and moves past it.
  @inline(__always)
  func codePoint(at index: inout Int) -> UInt32 {
    let lead = UInt32(self[index])
    if lead < 0x80 {
      index += 1
      return lead
    }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var point = lead & (0x7F >> UInt32(length))
    for offset in 1..<length { point = point << 6 | UInt32(self[index + offset] & 0x3F) }
    index += length
    return point
  }
}
