import RulesLang
import RulesProof
import Testing

@testable import RulesEval
@testable import RulesProofTesting
@testable import RulesVerify

/// Built-ins that the checker takes to be never an error: the evaluator has a value for each receiver and
/// argument of the right types, also at the ends of what a type has.
@Suite struct NeverFailingTests {
  /// Values at the ends of each type; `isOpen` adds what only a query leaves.
  private static func extremes(isOpen: Bool) throws -> [Value] {
    let duration = Duration.secondsRange
    var parts: [Value] = [
      .null, .bool(true), .int(0), .int(-1), .int(.min), .int(.max), .float(0), .float(-0.0),
      .float(.nan), .float(.infinity), .float(-.infinity), .float(.greatestFiniteMagnitude),
      .float(.leastNonzeroMagnitude), .float(0x1p63), .float(-0x1p63), .float(0.5), .string(""),
      .string("a"), .string("\u{1F600}("), .string(Text(units: [0xD83D])),
      .string(Text(String(repeating: "a%", count: 40))), .bytes([]), .bytes([0, 255]),
      .timestamp(.earliest), .timestamp(.latest), .timestamp(.epoch),
      .duration(try #require(Duration(seconds: duration.lowerBound, nanos: -999_999_999))),
      .duration(try #require(Duration(seconds: duration.upperBound, nanos: 999_999_999))),
      .latlng(LatLng(latitude: 90, longitude: 180)),
      .latlng(LatLng(latitude: -90, longitude: -180)),
      .path(PathValue(plain: ["a", "b"])), .path(PathValue([.capture("x", nil)])),
      .vector([0, 1.5]), .set(try SetValue([.float(.nan)])),
    ]
    if isOpen { parts.append(.constraint(Constraint([.init(.equal, value: .int(1))]))) }
    var values = parts + [.list([]), .map(MapValue()), .list(parts), .set(try SetValue([]))]
    for part in parts {
      values += [.list([part]), .list([.list([part])]), .map(MapValue([("a", part)]))]
      if let set = try? SetValue([part]) { values.append(.set(set)) }
    }
    let (one, other) = (
      MapValue([("a", .float(.nan))]), MapValue([("a", .list([])), ("b", .null)])
    )
    return values + [.mapDiff(try MapDiff.of(one, against: other))]
  }

  @Test(arguments: [Method.get, .list]) func whatIsTotalHasAValue(_ method: Method) throws {
    let asked = try Asked(
      "match /c/{id} { allow read; }",
      #"{"path": "/c/{id}", "methods": "\#(method.word)", "never": true}"#)
    let stated = try StatedClaim(
      asked.claims.claims[0].claim, about: asked.rules, profile: .emulator)
    let encoder = Encoder(stated, for: stated.kinds[0])
    let values = try Self.extremes(isOpen: method == .list)
    var count = 0
    for entry in Builtins.table {
      let receivers = entry.receiver.map { type in values.filter { $0.type == type } }
      for overload in entry.overloads {
        var calls: [[Value]] = receivers.map { $0.map { [$0] } } ?? [[]]
        for parameter in overload {
          let fitting = values.filter { parameter.accepts($0.type) }
          calls = calls.flatMap { call in fitting.map { call + [$0] } }
          // Only what takes one of any values has so many.
          if calls.count > 40_000 { break }
        }
        // Of pairs of lists not all, for it takes long.
        let step = calls.count / 800 + 1
        for (place, call) in calls.enumerated()
        where place % step == 0 && call.count == overload.count + (entry.receiver == nil ? 0 : 1) {
          let terms = call.map { encoder.fresh(TypeSet($0.type)) }
          guard encoder.isTotal(entry.builtin, on: terms) else { continue }
          count += 1
          let arguments = entry.receiver == nil ? call : Array(call.dropFirst())
          let receiver = entry.receiver == nil ? nil : call.first
          if (try? PureFunctions.call(entry.builtin, on: receiver, with: arguments)) == nil {
            Issue.record("\(entry.fullName) of \(call.map { ValueText.short($0) })")
          }
        }
      }
    }
    print("total: \(count) calls of \(method.word)")
    #expect(count > 500)
  }
}
