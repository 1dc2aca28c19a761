import RulesEncoding
package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension MethodDiff {
  /// True if the verdict rests on a proof alone.
  fileprivate var isProvedEquivalent: Bool { verdict == .equivalent && !isPartial }
}

extension DiffReport {
  /// The machine-readable report, schema `rules-check.diff/1`.
  package var json: JSONText {
    var members: [(String, JSONText)] = [
      ("schema", .string("rules-check.diff/1")), ("files", .array(pairs.map { Self.json($0) })),
    ]
    members += refusals.errorMembers
    members += notices.members
    members += silences.members
    var counts: [(String, JSONText)] = DiffVerdict.allCases.map { ($0.rawValue, .int(count($0))) }
    counts.append(("unmanaged", .int(unmanagedCount)))
    counts.append(("first", .int(firstCount)))
    // The proof checker states claims about one version of rules.
    let methods = pairs.flatMap { $0.paths.flatMap { $0.methods } }
    counts.append(("unchecked", .int(methods.count { $0.isProvedEquivalent })))
    return .object(members + [("summary", .object(counts))])
  }

  private static func json(_ pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [
      ("old", .string(pair.old.source.name)), ("new", .string(pair.new.source.name)),
      ("database", .string(String(pair.database.text))),
    ]
    if pair.isFirst { members.append(("first", .bool(true))) }
    if let sentence = pair.unmanagedSentence {
      members += [("unmanaged", .bool(true)), ("message", .string(sentence))]
    }
    members.append(("milliseconds", .int(Int(pair.nanoseconds / 1_000_000))))
    members.append(("paths", .array(pair.paths.map { json($0, in: pair) })))
    return .object(members)
  }

  private static func json(_ path: PathDiff, in pair: Pair) -> JSONText {
    .object([
      ("path", .string(path.path)), ("methods", .array(path.methods.map { json($0, in: pair) })),
      ("differences", .array(path.differences.map { json($0, at: path, in: pair) })),
    ])
  }

  private static func json(_ method: MethodDiff, in pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [
      ("method", .string(method.method.word)), ("verdict", .string(pair.word(method.verdict))),
      ("complete", .bool(!method.isPartial)),
    ]
    if method.isProvedEquivalent { members.append(("checked", .bool(false))) }
    if !method.openReasons.isEmpty {
      members.append(("reasons", .array(method.openReasons.map { json($0, in: pair) })))
    }
    return .object(members)
  }

  private static func json(_ openReason: DiffOpenReason, in pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [("reason", .string(openReason.openReason.reason))]
    if let range = openReason.openReason.range {
      let source = pair.rules(openReason.side).source
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
      (
        "kind",
        .string(pair.isFirst ? "allowed" : difference.isLoosened ? "loosened" : "tightened")
      ),
      ("sentence", .string(pair.sentence(difference, at: path))),
      (
        "requests",
        .array(
          difference.witnesses.map { witness in
            let lines = pair.lines(of: witness, difference)
            let closing: [(String, JSONText)] =
              difference.isLoosened && !pair.isFirst
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
