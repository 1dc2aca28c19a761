import RulesLang

/// The location of a position in a JSON text, found without parsing all of it, because somebody is typing
/// there.
struct JSONCursor {
  /// A step from the outermost value inwards.
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// The kind of text at the position.
  enum Slot {
    /// A key, as far as it is typed.
    case key(SourceRange)
    /// A value, as far as it is typed; true if it is a string.
    case value(SourceRange, isString: Bool)
    /// Neither: between a value and the next comma, or in a comment.
    case nothing
  }

  private struct Frame {
    var isObject: Bool
    var keys: [String] = []
    var key: String?
    var count = 0
    var awaitsValue = false
    var hasValue = false
  }

  private let bytes: [UInt8]
  private let target: Int
  private var index = 0
  private var frames: [Frame] = []

  /// The steps to the value at the position, or to the object that contains the key.
  private(set) var path: [Step] = []
  /// The kind of text at the position.
  private(set) var slot = Slot.nothing
  /// The keys before the position in each object around it, outermost first.
  private(set) var keysAround: [[String]] = []
  /// The keys of the objects under each of the outermost keys.
  private(set) var keysBelow: [String: [String]] = [:]
  private var isFound = false

  /// Locates an offset in a text. O(bytes).
  init(_ source: SourceText, at offset: Int) {
    bytes = source.bytes
    target = offset
    while index < bytes.count { step() }
    if !isFound { find(at: bytes.count..<bytes.count, isString: false) }
  }

  private mutating func step() {
    let start = index
    switch bytes[index] {
    case 0x20, 0x09, 0x0A, 0x0D: index += 1
    case UInt8(ascii: "/") where index + 1 < bytes.count: skipComment()
    case UInt8(ascii: "\""): readString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(bytes[index] == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
    case UInt8(ascii: ":"):
      if start >= target { find(at: target..<target, isString: false) }
      index += 1
      if !frames.isEmpty { frames[frames.count - 1].awaitsValue = true }
    case UInt8(ascii: ","):
      if start >= target { find(at: target..<target, isString: false) }
      index += 1
      if !frames.isEmpty {
        frames[frames.count - 1].count += 1
        frames[frames.count - 1].key = nil
        frames[frames.count - 1].awaitsValue = false
        frames[frames.count - 1].hasValue = false
      }
    default: readWord()
    }
  }

  private mutating func skipComment() {
    let start = index
    let isLine = bytes[index + 1] == UInt8(ascii: "/")
    if isLine {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    } else {
      index += 2
      while index < bytes.count,
        !(bytes[index - 1] == UInt8(ascii: "*") && bytes[index] == UInt8(ascii: "/"))
      {
        index += 1
      }
      index = min(index + 1, bytes.count)
    }
    if start >= target {
      find(at: target..<target, isString: false)
    } else if index > target || (isLine && index == target) {
      isFound = true
    }
  }

  private mutating func readString() {
    let start = index
    index += 1
    while index < bytes.count, ![0x22, 0x0A].contains(bytes[index]) {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index, bytes.count)
    let isClosed = index < bytes.count && bytes[index] == 0x22
    let text = String(decoding: bytes[(start + 1)..<max(start + 1, index)], as: UTF8.self)
    if isClosed { index += 1 }
    if start >= target {
      find(at: target..<target, isString: false)
    } else if target < index || (!isClosed && target <= index) {
      find(at: start..<index, isString: true)
    }
    note(text)
  }

  private mutating func note(_ text: String) {
    guard let last = frames.last else { return }
    guard last.isObject, !last.awaitsValue else {
      frames[frames.count - 1].hasValue = true
      return
    }
    frames[frames.count - 1].key = text
    frames[frames.count - 1].keys.append(text)
    if frames.count == 2, let outer = frames[0].key { keysBelow[outer, default: []].append(text) }
  }

  private mutating func readWord() {
    let start = index
    let ends: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D, 0x22]
    index += 1
    while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
    if start >= target {
      find(at: target..<target, isString: false)
    } else if target <= index {
      find(at: start..<index, isString: false)
    }
    if !frames.isEmpty { frames[frames.count - 1].hasValue = true }
  }

  private mutating func open(_ isObject: Bool) {
    if index >= target { find(at: target..<target, isString: false) }
    index += 1
    if !frames.isEmpty { frames[frames.count - 1].hasValue = true }
    // Beyond the nesting of any suite; the inside is skipped.
    if frames.count < 100 { frames.append(Frame(isObject: isObject)) }
  }

  private mutating func close() {
    if index >= target { find(at: target..<target, isString: false) }
    index += 1
    if !frames.isEmpty { frames.removeLast() }
  }

  private mutating func find(at range: Range<Int>, isString: Bool) {
    guard !isFound else { return }
    isFound = true
    let place = SourceRange(start: range.lowerBound, end: range.upperBound)
    keysAround = frames.filter { $0.isObject }.map { $0.keys }
    for (depth, frame) in frames.enumerated() {
      let isInnermost = depth == frames.count - 1
      if !frame.isObject {
        path.append(.index(frame.count))
      } else if let key = frame.key, !isInnermost || frame.awaitsValue {
        path.append(.key(key))
      }
    }
    guard let last = frames.last else {
      slot = .value(place, isString: isString)
      return
    }
    if last.isObject, !last.awaitsValue {
      slot = last.key == nil || !range.isEmpty ? .key(place) : .nothing
    } else {
      slot = last.hasValue ? .nothing : .value(place, isString: isString)
    }
  }
}
