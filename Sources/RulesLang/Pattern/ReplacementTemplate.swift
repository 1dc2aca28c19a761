/// The reason why the template of a `replace` cannot be filled in, with its place.
public struct TemplateError: Error, Hashable, Sendable {
  /// The reasons.
  public enum Reason: Hashable, Sendable {
    /// `$2` where the pattern has fewer groups.
    case missingGroup(Int)
    /// `${name}` where no group has the name.
    case unknownName
    /// `${` without `}`.
    case unclosedName
    /// The text that comes out is larger than `Text.maximumSize`.
    case resultTooLarge
  }

  /// The reason.
  public let reason: Reason
  /// The place: a byte offset into the template.
  public let offset: UInt32
}

/// The second argument of `replace`, read for a pattern (Docs/Language.md §8).
///
/// `$n` is a group, with as many digits as make the number of one; `${name}` too; `\c` is `c`. A
/// `$` before anything else, and a `\` at the end, are themselves.
struct ReplacementTemplate {
  private enum Part {
    case literal(Text)
    /// The index of a group's start in a match, and the text if the group took no part.
    case group(Int, otherwise: Text)
  }

  /// The numbers of the groups that the template names, without 0.
  private(set) var groups: [Int] = []
  /// The first error, which matters only if there is a match.
  private(set) var error: TemplateError?
  private var parts: [Part] = []
  private let bytes: [UInt8]

  /// Reads a template.
  init(_ template: Text, for pattern: Pattern) {
    bytes = template.bytes
    var literal: [UInt8] = []
    var index = 0
    while index < bytes.count, error == nil {
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      switch (bytes[index], next) {
      case (UInt8(ascii: "\\"), let escaped?):
        literal.append(escaped)
        index += 2
      case (UInt8(ascii: "$"), let digit?) where Self.digit(digit) != nil:
        flush(&literal)
        readNumber(at: &index, groupCount: pattern.groupCount)
      case (UInt8(ascii: "$"), UInt8(ascii: "{")):
        flush(&literal)
        readName(at: &index, among: pattern.groupNames)
      default:
        literal.append(bytes[index])
        index += 1
      }
    }
    flush(&literal)
  }

  /// Appends the template, filled in for a match, to a text.
  func append(_ match: [Int], in text: Text, to result: inout Text) {
    for part in parts {
      switch part {
      case .literal(let literal): result.append(literal)
      case .group(let index, let otherwise):
        let start = match[index]
        let end = match[index + 1]
        result.append(start >= 0 && end >= 0 ? text.slice(bytes: start..<end) : otherwise)
      }
    }
  }

  private mutating func flush(_ literal: inout [UInt8]) {
    guard !literal.isEmpty else { return }
    // By code point: the halves of a pair may have met where a `\` between them went.
    var text = Text()
    for point in Text(wellFormed: literal).codePoints { text.append(point) }
    parts.append(.literal(text))
    literal = []
  }

  private mutating func readNumber(at index: inout Int, groupCount: Int) {
    let start = index
    index += 1
    var number = 0
    var isFirst = true
    while index < bytes.count, let digit = Self.digit(bytes[index]) {
      if !isFirst && number * 10 + digit > groupCount { break }
      number = number * 10 + digit
      isFirst = false
      index += 1
    }
    guard number <= groupCount else {
      error = TemplateError(reason: .missingGroup(number), offset: UInt32(start))
      return
    }
    appendGroup(number, otherwise: "")
  }

  /// A group that took no part in the match is empty as `$1`, but `null` as `${name}`: the
  /// emulator's defect, kept for its answers.
  private mutating func readName(at index: inout Int, among names: [[UInt8]?]) {
    let start = index
    var end = index + 2
    while end < bytes.count, bytes[end] != UInt8(ascii: "}") { end += 1 }
    guard end < bytes.count else {
      error = TemplateError(reason: .unclosedName, offset: UInt32(start))
      return
    }
    let name = Array(bytes[start + 2..<end])
    index = end + 1
    guard let number = names.firstIndex(of: name) else {
      error = TemplateError(reason: .unknownName, offset: UInt32(start))
      return
    }
    appendGroup(number, otherwise: "null")
  }

  private mutating func appendGroup(_ number: Int, otherwise: Text) {
    if number == 0 { return parts.append(.group(0, otherwise: otherwise)) }
    let known = groups.firstIndex(of: number)
    if known == nil { groups.append(number) }
    parts.append(.group(2 * (known ?? groups.count - 1) + 2, otherwise: otherwise))
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte) - 0x30 : nil
  }
}
