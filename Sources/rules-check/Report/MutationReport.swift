import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Everything that a report of mutation testing can say.
struct MutationReport {
  /// What a score counts as, in percent.
  struct Thresholds {
    var high: Double
    var low: Double
    var breaking: Double
  }

  /// The rules files with their changes.
  var files: [MutationRun.File]
  /// What the score counts as.
  var thresholds: Thresholds

  /// How many changes there are of each kind.
  struct Counts {
    var killed = 0
    var survived = 0
    var equivalent = 0
    var unknown = 0

    /// The share of killed ones among those that change a decision, as far as that is known.
    var score: Double {
      let all = killed + survived + unknown
      return all == 0 ? 100 : Double(killed) * 100 / Double(all)
    }

    init(_ files: [MutationRun.File]) {
      for mutant in files.flatMap({ $0.mutants }) {
        switch mutant.fate {
        case .killed: killed += 1
        case .survived: survived += 1
        case .equivalent: equivalent += 1
        case .unknown: unknown += 1
        case .invalid: break
        }
      }
    }
  }

  /// The counts over all files.
  var counts: Counts { Counts(files) }

  /// What it means for the exit code: not to know whether a change matters is no success.
  var status: ExitStatus {
    if counts.score < thresholds.breaking { return .failure }
    return counts.unknown > 0 ? .undecided : .success
  }

  // MARK: JSON

  /// The report for programs, schema `rules-check.mutate/1`.
  var json: JSONText {
    let counts = counts
    return .object([
      ("schema", .string("rules-check.mutate/1")), ("files", .array(files.map { $0.json })),
      (
        "summary",
        .object([
          ("killed", .int(counts.killed)), ("survived", .int(counts.survived)),
          ("equivalent", .int(counts.equivalent)), ("undecided", .int(counts.unknown)),
          ("score", .number(Self.percent(counts.score))),
        ])
      ),
    ])
  }

  /// A percentage with one decimal.
  static func percent(_ value: Double) -> String {
    let tenths = Int(value * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The report in the schema of mutation testing elements, which its viewers open.
  var stryker: JSONText {
    .object([
      ("schemaVersion", .string("2")),
      (
        "thresholds",
        .object([("high", .int(Int(thresholds.high))), ("low", .int(Int(thresholds.low)))])
      ),
      ("files", .object(files.map { ($0.group.path, $0.stryker) })),
    ])
  }
}

extension MutationRun.Mutant {
  /// The request that notices the change, as a test that expects what the rules say without it.
  func test(in source: SourceText) -> JSON? {
    guard case .survived(let witness, let isLoosened) = fate else { return nil }
    let line = source.line(of: edit.range.start)
    return SuiteWriter.test(
      name: "line \(line): \(edit.summary)", witness.request, on: witness.documents,
      expect: isLoosened ? .deny : .allow)
  }

  fileprivate var word: String {
    switch fate {
    case .killed: "killed"
    case .survived: "survived"
    case .equivalent: "equivalent"
    case .unknown: "undecided"
    case .invalid: "invalid"
    }
  }

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

extension MutationRun.File {
  private var source: SourceText { group.rules.ruleset.source }

  fileprivate var json: JSONText {
    .object([
      ("rules", .string(group.path)), ("milliseconds", .int(Int(nanoseconds / 1_000_000))),
      ("mutants", .array(mutants.map { json($0) })),
    ])
  }

  private func json(_ mutant: MutationRun.Mutant) -> JSONText {
    let place = source.position(of: mutant.edit.range.start)
    var members: [(String, JSONText)] = [
      ("mutator", .string(mutant.edit.mutator.rawValue)), ("line", .int(place.line)),
      ("column", .int(place.column)), ("change", .string(mutant.edit.summary)),
      ("replacement", .string(mutant.edit.replacement)), ("fate", .string(mutant.word)),
    ]
    if case .killed(let test) = mutant.fate { members.append(("killedBy", .string(test))) }
    if let test = mutant.test(in: source) { members.append(("test", JSONText(test))) }
    return .object(members)
  }

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
      // Once in a report, not only in a file.
      ("id", .string("\(group.path):\(index)")),
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

  private func reason(_ mutant: MutationRun.Mutant) -> String? {
    switch mutant.fate {
    case .killed(let test): "noticed by: \(test)"
    case .survived:
      mutant.test(in: source).map { "this test would notice it: \(JSONText($0).compact)" }
    case .equivalent: "proved to change no decision"
    case .unknown: "no test notices it, and it is not known whether any could"
    case .invalid: nil
    }
  }

  private func position(_ offset: UInt32) -> JSONText {
    let place = source.position(of: offset)
    return .object([("line", .int(place.line)), ("column", .int(place.column))])
  }
}
