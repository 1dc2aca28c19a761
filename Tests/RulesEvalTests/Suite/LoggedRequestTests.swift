import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Lines of a log read straight from their text against the same lines read as trees.
@Suite struct LoggedRequestTests {
  @Test func whatIsReadStraightIsWhatTheTreeGives() {
    var dice = Dice(seed: 20)
    var keys = JSONKeys()
    var counts = (straight: 0, readable: 0, refused: 0)
    let count = Wanted.cases(500, of: 4000)
    for number in 0..<count {
      var line = LogLineMaker.line(&dice)
      if dice.chance(30) { LogLineMaker.damage(&line, &dice) }
      // In the middle of a block, as lines are.
      let block = Array("\n\n".utf8) + line + Array("\n{".utf8)
      let range = 2..<(2 + line.count)
      let documents: [Text] = ["before", "after"]
      if line.allSatisfy({ $0 < 0x80 }),
        JSONParser.record(
          block, in: range, documents: documents, database: .standard, keys: &keys) != nil
      {
        counts.straight += 1
      }
      let read = SuiteReader.readLogged(block, in: range, now: .epoch, keys: &keys)
      var noKeys = JSONKeys()
      let tree = SuiteReader.readLoggedByTree(block, in: range, now: .epoch, keys: &noKeys)
      let text = String(decoding: line, as: UTF8.self)
      #expect(Self.text(read) == Self.text(tree), "line \(number): \(text)")
      if tree.logged == nil { counts.refused += 1 } else { counts.readable += 1 }
      #expect((tree.logged == nil) == !tree.diagnostics.isEmpty, "\(text)")
    }
    #expect(
      counts.straight > count / 4 && counts.readable > count / 4 && counts.refused > count / 8,
      "\(counts)")
  }

  @Test(arguments: [
    #"{"a":1,"a":2}"#, #"{"a":{"b":1,"b":1}}"#, #"{"$timestamp":"2025-10-21T09:00:00.1234567Z"}"#,
    #"{"a":{"$timestamp":"2025-10-21T09:00:00.123456789Z"}}"#, #"{"a":{"$int":"7"},"$b":1}"#,
    #"{"a":{"$nope":1}}"#, #"{"a":{ "$float":1}}"#, #"{"a":{"b":1,"$float":1}}"#,
    #"{"a":[{"$bytes":"AQI="},{},[],null,true,-0,-1,1e2,1.5]}"#, #"{"a":9223372036854775807}"#,
    #"{"a":9223372036854775808}"#, #"{"a":-9223372036854775808}"#, #"{"a":999999999999999999}"#,
    #"{"a":01}"#, #"{"a":-}"#, #"{"a":tru}"#, #"{"a":{"$serverTimestamp":true}}"#,
    #"{"a":"\u0041"}"#,
    #"{"\u0024float":1}"#, #"{"":""}"#, "{}", "null", "[]", #"{"a":1,}"#, #"{"a":1 /* b */ }"#,
    #"{"a":"é"}"#, "{\"a\":\"\t\"}", #"{"a""#, #"{"a":[1"#,
  ])
  func oddDocumentsAreReadAlike(_ document: String) {
    for members in [
      #""method":"create","path":"/a/b","after":"#,
      #""method":"delete","path":"/a/b","after":{},"before":"#,
    ] {
      let line = Array("{\(members)\(document)}".utf8)
      var keys = JSONKeys()
      let read = SuiteReader.readLogged(line, in: 0..<line.count, now: .epoch, keys: &keys)
      let tree = SuiteReader.readLoggedByTree(line, in: 0..<line.count, now: .epoch, keys: &keys)
      #expect(Self.text(read) == Self.text(tree), "\(members)\(document)")
    }
  }

  private static func text(
    _ read: (logged: LoggedRequest?, diagnostics: [Diagnostic])
  ) -> String {
    let complaints = read.diagnostics.map {
      "\($0.message) at \($0.range.map { "\($0)" } ?? "none") \($0.help ?? "")"
    }
    guard let logged = read.logged else { return complaints.joined(separator: "\n") }
    var parts = [
      "\(logged.method) \(String(logged.path)) \(logged.principalName.map { String($0) } ?? "-")",
      logged.request.time.description,
      logged.request.principal.map { JSONText($0.value).compact } ?? "-",
    ]
    for (path, data) in logged.documents.all {
      parts.append(String(path.text) + JSONText(Value.map(data)).compact)
    }
    switch logged.request.operation {
    case .get(let paths): parts.append(paths.map { String($0.text) }.joined(separator: " "))
    case .list(let query): parts.append("\(query)")
    case .commit(let writes):
      for write in writes {
        parts.append("\(String(write.path.text)) \(write.precondition)")
        if case .set(let data, let mask) = write.change {
          parts.append(JSONText(Value.map(data)).compact + "\(mask?.count ?? -1)")
        }
      }
    }
    return (parts + complaints).joined(separator: "\n")
  }
}

/// Makes lines of logs up.
enum LogLineMaker {
  /// A line that is mostly fine.
  static func line(_ dice: inout Dice) -> [UInt8] {
    var members: [String] = []
    let method = dice.pick(["get", "list", "create", "update", "delete", "update", "upd"])
    members.append("\"method\":\"\(method)\"")
    let path =
      method == "list" ? ["/users", "a/b/c"] : ["/users/alice", "users/bob", "/a//b", "/a"]
    members.append("\"path\":\"\(dice.chance(80) ? path[0] : dice.pick(path))\"")
    if dice.chance(80) { members.append("\"as\":" + dice.pick(principals)) }
    let before = document(&dice)
    if dice.chance(70) { members.append("\"before\":" + before) }
    if dice.chance(85) { members.append("\"after\":" + after(before, &dice)) }
    if dice.chance(10) { members.append("\"time\":\"2025-10-21T09:00:00Z\"") }
    if dice.chance(10) { members.append("\"documents\":{\"/c/d\":\(document(&dice))}") }
    if method == "list", dice.chance(50) {
      members.append("\"query\":{\"where\":[[\"owner\",\"==\",\"alice\"]]}")
    }
    if dice.chance(3) { members.append("\"afer\":1") }
    if dice.chance(3), let again = members.last { members.append(again) }
    members.sort { _, _ in dice.chance(50) }
    let space = dice.chance(50) ? " " : ""
    return Array("\(space){\(members.joined(separator: "," + space))\(space)}".utf8)
  }

  /// Changes some bytes of a line.
  static func damage(_ line: inout [UInt8], _ dice: inout Dice) {
    for _ in 0...dice.roll(2) {
      let place = dice.roll(line.count)
      switch dice.roll(3) {
      case 0: line.remove(at: place)
      case 1: line.insert(dice.pick(Array("{}[]\",:\\/$0-.eé\t".utf8)), at: place)
      default: line[place] = dice.pick(Array("{}[]\",:\\/$0-.eé\t".utf8))
      }
      if line.isEmpty { line = [0x20] }
    }
  }

  private static let principals = [
    "null", "\"alice\"", "\"mallory\"", "\"\\u0061lice\"", "{\"uid\":\"alice\"}",
    "{\"uid\":\"bob\",\"token\":{\"admin\":true}}", "7", "{}",
  ]

  private static func document(_ dice: inout Dice) -> String {
    dice.chance(5) ? "null" : map(&dice, depth: 0, upTo: dice.chance(10) ? 30 : 6)
  }

  /// Mostly a document that has much in common with the one before.
  private static func after(_ before: String, _ dice: inout Dice) -> String {
    if dice.chance(40) { return document(&dice) }
    var text = before
    for _ in 0..<dice.roll(3) {
      let old = dice.pick(["alice", "a", "1", "true", "\\n", "\\ud83d", "long", ","])
      let new = dice.pick(["bob", "b", "\\n", "\n", "\\\"", "", ",\"more\":1,", "\\ud83d\\ude00"])
      text = text.replacing(old, with: new)
    }
    return text
  }

  private static func map(_ dice: inout Dice, depth: Int, upTo size: Int) -> String {
    var members: [String] = []
    let keys = ["a", "b", "owner", "fcmToken", "displayName", "é", "\\u0061b", ""]
    for number in 0..<dice.roll(size + 1) {
      let key = number < 4 ? keys[number] : "\(dice.pick(keys))\(number)"
      members.append("\"\(key)\":\(value(&dice, depth: depth + 1))")
    }
    let space = dice.chance(30) ? " " : ""
    return "{\(space)\(members.joined(separator: ",\(space)"))}"
  }

  private static func value(_ dice: inout Dice, depth: Int) -> String {
    switch dice.roll(depth > 3 ? 8 : 10) {
    case 0: return dice.pick(["0", "-1", "1234567", "9223372036854775807", "99999999999999999999"])
    case 1: return dice.pick(["1.5", "-2e3", "0.1", "1E-2"])
    case 2: return dice.pick(["true", "false", "null"])
    case 3, 4: return dice.pick(["\"\"", "\"alice\"", "\"a long text with spaces\"", "\"é\""])
    case 5: return dice.pick(["\"a\\n\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\""])
    case 6:
      return dice.pick([
        "{\"$timestamp\":\"2025-10-21T09:00:00.123456789Z\"}", "{\"$float\":1}",
        "{\"$bytes\":\"AQI=\"}", "{ \"$int\":\"7\"}", "{\"$map\":{\"$a\":1}}", "{\"$no\":1}",
      ])
    case 7: return "{\"$latlng\":[1,2]}"
    case 8: return map(&dice, depth: depth, upTo: 4)
    default:
      let elements = (0..<dice.roll(4)).map { _ in value(&dice, depth: depth + 1) }
      return "[\(elements.joined(separator: ","))]"
    }
  }
}
