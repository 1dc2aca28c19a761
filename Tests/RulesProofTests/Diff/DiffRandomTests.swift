import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesEncoding
@testable import RulesTesting

/// Random pairs of rules files: what the comparison says must agree with trying every request of a
/// tiny world. `RULES_CHECK_PAIRS` sets how many pairs, `RULES_CHECK_SEED` where they begin.
@Suite struct DiffRandomTests {
  @Test func verdictsAgreeWithTryingEveryRequest() throws {
    let count = Wanted.number("RULES_CHECK_PAIRS", usually: 40, sample: 3)
    let first = Wanted.seed("RULES_CHECK_SEED")
    let world = TinyWorld()
    var tally: [String: Int] = [:]
    for seed in first..<(first + UInt64(count)) {
      var maker = PairMaker(seed: seed)
      let (oldText, newText) = maker.pair()
      let old = try engine(oldText)
      let new = try engine(newText)
      let paths = RulesComparison(from: old, to: new).run()
      let tried = world.compare(old, new)
      for method in RulesLang.Method.allCases {
        let verdicts = paths.flatMap { $0.methods }.filter { $0.method == method }.map(\.verdict)
        let isOpen = verdicts.contains(.undecided)
        let isLoosened = verdicts.contains { $0 == .loosened || $0 == .changed }
        let isTightened = verdicts.contains { $0 == .tightened || $0 == .changed }
        let note = "seed \(seed), \(method.word):\n\(oldText)\n\(newText)"
        if tried[method]?.isLoosened ?? false { #expect(isLoosened || isOpen, "\(note)") }
        if tried[method]?.isTightened ?? false { #expect(isTightened || isOpen, "\(note)") }
        for verdict in verdicts { tally[verdict.rawValue, default: 0] += 1 }
      }
      for verdict in paths.flatMap({ $0.methods }) where verdict.verdict == .undecided {
        guard verdict.openReasons.contains(where: { $0.openReason.replay != nil }) else { continue }
        tally["undecided by a defect of ours", default: 0] += 1
        if Wanted.text("RULES_CHECK_SHOW") != nil {
          print("seed \(seed), \(verdict.method.word):\n\(oldText)\n\(newText)")
        }
      }
      for difference in paths.flatMap({ $0.differences }) {
        for witness in difference.witnesses {
          let before = try old.decide(witness.request, on: witness.documents).isAllowed
          let after = try new.decide(witness.request, on: witness.documents).isAllowed
          #expect(before != after && after == difference.isLoosened, "seed \(seed)")
          tally["witnesses", default: 0] += 1
        }
      }
    }
    let counts = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("diff: \(count) random pairs: \(counts.joined(separator: ", "))")
    #expect(tally["witnesses", default: 0] > count / 2)
    #expect(tally["equivalent", default: 0] > 0)
    #expect(tally["undecided", default: 0] * 20 < count * 5)
  }

  private func engine(_ text: String) throws -> Engine {
    let outcome = Checker.check(SourceText(name: "pair.rules", text))
    let checked = outcome.checked
    return Engine(try #require(checked, "\(text)"))
  }
}

/// Every request over two users, two documents and a handful of values.
struct TinyWorld {
  /// The requests.
  let requests: [(method: RulesLang.Method, request: Request, documents: Documents)]

  init() {
    let users: [Principal?] = [
      nil, Principal(uid: "a"), Principal(uid: "b"),
      Principal(uid: "a", claims: MapValue([("admin", .bool(true))])),
    ]
    let contents: [MapValue] = [
      MapValue(), MapValue([("x", .int(1))]), MapValue([("x", .string("a"))]),
      MapValue([("x", .bool(true)), ("y", .int(5))]), MapValue([("y", .string("b"))]),
      MapValue([("z", .int(1))]),
    ]
    var requests: [(RulesLang.Method, Request, Documents)] = []
    func add(
      _ method: RulesLang.Method, _ user: Principal?, _ operation: Request.Operation,
      _ documents: Documents
    ) {
      requests.append(
        (method, Request(principal: user, time: .epoch, operation: operation), documents))
    }
    for user in users {
      for id in ["a", "b"] as [Text] {
        let path = DocumentPath(["t", id])
        add(.get, user, .get([path]), Documents([]))
        add(.delete, user, .commit([Write(to: path, .delete)]), Documents([]))
        for old in contents {
          let stored = Documents([(path, old)])
          add(.get, user, .get([path]), stored)
          add(.delete, user, .commit([Write(to: path, .delete)]), stored)
          add(
            .create, user,
            .commit([Write(to: path, .set(old, mask: nil), precondition: .missing)]), Documents([]))
          for new in contents {
            add(
              .update, user,
              .commit([Write(to: path, .set(new, mask: nil), precondition: .exists)]), stored)
          }
        }
      }
      for limit in [nil, 1, 10] as [Int64?] {
        var query = Query(parent: DocumentPath([]), collection: "t")
        query.limit = limit
        add(.list, user, .list(query), Documents([]))
        query.filter = .field(FieldPath(["x"]), .equal, .int(1))
        add(.list, user, .list(query), Documents([]))
      }
    }
    self.requests = requests
  }

  /// For each method whether some request became allowed, and whether one became denied.
  func compare(
    _ old: Engine, _ new: Engine
  ) -> [RulesLang.Method: (isLoosened: Bool, isTightened: Bool)] {
    var found: [RulesLang.Method: (isLoosened: Bool, isTightened: Bool)] = [:]
    for (method, request, documents) in requests {
      guard let before = try? old.decide(request, on: documents).isAllowed,
        let after = try? new.decide(request, on: documents).isAllowed
      else { continue }
      if after, !before { found[method, default: (false, false)].isLoosened = true }
      if before, !after { found[method, default: (false, false)].isTightened = true }
    }
    return found
  }
}
