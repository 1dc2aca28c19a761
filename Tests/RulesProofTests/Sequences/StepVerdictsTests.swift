import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting

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

  /// A request that answers one question is tried on others about the same documents, unless a question is
  /// to be asked by itself.
  @Test func aRequestAnswersOtherQuestions() throws {
    let rules = """
      match /users/{u} { allow update: if request.auth.uid == u; }
      match /m/{u} { allow update: if request.auth.uid == u; }
      """
    func claim(_ path: String, from role: String, to other: String) -> String {
      "{\"path\": \"\(path)\", \"methods\": \"update\", "
        + "\"given\": \"request.resource.data.role == '\(other)'\", "
        + "\"onlyIf\": \"resource.data.role == '\(role)'\"}"
    }
    func asked(_ path: String, from role: String, to other: String) throws -> (Prover, Claim) {
      let set = try Asked(rules, claim(path, from: role, to: other)).claims
      return (Prover(set), set.claims[0].claim)
    }
    let known = StepVerdicts()
    let (prover, question) = try asked("/users/{u}", from: "b", to: "a")
    let verdict = prover.decide(0)
    #expect(verdict.word == "violated")
    #expect(known.borrow(for: question, by: prover) == nil)
    known.note(verdict, of: question)
    #expect(!known.isBorrowed(question))
    let (other, similar) = try asked("/users/{id}", from: "c", to: "a")
    #expect(known.borrow(for: similar, by: other)?.word == "violated")
    #expect(known.isBorrowed(similar) && known[StepVerdicts.Key(similar)] != nil)
    // Where it is open if it is asked itself, that stays its answer.
    known.note(.undecided([]), of: similar)
    #expect(!known.isBorrowed(similar))
    #expect(known[StepVerdicts.Key(similar)]?.word == "violated")
    // Neither what it is no answer to, nor what is about other documents.
    for (path, role) in [("/users/{u}", "b"), ("/m/{u}", "a")] {
      let (last, different) = try asked(path, from: "c", to: role)
      #expect(known.borrow(for: different, by: last) == nil)
    }
  }
}
