package import RulesEval
import RulesLang
import RulesProof

extension MutationReport {
  /// The report in the schema of mutation testing elements, for their viewers.
  package var stryker: JSONText {
    .object([
      ("schemaVersion", .string("2")),
      (
        "thresholds",
        .object([("high", .int(Int(thresholds.high))), ("low", .int(Int(thresholds.low)))])
      ),
      ("files", .object(files.map { ($0.path, $0.stryker) })),
    ])
  }
}

extension MutationReport.Mutant {
  /// The status in the schema of mutation testing elements.
  fileprivate var status: String {
    switch fate {
    case .killed: "Killed"
    case .survived, .unknown: "Survived"
    case .equivalent: "Ignored"
    case .invalid: "CompileError"
    }
  }
}

extension MutationReport.File {
  fileprivate var stryker: JSONText {
    .object([
      ("language", .string("firestore-rules")),
      ("source", .string(String(decoding: source.bytes, as: UTF8.self))),
      ("mutants", .array(mutants.indices.map { stryker($0) })),
    ])
  }

  private func stryker(_ index: Int) -> JSONText {
    let mutant = mutants[index]
    var members: [(String, JSONText)] = [
      // Unique in the report, not only in the file.
      ("id", .string("\(path):\(index)")),
      ("mutatorName", .string(mutant.edit.mutator.rawValue)),
      ("description", .string(mutant.edit.summary)),
      ("replacement", .string(mutant.edit.replacement)), ("status", .string(mutant.status)),
      (
        "location",
        .object([
          ("start", position(mutant.edit.range.start)), ("end", position(mutant.edit.range.end)),
        ])
      ),
    ]
    if let reason = reason(mutant) { members.append(("statusReason", .string(reason))) }
    return .object(members)
  }

  private func reason(_ mutant: MutationReport.Mutant) -> String? {
    switch mutant.fate {
    case .killed(let test): "noticed by: \(test)"
    case .survived:
      mutant.test.map { "this test would notice it: \(JSONText($0).compact)" }
    case .equivalent: "proved to change no decision"
    case .unknown:
      (["no test notices it, and not decided whether any could"] + mutant.reasons(in: source))
        .joined(separator: "; ")
    case .invalid: nil
    }
  }

  private func position(_ offset: UInt32) -> JSONText {
    let place = source.position(of: offset)
    return .object([("line", .int(place.line)), ("column", .int(place.column))])
  }
}
