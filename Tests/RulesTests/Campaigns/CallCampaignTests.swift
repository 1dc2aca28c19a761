import FirestoreTransport
import FirestoreWire
import RulesLang
import Testing

@testable import rules_check_dev

/// Made-up sequences of calls, put to our emulator alone. Beside the official one by
/// `rules-check-dev differential --calls 20000`.
@Suite struct CallCampaignTests {
  @Test func theSeedOfAWorldDecidesTheAnswers() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let (one, other) = (CallWorld(seed: seed), CallWorld(seed: seed))
      #expect(one.rules == other.rules)
      let answers = try one.ourAnswers().map(\.lines)
      #expect(answers == (try other.ourAnswers().map(\.lines)))
      #expect(answers.count == CallWorld.size)
    }
  }

  @Test func everyMethodIsCalledAndAllowedAndDenied() throws {
    var kinds: Set<String> = []
    var outcomes: Set<String> = []
    for seed in 1...12 as ClosedRange<UInt64> {
      let world = CallWorld(seed: seed)
      kinds.formUnion(world.steps.map(\.kind))
      outcomes.formUnion(try world.ourAnswers().map(\.outcome))
    }
    for method in FirestoreMethod.allCases where method != .partitionQuery {
      #expect(kinds.contains(method.name.description))
    }
    #expect(outcomes.isSuperset(of: ["OK", "PERMISSION_DENIED", "goes on", "NOT_FOUND"]))
  }

  @Test func listenersHearOfCommits() throws {
    let heard = try (1...12 as ClosedRange<UInt64>).flatMap { seed in
      try CallWorld(seed: seed).ourAnswers().filter { $0.status?.code == .ok }.flatMap(
        \.heard.values)
    }
    #expect(heard.contains { $0.contains { $0.contains("RESET") } })
  }

  @Test(arguments: [
    ("\nfalse for 'get' @ L3, false for 'get' @ L3", "\nfalse for 'get' @ L3", true),
    ("\nevaluation error at L3:5 for 'get' @ L3, x for 'get' @ L3", "\nx for 'get' @ L3", true),
    ("\nfalse for 'get' @ L3", "\nfalse for 'get' @ L4", false),
    ("No matching allow statements", "\nfalse for 'get' @ L4", false),
  ])
  func denialsAreEqualButForRepetitions(official: String, ours: String, isAllowed: Bool) {
    let step = CallStep(user: .bob, action: .unary(.getDocument)) { _ in WireMessage(.empty) }
    let explained = CallAllowance.explaining(
      answer(official), answer(ours), of: step)
    #expect((explained == .repeatedTexts) == isAllowed)
  }

  private static func change(_ type: String, _ target: Int) -> String {
    "{targetChange:{readTime:\"*\",targetChangeType:\"\(type)\",targetIds:[\(target)]}}"
  }

  private static func document(_ name: String, _ target: Int) -> String {
    "{documentChange:{document:{name:\"\(name)\"},targetIds:[\(target)]}}"
  }

  private static let snapshot = "{targetChange:{readTime:\"*\"}}"
  private static let query = [
    change("RESET", 4), document("a", 4), document("b", 4), change("CURRENT", 4),
  ]
  private static let other = [change("RESET", 3), document("a", 3), change("CURRENT", 3)]
  private static let swapped = [
    change("RESET", 4), document("b", 4), document("a", 4), change("CURRENT", 4),
  ]

  /// What listeners hear on both sides of a call, and what explains the difference.
  private static let heard: [(FirestoreMethod, [String], [String], CallAllowance?)] = [
    (
      .commit, [document("a", 2), document("b", 2), snapshot],
      [document("b", 2), document("a", 2), snapshot], .documentOrder
    ),
    (.commit, query + [snapshot], swapped + [snapshot], nil),
    (
      .commit, [document("a", 2), document("b", 3), snapshot],
      [document("b", 3), document("a", 2), snapshot], nil
    ),
    (
      .batchWrite, query + [snapshot, document("a", 2)] + query + [snapshot],
      [document("a", 2)] + query + [snapshot], .batchRounds
    ),
    (.batchWrite, query + [snapshot] + query + [snapshot], swapped + [snapshot], nil),
    (.commit, other + query + [snapshot], query + other + [snapshot], .targetOrder),
    (.commit, other + swapped + [snapshot], query + other + [snapshot], nil),
    (
      .commit, other + [snapshot] + query + [snapshot], query + [snapshot] + other + [snapshot], nil
    ),
    (.commit, query + [snapshot] + query + [snapshot], query + [snapshot], nil),
  ]

  @Test(arguments: heard.indices)
  func listenersMayHearDocumentsInAnotherOrderAndBatchesAtOnce(_ row: Int) {
    let (method, official, ours, expected) = Self.heard[row]
    let step = CallStep(user: .bob, action: .unary(method)) { _ in WireMessage(.empty) }
    let explained = CallAllowance.explaining(
      CallAnswer(status: .ok, heard: [.owner: official]),
      CallAnswer(status: .ok, heard: [.owner: ours]), of: step)
    #expect(explained == expected)
  }

  /// Orders of a group below a document, of which the official emulator refuses those by descending names.
  @Test(arguments: [(["__name__ desc", "__name__"], true), (["__name__", "__name__"], false)])
  func descendingNamesMayBeRefusedForAnotherMistake(_ orders: [String], _ isAllowed: Bool) {
    let step = CallStep(user: .bob, action: .unary(.runQuery)) { _ in
      WireMessage(.runQueryRequest) {
        $0[.runQueryRequestStructuredQuery] = WireMessage(.structuredQuery) {
          $0[.structuredQueryOrderBy] = orders.map { order in
            WireMessage(.order) {
              $0[.orderField] = WireMessage(.fieldReference) {
                $0[.fieldReferenceFieldPath] = "__name__"
              }
              $0[.orderDirection] = order.hasSuffix("desc") ? .descending : .ascending
            }
          }
        }
      }
    }
    let official = CallStatus(
      .failedPrecondition,
      "collection group queries are only allowed if they're at the root or they're an ascending primary "
        + "key scan")
    let ours = CallStatus(
      .invalidArgument, "order by clause cannot contain more fields after the key")
    let explained = CallAllowance.explaining(
      CallAnswer(status: official), CallAnswer(status: ours), of: step)
    #expect((explained == .descendingNames) == isAllowed)
  }

  private func answer(_ message: String) -> CallAnswer {
    CallAnswer(status: .init(.permissionDenied, message))
  }

  @Test func versionsAreNumberedAndTokensAreNot() {
    #expect(
      PlainAnswer.text(of: "the stored version (1795784844023528) is not 12")
        == "the stored version (VERSION) is not 12")
  }
}
