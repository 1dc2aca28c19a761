import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// Propositions that are decided when they are made.
@Suite struct ProblemTests {
  @Test func whatTypesAndConstantsDecideIsNoAtom() {
    var problem = Problem()
    let number = problem.terms.variable(.limit, types: [.int, .float, .null])
    let text = problem.terms.variable(.uid, types: .string)
    let one = problem.constant(.int(1))
    #expect(problem.same(number, number) == .yes)
    #expect(problem.same(number, text) == .no)
    #expect(problem.same(one, problem.constant(.int(2))) == .no)
    #expect(problem.isType(of: text, in: [.string, .int]) == .yes)
    #expect(problem.isType(of: text, in: .int) == .no)
    #expect(problem.graph.count == 1)
    // Being null is a matter of type, and the type that is left is the negation.
    let isNull = problem.same(number, problem.terms.null)
    #expect(isNull == problem.isType(of: number, in: .null))
    #expect(problem.isType(of: number, in: [.int, .float]) == !isNull)
    #expect(problem.same(one, number) == problem.same(number, one))
  }

  @Test func aTextThatIsPutTogetherIsTakenApart() {
    var problem = Problem()
    let x = problem.terms.variable(.uid, types: .string)
    let head = problem.text("a/")
    let sum = problem.terms.apply(.operation(.add), to: [head, x], types: .string)
    #expect(problem.same(sum, problem.text("a/b")) == problem.same(x, problem.text("b")))
    #expect(problem.same(problem.text("a/"), sum) == problem.same(x, problem.text("")))
    #expect(problem.same(sum, problem.text("b")) == .no)
    #expect(problem.same(sum, problem.text("a")) == .no)
  }

  @Test func aBoolIsNotFalseExactlyIfItIsTrue() {
    var problem = Problem()
    let flag = problem.flag(.stored)
    let term = problem.terms.variable(.flag(.stored), types: .bool)
    #expect(problem.same(term, problem.terms.no) == !flag)
    #expect(problem.equal(term, problem.constant(.bool(true))) == flag)
  }

  @Test func constantsAreEqualAsTheEvaluatorSays() {
    var problem = Problem()
    let values: [Value] = [
      .int(1), .float(1), .float(.nan), .float(0), .float(-0.0), .int(0), .string("1"), .null,
      .list([.int(1)]), .list([.float(1)]),
    ]
    for one in values {
      for other in values {
        let (left, right) = (problem.constant(one), problem.constant(other))
        #expect(
          problem.equal(left, right) == (Value.areEqual(one, other) ? .yes : .no),
          "\(ValueText.short(one)), \(ValueText.short(other))")
      }
    }
  }

  @Test func anAxiomIsStatedOnceAndTrueNever() {
    var problem = Problem()
    let flag = problem.flag(.stored)
    problem.require(flag)
    problem.require(flag)
    problem.require(.yes)
    problem.require(.no, implies: flag)
    #expect(problem.axioms == [flag])
    problem.require(!flag)
    #expect(problem.axioms == [flag, !flag])
  }
}
