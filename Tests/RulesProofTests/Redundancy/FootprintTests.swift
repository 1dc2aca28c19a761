import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Which changes to rules can change what they say to a request.
@Suite struct FootprintTests {
  private static let left = "resource.data.a == 1"
  private static let right = "resource.data.b == 2"

  private let rules: Checked
  private let allow = AllowID(0)

  init() throws {
    rules = try Scripted.checked(
      "match /c/{id} { allow get: if (\(Self.left) || \(Self.right)) && request.auth != null; }")
  }

  private func footprint(of data: [(Text, Value)]) throws -> Footprint {
    let path = DocumentPath(["c", "x"])
    let request = Request(
      principal: Principal(uid: "a"), time: .epoch, operation: .get([path]))
    return Footprint(
      of: try Engine(rules).decide(
        request, on: Documents([(path, MapValue(data))]), tracing: true))
  }

  private func place(_ text: String) throws -> ExprID {
    let found = rules.ruleset.expressions.indices.first { index in
      let range = rules.ruleset.expressions[index].range
      let bytes = rules.ruleset.source.bytes[Int(range.start)..<Int(range.end)]
      return String(decoding: bytes, as: UTF8.self) == text
    }
    return ExprID(try #require(found))
  }

  @Test func whatIsNotLookedAtOrIsSoAlreadyChangesNothing() throws {
    let footprint = try footprint(of: [("a", .int(1))])
    func touches(_ edit: RulesEdit) -> Bool {
      footprint.isTouched(by: Overlay([edit]), in: rules.ruleset)
    }
    #expect(!touches(.constant(try place(Self.right), true)))
    #expect(!touches(.constant(try place(Self.left), true)))
    #expect(touches(.constant(try place(Self.left), false)))
    #expect(!touches(.condition(allow, true)))
    #expect(touches(.condition(allow, false)))
    #expect(touches(.methods(allow, .read)))
    let edits: Set<RulesEdit> = [
      .constant(try place(Self.right), true), .constant(try place(Self.left), false),
    ]
    #expect(footprint.isTouched(by: Overlay(edits), in: rules.ruleset))
  }

  @Test func anErrorIsNeitherTrueNorFalse() throws {
    let footprint = try footprint(of: [("b", .int(2))])
    let left = try place(Self.left)
    for value in [true, false] {
      #expect(footprint.isTouched(by: Overlay([.constant(left, value)]), in: rules.ruleset))
    }
    #expect(!footprint.isGranted(by: allow, withoutErrorAt: [left], in: rules.ruleset))
    let plain = try self.footprint(of: [("a", .int(3)), ("b", .int(2))])
    #expect(plain.isGranted(by: allow, withoutErrorAt: [left], in: rules.ruleset))
    let refused = try self.footprint(of: [("a", .int(3)), ("b", .int(3))])
    #expect(!refused.isGranted(by: allow, withoutErrorAt: [left], in: rules.ruleset))
  }
}
