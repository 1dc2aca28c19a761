import Foundation
import RulesProof
import Testing

@testable import RulesProofTesting
@testable import RulesTesting

/// Claims as SMT-LIB scripts. With SMTLIB=FOLDER the scripts of CLAIMS random claims a seed are
/// written there, for solvers to answer.
@Suite struct ScriptTests {
  @Test(arguments: 100..<110)
  func aScriptIsClosedAndStatesWhatWasFound(_ seed: Int) throws {
    var maker = ClaimMaker(seed: UInt64(seed))
    for number in 0..<Wanted.number("CLAIMS", usually: 2) {
      let question = maker.next()
      let asked = try Asked(question.blocks, question.claim)
      let script = Prover(asked.claims).script(of: 0)
      #expect(isClosed(script), "seed \(seed), question \(number)")
      #expect(script.hasSuffix("(check-sat)\n"))
      switch asked.verdicts[0] {
      case .proved, .vacuous: #expect(script.contains("(set-info :status unsat)"))
      case .violated: #expect(script.contains("(set-info :status sat)"))
      case .undecided: #expect(!script.contains(":status"))
      }
      guard let folder = Wanted.text("SMTLIB") else { continue }
      let text = "; " + (question.blocks + question.claim).replacing("\n", with: "\n; ")
      try (text + "\n" + script).write(
        toFile: folder + "/\(seed)-\(number).smt2", atomically: true, encoding: .utf8)
    }
  }

  /// Whether parentheses outside of comments, quotes and bars match.
  private func isClosed(_ script: String) -> Bool {
    var depth = 0
    for line in script.split(separator: "\n") where !line.hasPrefix(";") {
      var quote: Character?
      for character in line {
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "|" {
          quote = character
        } else if character == "(" {
          depth += 1
        } else if character == ")" {
          depth -= 1
          if depth < 0 { return false }
        }
      }
      if quote != nil { return false }
    }
    return depth == 0
  }

  @Test(arguments: [
    ("[a-c]x", #"(re.++ (re.range "a" "c") (str.to_re "x"))"#),
    ("^a?$", #"(re.++ (str.to_re "") (re.opt (str.to_re "a")) (str.to_re ""))"#),
    (#"\x{1F600}"#, #"(re.++ (str.to_re "\u{d83d}") (str.to_re "\u{de00}"))"#),
    ("a{2,}", #"(re.++ ((_ re.^ 2) (str.to_re "a")) (re.* (str.to_re "a")))"#),
    (#"\\"#, #"(str.to_re "\u{5c}")"#), ("\"", #"(str.to_re """")"#),
  ])
  func aPatternIsWrittenOverUTF16Units(_ pattern: String, _ expression: String) throws {
    let escaped = pattern.replacing("\\", with: "\\\\")
    let asked = try Asked(
      "match /a/{id} { allow get: if resource.data.x.matches('\(escaped)'); }",
      #"{"path": "/a/{id}", "methods": "get", "never": true}"#)
    let script = Prover(asked.claims).script(of: 0)
    #expect(script.contains(" " + expression + ")"))
  }

  @Test func aPatternThatLooksAroundIsNotInterpreted() throws {
    let asked = try Asked(
      #"match /a/{id} { allow get: if resource.data.x.matches('a\\bc'); }"#,
      #"{"path": "/a/{id}", "methods": "get", "never": true}"#)
    let script = Prover(asked.claims).script(of: 0)
    #expect(script.contains("(declare-fun |matches a%5cbc| (Value) Bool)"))
    #expect(script.components(separatedBy: "str.in_re").count > 1)
  }
}
