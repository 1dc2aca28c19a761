import RulesEval
import RulesLang

/// A suite's text with more tests in it.
///
/// They are inserted behind the last test and the comments that follow it, laid out as the tests before them.
/// Every other byte stays, but the last test may get a comma.
struct SuiteExtension {
  private let source: SourceText
  private let json: JSON
  private var style: SuiteTestText

  /// Reads the text of a suite; nil if it is none.
  init?(_ source: SourceText) {
    guard let json = try? JSONParser.parse(source), case .object(let members) = json.kind else {
      return nil
    }
    self.source = source
    self.json = json
    style = SuiteTestText()
    if let end = source.bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0,
      source.bytes[end - 1] == UInt8(ascii: "\r")
    {
      style.lineEnd = "\r\n"
    }
    style.users = Self.users(of: members, in: source)
    style.time = members.first { $0.key == "time" }.flatMap { member in
      if case .string(let text) = member.value.kind { Timestamp(rfc3339: text) } else { nil }
    }
  }

  /// The time of the suite's requests, if it sets one.
  var time: Timestamp? { style.time }

  /// Returns the bytes of the file with more tests; nil if there is no place for them.
  func adding(_ sections: [SuiteTestText.Section]) -> [UInt8]? {
    guard case .object(let members) = json.kind else { return nil }
    var style = style
    let text: [UInt8]
    if let known = members.first(where: { $0.key == "tests" }) {
      guard case .array(let elements) = known.value.kind else { return nil }
      let outer = indent(at: known.keyRange.start) ?? "  "
      style.indent =
        elements.reversed().lazy.compactMap { indent(at: $0.range.start) }.first
        ?? outer + unit(outer)
      text = list(known.value.range, after: elements.last?.range.end, outer)
        .inserting(style.texts(sections), style.lineEnd)
    } else {
      let outer = members.last.flatMap { indent(at: $0.keyRange.start) } ?? "  "
      style.indent = outer + unit(outer)
      let tests = style.texts(sections).joined(separator: "," + style.lineEnd)
      let member = outer + "\"tests\": [\(style.lineEnd)\(tests)\(style.lineEnd)\(outer)]"
      text = list(json.range, after: members.last?.value.range.end, "")
        .inserting([member], style.lineEnd)
    }
    return (source.hadByteOrderMark ? [0xEF, 0xBB, 0xBF] : []) + text
  }

  /// Returns the spaces before something that begins its line; nil if it does not.
  private func indent(at place: UInt32) -> String? {
    let line = source.lineRange(source.line(of: place))
    let before = source.bytes[Int(line.start)..<Int(place)]
    guard before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    return String(decoding: before, as: UTF8.self)
  }

  /// Returns one more level of indentation in the style of some spaces.
  private func unit(_ indent: String) -> String { indent.contains("\t") ? "\t" : "  " }

  private func list(_ range: SourceRange, after last: UInt32?, _ indent: String) -> SuiteList {
    SuiteList(
      bytes: source.bytes, last: last.map { Int($0) }, open: Int(range.start),
      close: Int(range.end) - 1, indent: indent)
  }

  /// Returns the users that a suite names, each with the JSON that a test without the name would have.
  private static func users(
    of members: [JSON.Member], in source: SourceText
  ) -> [SuiteTestText.User] {
    guard let users = members.first(where: { $0.key == "users" }),
      case .object(let named) = users.value.kind
    else { return [] }
    let tests = named.map { user in
      JSON(
        .object([
          JSON.Member("as", value: JSON(.string(user.key))),
          JSON.Member("get", value: JSON(.string("/a/b"))),
          JSON.Member("expect", value: JSON(.string("deny"))),
        ]))
    }
    let suite = JSON(.object([users, JSON.Member("tests", value: JSON(.array(tests)))]))
    let read = SuiteReader.read(suite, in: source).suite?.tests ?? []
    guard read.count == named.count else { return [] }
    return zip(named, read).map { user, test in
      SuiteTestText.User(name: user.key, principal: SuiteWriter.principal(test.principal))
    }
  }
}

/// The brackets of a list or object in a text, for inserting elements at its end.
private struct SuiteList {
  /// The whole text.
  var bytes: [UInt8]
  /// The end of the last element, if there is one.
  var last: Int?
  /// The offset of the opening bracket.
  var open: Int
  /// The offset of the closing one.
  var close: Int
  /// The indentation of the closing bracket, if it gets a line of its own.
  var indent: String

  /// Returns the text with more elements behind the last one and the comments after it.
  func inserting(_ elements: [String], _ lineEnd: String) -> [UInt8] {
    let start = last ?? open + 1
    let tail = Tail(bytes, in: start..<close)
    var text = Array(bytes[..<start])
    if last != nil, !tail.hasComma { text.append(UInt8(ascii: ",")) }
    text += bytes[start..<tail.end]
    text += Array((lineEnd + elements.joined(separator: "," + lineEnd)).utf8)
    if last != nil, tail.hasComma { text.append(UInt8(ascii: ",")) }
    let rest = bytes[tail.end..<close]
    if last == nil, !rest.contains(UInt8(ascii: "\n")) {
      text += Array((lineEnd + indent).utf8)
    } else {
      text += rest
    }
    return text + bytes[close...]
  }

  /// The text behind the last element: an optional comma, and comments.
  private struct Tail {
    /// True if there is a comma.
    var hasComma = false
    /// The end of the comma or the last comment.
    var end: Int

    /// Reads a part of a text, up to the closing bracket.
    init(_ bytes: [UInt8], in range: Range<Int>) {
      end = range.lowerBound
      var index = range.lowerBound
      while index < range.upperBound {
        switch bytes[index] {
        case UInt8(ascii: ","):
          hasComma = true
          index += 1
        case UInt8(ascii: "/"):
          index = Self.endOfComment(bytes, at: index, before: range.upperBound)
        default:
          index += 1
          continue
        }
        end = index
      }
    }

    /// Returns the end of a comment; for a line comment, without the end of the line.
    private static func endOfComment(_ bytes: [UInt8], at start: Int, before limit: Int) -> Int {
      var index = start + 2
      if bytes[start + 1] == UInt8(ascii: "/") {
        while index < limit, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        return bytes[index - 1] == UInt8(ascii: "\r") ? index - 1 : index
      }
      while index + 1 < limit,
        bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
      {
        index += 1
      }
      return min(index + 2, limit)
    }
  }
}
