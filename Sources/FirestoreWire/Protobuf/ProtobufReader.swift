import RulesLang

/// A reader of protobuf from a single buffer. A nested message is a range of the buffer that ends at `end`.
struct ProtobufReader {
  private let bytes: [UInt8]
  /// The offset of the next byte, at most `end`.
  private(set) var index = 0
  /// The end of the innermost message.
  private(set) var end: Int
  /// The number of open messages.
  private var depth = 0
  /// The number of further messages that are allowed.
  private var messagesLeft = WireLimits.messages
  /// The converter of references, which knows the message's project.
  let references: ReferenceName

  /// Creates a reader of bytes that are one message.
  init(_ bytes: [UInt8], project: Text) {
    self.bytes = bytes
    end = bytes.count
    references = ReferenceName(project: project)
  }

  /// True at the end of the innermost message.
  var isAtEnd: Bool { index == end }

  // MARK: Numbers

  /// Reads a varint; bits above the 64th are ignored.
  mutating func varint() throws(WireProblem) -> UInt64 {
    if index < end, bytes[index] < 0x80 {
      index += 1
      return UInt64(bytes[index - 1])
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 70 {
      guard index < end else { throw .protobuf("a number has no end at byte \(index)") }
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .protobuf("a number has more than ten bytes before byte \(index)")
  }

  /// Reads an int64.
  mutating func int64() throws(WireProblem) -> Int64 { Int64(bitPattern: try varint()) }

  /// Reads an int32 or an enumeration, using the lower 32 bits.
  mutating func int32() throws(WireProblem) -> Int32 { Int32(truncatingIfNeeded: try varint()) }

  /// Reads a bool.
  mutating func bool() throws(WireProblem) -> Bool { try varint() != 0 }

  /// Reads a double.
  mutating func double() throws(WireProblem) -> Double {
    let start = try advance(by: 8)
    var bits: UInt64 = 0
    for place in 0..<8 { bits |= UInt64(bytes[start + place]) << UInt64(8 * place) }
    return Double(bitPattern: bits)
  }

  /// Reads the tag of the next field.
  mutating func tag() throws(WireProblem) -> WireTag {
    let start = index
    guard let bits = UInt32(exactly: try varint()), bits >> 3 != 0 else {
      throw .protobuf("there is no field number at byte \(start)")
    }
    return WireTag(bits: bits)
  }

  // MARK: Parts with a length

  /// Reads a string.
  mutating func text() throws(WireProblem) -> Text {
    let octets = try octets()
    if UTF8Check.firstInvalidByte(in: octets) != nil {
      throw .protobuf("a string before byte \(index) is not UTF-8")
    }
    return Text(wellFormed: octets)
  }

  /// Reads bytes.
  mutating func octets() throws(WireProblem) -> [UInt8] {
    let count = try length()
    let start = try advance(by: count)
    return count == 0 ? [] : Array(bytes[start..<index])
  }

  /// Enters the message that begins here.
  ///
  /// - Returns: The end of the outer message, for `leave`.
  mutating func enter() throws(WireProblem) -> Int {
    let count = try length()
    guard depth < WireLimits.depth else {
      throw .protobuf("messages are nested more than \(WireLimits.depth) deep")
    }
    depth += 1
    let outer = end
    end = index + count
    return outer
  }

  /// Leaves a message at its end.
  mutating func leave(to outer: Int) {
    end = outer
    depth -= 1
  }

  /// Enters a packed list of numbers, which does not count as a message.
  mutating func enterPacked() throws(WireProblem) -> Int {
    let count = try length()
    let outer = end
    end = index + count
    return outer
  }

  /// Leaves a list of numbers.
  mutating func leavePacked(to outer: Int) { end = outer }

  /// Counts a message that is not a value. Throws at the limit.
  mutating func countMessage() throws(WireProblem) {
    guard messagesLeft > 0 else {
      throw .protobuf("there are more than \(WireLimits.messages) messages in the message")
    }
    messagesLeft -= 1
  }

  /// Reads a length that does not exceed the message.
  private mutating func length() throws(WireProblem) -> Int {
    let start = index
    let count = try varint()
    guard count <= UInt64(end - index) else {
      throw .protobuf("the length \(count) at byte \(start) leaves the message")
    }
    return Int(count)
  }

  /// Skips bytes and returns the offset of the first.
  private mutating func advance(by count: Int) throws(WireProblem) -> Int {
    guard count <= end - index else { throw .protobuf("the message ends inside of a number") }
    index += count
    return index - count
  }

  // MARK: Unknown fields

  /// Skips the content of a field.
  mutating func skip(_ tag: WireTag) throws(WireProblem) {
    // The numbers of the open groups.
    var groups: [UInt32] = []
    var tag = tag
    while true {
      switch tag.type {
      case .varint: _ = try varint()
      case .fixed64: _ = try advance(by: 8)
      case .fixed32: _ = try advance(by: 4)
      case .delimited: _ = try advance(by: try length())
      case .groupStart:
        guard depth + groups.count < WireLimits.depth else {
          throw .protobuf("groups are nested more than \(WireLimits.depth) deep")
        }
        groups.append(tag.number)
      case .groupEnd:
        guard groups.popLast() == tag.number else {
          throw .protobuf("a group ends before byte \(index) that has not begun")
        }
      case nil: throw .protobuf("there is no field of type \(tag.bits & 7) before byte \(index)")
      }
      if groups.isEmpty { return }
      tag = try self.tag()
    }
  }
}
