import RulesLang

/// Writes expressions on one line as in the source, with the parameters and `let` bindings of
/// inlined functions substituted.
struct ConditionText {
  /// The text of an expression.
  struct Piece: Hashable {
    var text: String
    /// True if it needs no parentheses inside a conjunction.
    var isTight: Bool
    /// True if a member access needs no parentheses.
    var isSimple: Bool
    /// The sources that the expression reads.
    var reads: ConditionReads
  }

  let rules: Checked
  /// Computes the sources that expressions read.
  let finder: ReadsFinder
  /// The substitutes of the locals; empty outside of inlined functions.
  let locals: [Piece]

  /// Returns the text of an expression, without enclosing parentheses.
  func piece(_ id: ExprID) -> Piece {
    let id = rules.ruleset.unparenthesized(id)
    if let local = local(id) { return local }
    return Piece(
      text: Self.line(replaced(id)), isTight: isTight(id), isSimple: isSimple(id),
      reads: finder.reads(id, locals: locals.map { $0.reads }))
  }

  private func local(_ id: ExprID) -> Piece? {
    guard case .local(let slot) = rules.binding(id), Int(slot) < locals.count else { return nil }
    return locals[Int(slot)]
  }

  private func isTight(_ id: ExprID) -> Bool {
    switch rules.ruleset[id].kind {
    case .binary(.and, _, _), .binary(.or, _, _), .conditional: false
    default: true
    }
  }

  private func isSimple(_ id: ExprID) -> Bool {
    switch rules.ruleset[id].kind {
    case .literal(.string), .literal(.bool), .literal(.null), .variable, .list, .map, .member,
      .index, .call, .method:
      true
    default: false
    }
  }

  /// Returns the source of an expression with its locals substituted.
  private func replaced(_ id: ExprID) -> [UInt8] {
    let range = rules.ruleset[id].range
    var bytes: [UInt8] = []
    var place = range.start
    for use in uses(in: id).sorted(by: { $0.range.start < $1.range.start }) {
      bytes += source(from: place, to: use.range.start)
      let text = use.piece.isSimple ? use.piece.text : "(\(use.piece.text))"
      bytes += Array(text.utf8)
      place = use.range.end
    }
    return bytes + source(from: place, to: range.end)
  }

  private func source(from start: UInt32, to end: UInt32) -> [UInt8] {
    let bytes = rules.ruleset.source.bytes
    return start < end ? Array(bytes[Int(start)..<min(Int(end), bytes.count)]) : []
  }

  private func uses(in id: ExprID) -> [(range: SourceRange, piece: Piece)] {
    if locals.isEmpty { return [] }
    if let piece = local(id) { return [(rules.ruleset[id].range, piece)] }
    return rules.ruleset[id].operands.flatMap { uses(in: $0) }
  }

  /// Joins source text to one line: white space outside of strings becomes one space, or none
  /// before a dot, and comments are removed.
  static func line(_ bytes: [UInt8]) -> String {
    var line: [UInt8] = []
    var index = 0
    var isBlank = false
    func put(_ byte: UInt8) {
      if isBlank, !line.isEmpty, byte != UInt8(ascii: ".") || line.last == UInt8(ascii: " ") {
        line.append(UInt8(ascii: " "))
      }
      isBlank = false
      line.append(byte)
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        let end = endOfString(in: bytes, from: index)
        put(byte)
        line += bytes[(index + 1)..<end]
        index = end
      } else if let end = endOfComment(in: bytes, from: index) {
        isBlank = true
        index = end
      } else {
        if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) { isBlank = true } else { put(byte) }
        index += 1
      }
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != bytes[start] {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  /// Returns the end of a comment that begins here, or nil.
  private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "/"), start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case UInt8(ascii: "*"):
      var index = start + 2
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          return index + 2
        }
        index += 1
      }
      return nil
    default: return nil
    }
  }
}
