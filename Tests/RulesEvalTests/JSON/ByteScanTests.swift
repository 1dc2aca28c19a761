import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Looking for bytes eight at a time against looking at each.
@Suite struct ByteScanTests {
  @Test func everyByteIsFoundWhereItStandsFirst() {
    var dice = Dice(seed: 31)
    var found = 0
    for _ in 0..<3000 {
      let alphabet: [UInt8] = [
        0, 9, 0x1F, 0x20, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xA2, 0xFF,
      ]
      let plain = dice.chance(50)
      let bytes: [UInt8] = dice.several(0...40) {
        plain && $0.chance(95) ? 0x61 : $0.pick(alphabet)
      }
      let start = dice.roll(bytes.count + 1)
      let range = start..<(start + dice.roll(bytes.count - start + 1))
      func first(_ isOne: (UInt8) -> Bool) -> Int {
        range.first { isOne(bytes[$0]) } ?? range.upperBound
      }
      for byte in [UInt8(0), 0x22, 0x80, 0xFF] {
        let expected = first { $0 == byte }
        if expected < range.upperBound { found += 1 }
        #expect(bytes.place(of: byte, in: range) == expected, "\(byte) in \(range) of \(bytes)")
        let count = bytes[range].filter { $0 == byte }.count
        #expect(bytes.count(of: byte, in: range) == count, "\(byte) in \(range) of \(bytes)")
      }
      #expect(
        bytes.endOfPlainString(in: range) == first { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C },
        "\(range) of \(bytes)")
      #expect(bytes.isASCII(in: range) == bytes[range].allSatisfy { $0 < 0x80 }, "\(bytes)")
    }
    #expect(found > 500)
  }

  @Test func keysThatWereReadBeforeAreTheirOwnText() throws {
    var keys = JSONKeys()
    // More keys than there is room for, so that they take each other's places.
    for round in 0..<3 {
      for number in 0..<500 {
        let text = "{\"key\(number)\": \(round), \"\": 1, \"é\\u00e9\": 2}"
        let bytes = Array(text.utf8)
        let json = try JSONParser.parse(bytes, in: 0..<bytes.count, keys: &keys)
        guard case .object(let members) = json.kind else {
          Issue.record("no object: \(text)")
          continue
        }
        #expect(members.map { $0.key } == [Text("key\(number)"), Text(), Text("éé")])
      }
    }
  }

  @Test func keysThatAreExpectedAreReadOnlyWhereTheyStand() throws {
    var dice = Dice(seed: 32)
    var keys = JSONKeys()
    let names = ["as", "path", "a", "ab", "abc", #"a\"b"#, #"a\\"#, #"\u0061b"#, "", "é"]
    for _ in 0..<500 {
      var members = dice.several(0...5) { $0.pick(names) }
      // Half of the objects are as the one before could have been.
      if dice.chance(50) { members = ["as", "path", "ab"] }
      let text = "{" + members.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
      let bytes = Array(text.utf8)
      func read(_ keys: inout JSONKeys) -> String {
        switch Result(catching: { try JSONParser.parse(bytes, in: 0..<bytes.count, keys: &keys) }) {
        case .success(let json): "\(json)"
        case .failure(let problem): "\(problem)"
        }
      }
      var none = JSONKeys()
      #expect(read(&keys) == read(&none), "\(text)")
    }
  }
}
