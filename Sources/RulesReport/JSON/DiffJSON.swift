import RulesEncoding
package import RulesEval
import RulesLang
import RulesProof

extension DiffReport {
  /// The report for programs, schema `rules-check.diff/1`.
  package var json: JSONText {
    .object(
      [("schema", .string("rules-check.diff/1")), ("files", .array(pairs.map { Self.json($0) }))]
        + refusals.errorMembers
        + [("summary", .object(DiffVerdict.allCases.map { ($0.rawValue, .int(count($0))) }))])
  }

  private static func json(_ pair: Pair) -> JSONText {
    .object([
      ("old", .string(pair.old.source.name)), ("new", .string(pair.new.source.name)),
      ("milliseconds", .int(Int(pair.nanoseconds / 1_000_000))),
      ("paths", .array(pair.paths.map { json($0, in: pair) })),
    ])
  }

  private static func json(_ path: PathDiff, in pair: Pair) -> JSONText {
    .object([
      ("path", .string(path.path)), ("methods", .array(path.methods.map { json($0, in: pair) })),
      ("differences", .array(path.differences.map { json($0, at: path, in: pair) })),
    ])
  }

  private static func json(_ method: MethodDiff, in pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [
      ("method", .string(method.method.word)), ("verdict", .string(method.verdict.rawValue)),
      ("complete", .bool(!method.isPartial)),
    ]
    if !method.doubts.isEmpty {
      members.append(("reasons", .array(method.doubts.map { json($0, in: pair) })))
    }
    return .object(members)
  }

  private static func json(_ doubt: DiffDoubt, in pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [("reason", .string(doubt.doubt.reason))]
    if let range = doubt.doubt.range {
      let source = pair.rules(doubt.side).source
      let place = source.position(of: range.start)
      members += [
        ("file", .string(source.name)), ("line", .int(place.line)), ("column", .int(place.column)),
      ]
    }
    return .object(members)
  }

  private static func json(
    _ difference: AccessChange, at path: PathDiff, in pair: Pair
  ) -> JSONText {
    .object([
      ("kind", .string(difference.isLoosened ? "loosened" : "tightened")),
      ("sentence", .string(difference.sentence(path.path))),
      (
        "requests",
        .array(
          difference.witnesses.map { witness in
            let lines = pair.lines(of: witness, difference)
            let closing: [(String, JSONText)] =
              difference.isLoosened
              ? [("closing", JSONText(witness.closingTest))] : []
            return .object(
              [
                ("method", .string(witness.method.word)),
                ("summary", .string(witness.sentence)),
                ("oldLines", .array(lines.old.map { .int($0) })),
                ("newLines", .array(lines.new.map { .int($0) })),
                ("test", JSONText(witness.test(of: difference))),
              ] + closing)
          })
      ),
    ])
  }
}
