import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesTesting

/// A change in a function is asked of the function itself, and one in a statement of what the statement is
/// for. Neither changes an answer.
@Suite struct FunctionChangeTests {
  private static let functions = [
    "function f(x) { return request.auth != null && request.auth.uid == x; }",
    "function f(x) { return x != null && (x == 'a' || x == 'b'); }",
    "function f(x) { return request.auth != null && request.auth.token.r == 'a' || x == 'a'; }",
    "function f(x) { let r = request.auth != null && x is string; return r && x.size() > 0; }",
    "function f(x) { return request.auth != null ? request.auth.uid == x : false; }",
    """
    function r() { return request.auth != null && request.auth.token.r != null ? 'a' : 'b'; }
    function f(x) { return request.auth != null && r() == 'a'; }
    """,
    "function f(x) { return x is string && x is string; }",
    "function f(x) { return x.time is timestamp && x is map; }",
    "function f(x) { return x.id is string || x is path; }",
  ]

  private static let uses = [
    "f(ARG)", "!f(ARG)", "f(ARG) == false", "(f(ARG) ? false : true)", "(true ? f(ARG) : false)",
    "f(ARG) || resource.data.open == true", "g(ARG) || h(ARG)", "f(f(ARG))", "f(ARG) in [false]",
  ]

  private static let arguments = [
    "x", "'a'", "request.resource.data.a", "resource.data", "request.path", "request", "resource",
    "get(/databases/(default)/documents/b/$(x)).data.a", "request.auth.token.a", "request.query",
  ]

  private static func rules(_ function: String, _ use: String, _ argument: String) -> String {
    let condition = condition(use, argument)
    let others = """
      function g(x) { return f(x) && x != 'c'; }
      function h(x) { let known = f(x); return !known; }
      """
    let blocks = ["a", "b", "c", "d"].map {
      "match /\($0)/{x} { allow read, write: if \(condition); }"
    }
    return ([function, others] + blocks).joined(separator: "\n")
  }

  private static func condition(_ use: String, _ argument: String) -> String {
    use.split(separator: "ARG", omittingEmptySubsequences: false).joined(separator: argument)
  }

  /// Compares what a trial says of all parts of functions with what two files say by themselves.
  private func compare(_ text: String, _ tell: (String) -> Void) throws -> (alike: Int, other: Int)
  {
    let search = RedundancySearch(Engine(try Scripted.checked(text)))
    var (alike, other) = (0, 0)
    for body in search.bodies {
      for chain in body.chains {
        for index in chain.operands.indices {
          let removal = Removal.operand(chain: chain.id, index: index)
          let (from, to) = (search.text.inEffect([]), search.text.inEffect([removal]))
          var plain = RulesComparison(
            from: try #require(search.trial.engine(from.patch)),
            to: try #require(search.trial.engine(to.patch)))
          plain.shrinks = false
          switch (search.trial.effect(from: from, to: to), plain.effect()) {
          case (.nothing, .nothing): alike += 1
          case (.something, .something): other += 1
          case (.nothing, .something), (.something, .nothing): tell("\(removal) in \(text)")
          default: break
          }
          let failsNoMore = search.trial.failsNoMore(from: from.patch, to: to.patch)
          if failsNoMore, !plain.failsNoMore() { tell("errors of \(removal) in \(text)") }
        }
      }
    }
    return (alike, other)
  }

  /// The function `f` of rules, in what is known of all their versions.
  private func known(_ text: String) throws -> (shared: SharedComparison, function: FunctionID) {
    let rules = try Scripted.checked(text)
    let index = try #require(rules.ruleset.functions.firstIndex { $0.name.text == "f" })
    return (SharedComparison(rules), FunctionID(index))
  }

  @Test(arguments: uses)
  func whoTellsFalseFromAnErrorIsKnown(_ use: String) throws {
    let others = "match /z/{x} { allow read: if f(x); }"
    let (shared, function) = try known(
      "function f(x) { return x == 'a'; }\n" + others + "\n"
        + "function g(x) { return f(x) && x != 'c'; }\n"
        + "function h(x) { let known = f(x); return !known; }\n"
        + "match /y/{x} { allow read: if \(Self.condition(use, "x")); }")
    let isWanted = ["f(ARG)", "(true ? f(ARG) : false)", "f(ARG) || resource.data.open == true"]
    // `h` stands there, called or not.
    #expect(!shared.isOnlyWanted(function))
    let alone = try known(
      "function f(x) { return x == 'a'; }\nfunction g(x) { return f(x) && x != 'c'; }\n"
        + "function h(x) { return g(x); }\n"
        + "match /y/{x} { allow read: if \(Self.condition(use, "x")); }")
    #expect(
      alone.shared.isOnlyWanted(alone.function)
        == (isWanted.contains(use) || use == "g(ARG) || h(ARG)"))
  }

  @Test(arguments: arguments)
  func whatIsPassedIsWhatAFieldCanHave(_ argument: String) throws {
    let (shared, function) = try known(
      "function f(x) { return x == 'a'; }\nfunction g(x) { return f(x); }\n"
        + "match /y/{x} { allow read: if g(\(argument)); }")
    let others = ["request.path", "request", "resource", "request.query"]
    #expect(shared.takesPlainValues(function) == !others.contains(argument))
  }

  @Test(arguments: functions.indices.prefix(Wanted.cases(1, of: functions.count)))
  func aFunctionSaysWhatAllItsCallersSay(_ index: Int) throws {
    var random = SplitMix(seed: UInt64(index))
    var (alike, other) = (0, 0)
    for use in ["f(ARG)", "g(ARG) || h(ARG)"]
      + (0..<2).map({ _ in Self.uses.randomElement(using: &random)! })
    {
      let argument = Self.arguments[Int(random.next() % UInt64(Self.arguments.count))]
      let text = Self.rules(Self.functions[index], use, argument)
      guard Checker.check(SourceText(name: "test.rules", Scripted.text(text))).checked != nil else {
        continue
      }
      let found = try compare(text) { Issue.record("\($0)") }
      alike += found.alike
      other += found.other
    }
    #expect(alike > 0)
    #expect(other > 0)
  }
}
