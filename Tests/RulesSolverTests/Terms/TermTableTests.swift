import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// Which terms are one: constants by type and bits, applications by operator and arguments.
@Suite struct TermTableTests {
  @Test func constantsAreOneTermExactlyIfTheyAreTheSameValue() {
    var terms = TermTable()
    let map = Value.map(MapValue([("a", .int(1)), ("b", .null)]))
    let turned = Value.map(MapValue([("b", .null), ("a", .int(1))]))
    #expect(terms.constant(map) == terms.constant(turned))
    #expect(terms.constant(.float(.nan)) == terms.constant(.float(-.nan)))
    #expect(terms.constant(.string("a")) == terms.text("a"))
    #expect(terms.constant(.bool(true)) == terms.yes && terms.constant(.null) == terms.null)
    let different: [Value] = [
      .int(0), .float(0), .float(-0.0), .bool(false), .string(""), .bytes([]), .list([]),
      .map(MapValue()), .list([.int(0)]), .list([.list([])]), .string("\u{e9}"),
      .string("e\u{301}"), .list([.string("a"), .string("b")]), .list([.string("ab")]), map,
    ]
    #expect(Set(different.map { terms.constant($0) }).count == different.count)
  }

  @Test func applicationsAreOneTermIfOperatorAndArgumentsAre() {
    var terms = TermTable()
    let x = terms.variable(.uid, types: .string)
    let y = terms.variable(.time, types: .timestamp)
    let one = terms.apply(.field, to: [x, y], types: .any)
    #expect(terms.apply(.field, to: [x, y], types: .any) == one)
    #expect(terms.apply(.field, to: [y, x], types: .any) != one)
    #expect(terms.apply(.element, to: [x, y], types: .any) != one)
    #expect(
      terms.apply(.plus(.int, 1), to: [x], types: .int)
        != terms.apply(
          .plus(.int, 2), to: [x], types: .int))
    #expect(terms.arguments(of: one) == [x, y] && terms.arguments(of: x) == [])
    #expect(x < one && y < one)
    #expect(terms.types(of: x) == .string && terms.value(of: x) == nil)
  }
}
