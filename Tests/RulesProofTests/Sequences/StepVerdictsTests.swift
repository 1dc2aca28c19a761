import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof

@Suite struct StepVerdictsTests {
  @Test func aQuestionThatWasGivenUpIsOpenForAllWhoHaveNoMoreSteps() {
    let path = ClaimPath([.literal("users"), .capture("user")], others: [])
    let claim = Claim(name: "", path: path, methods: .write, obligation: .never)
    let (key, known) = (StepVerdicts.Key(claim), StepVerdicts())
    func isKnown(within steps: Int) -> Bool {
      known.verdict(of: key, givenUpWithin: steps) != nil
    }
    #expect(!isKnown(within: 1))
    known.giveUp(key, as: .undecided([]), within: 100)
    known.giveUp(key, as: .undecided([]), within: 50)
    #expect(isKnown(within: 100))
    #expect(!isKnown(within: 101))
    #expect(known[key] == nil)
  }
}
