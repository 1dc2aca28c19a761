import RulesEncoding
import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Everything that a report of a comparison can say.
struct DiffReport {
  /// Which differences are failures.
  enum Failure: String, CaseIterable {
    case loosened, any, none
  }

  /// Two rules files with what the change does.
  struct Pair {
    var old: Ruleset
    var new: Ruleset
    var paths: [PathDiff]
    var nanoseconds: UInt64
  }

  /// What was compared.
  var pairs: [Pair]
  /// Which differences are failures.
  var failOn: Failure

  private var methods: [MethodDiff] { pairs.flatMap { $0.paths.flatMap { $0.methods } } }

  /// How many pairs of a path and a method have a verdict.
  func count(_ verdict: DiffVerdict) -> Int { methods.filter { $0.verdict == verdict }.count }

  /// Whether differences of a kind are failures.
  func isFailure(isLoosened: Bool) -> Bool {
    switch failOn {
    case .loosened: isLoosened
    case .any: true
    case .none: false
    }
  }

  /// What it means for the exit code.
  var status: ExitStatus {
    let differences = pairs.flatMap { $0.paths.flatMap { $0.differences } }
    if differences.contains(where: { isFailure(isLoosened: $0.isLoosened) }) { return .failure }
    let isOpen = methods.contains {
      $0.verdict == .undecided || (failOn != .none && $0.mayBeLoosened)
    }
    return isOpen ? .undecided : .success
  }

  // MARK: JSON

  /// The report for programs, schema `rules-check.diff/1`.
  var json: JSONText {
    .object([
      ("schema", .string("rules-check.diff/1")), ("files", .array(pairs.map(Self.json))),
      (
        "summary",
        .object(DiffVerdict.allCases.map { ($0.rawValue, .int(count($0))) })
      ),
    ])
  }

  private static func json(_ pair: Pair) -> JSONText {
    .object([
      ("old", .string(pair.old.source.name)), ("new", .string(pair.new.source.name)),
      ("milliseconds", .int(Int(pair.nanoseconds / 1_000_000))),
      ("paths", .array(pair.paths.map { json($0, pair) })),
    ])
  }

  private static func json(_ path: PathDiff, _ pair: Pair) -> JSONText {
    .object([
      ("path", .string(path.path)), ("methods", .array(path.methods.map { json($0, pair) })),
      ("differences", .array(path.differences.map { json($0, path, pair) })),
    ])
  }

  private static func json(_ method: MethodDiff, _ pair: Pair) -> JSONText {
    var members: [(String, JSONText)] = [
      ("method", .string(method.method.word)), ("verdict", .string(method.verdict.rawValue)),
      ("complete", .bool(!method.isPartial)),
    ]
    if !method.doubts.isEmpty {
      members.append(("reasons", .array(method.doubts.map { json($0, pair) })))
    }
    return .object(members)
  }

  private static func json(_ doubt: DiffDoubt, _ pair: Pair) -> JSONText {
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
    _ difference: AccessChange, _ path: PathDiff, _ pair: Pair
  ) -> JSONText {
    .object([
      ("kind", .string(difference.isLoosened ? "loosened" : "tightened")),
      ("sentence", .string(difference.sentence(path.path))),
      (
        "requests",
        .array(
          difference.witnesses.map { witness in
            let lines = pair.lines(of: witness, difference)
            return .object([
              ("method", .string(witness.method.word)),
              ("oldLines", .array(lines.old.map { .int($0) })),
              ("newLines", .array(lines.new.map { .int($0) })),
              ("test", JSONText(witness.test(difference, path.path))),
            ])
          })
      ),
    ])
  }

  // MARK: Annotations

  /// The kinds of annotations.
  static let kinds = [
    SARIFReport.Rule(
      code: "access-loosened", summary: "something that was denied is allowed now",
      severity: .error),
    SARIFReport.Rule(
      code: "access-tightened", summary: "something that was allowed is denied now",
      severity: .info),
    SARIFReport.Rule(
      code: "access-undecided", summary: "it is not known what the change does",
      severity: .warning),
  ]

  /// The differences as remarks on the newer file.
  var annotations: [Annotation] {
    pairs.flatMap { pair in
      pair.paths.flatMap { path in
        path.differences.map { annotation($0, path, pair) }
          + path.methods.filter { $0.isOpen }.map { undecided($0, path, pair) }
      }
    }
  }

  private func annotation(
    _ difference: AccessChange, _ path: PathDiff, _ pair: Pair
  ) -> Annotation {
    let witness = difference.witnesses[0]
    let allow = difference.isLoosened ? witness.allowing : witness.refusing.first
    let severity: Diagnostic.Severity =
      difference.isLoosened
      ? (isFailure(isLoosened: true) ? .error : .warning)
      : (isFailure(isLoosened: false) ? .error : .info)
    var annotation = Annotation(
      file: pair.new.source.name,
      place: allow.map { Annotation.Place(pair.new[$0].keyword, in: pair.new.source) },
      severity: severity, code: difference.isLoosened ? "access-loosened" : "access-tightened",
      message: difference.sentence(path.path))
    annotation.remarks = [
      "for example: " + JSONText(witness.test(difference, path.path)).compact
    ]
    if let place = annotation.place {
      annotation.lineText = pair.new.source.string(pair.new.source.lineRange(place.line))
    }
    return annotation
  }

  private func undecided(
    _ method: MethodDiff, _ path: PathDiff, _ pair: Pair
  ) -> Annotation {
    let doubt = method.doubts.first
    let place = doubt.flatMap { doubt in
      doubt.side == .new ? doubt.doubt.range : nil
    }
    return Annotation(
      file: pair.new.source.name,
      place: place.map { Annotation.Place($0, in: pair.new.source) }, severity: .warning,
      code: "access-undecided",
      message: method.openness(of: path.path), remarks: doubt.map { [$0.doubt.reason] } ?? [])
  }
}

extension MethodDiff {
  /// Whether not all is known that a change does to the method.
  var isOpen: Bool { verdict == .undecided || isPartial }

  /// That it is not known what a change does to the method, or not all of it.
  func openness(of path: String) -> String {
    verdict == .undecided
      ? "it is not known what the change does to \(method.word) of \(path)"
      : "there may be more differences in \(method.word) of \(path)"
  }
}

extension DiffReport.Pair {
  /// The rules of one file.
  func rules(_ side: DiffSide) -> Ruleset { side == .old ? old : new }

  /// Why something stayed open, with the place if there is one.
  func sentence(_ doubt: DiffDoubt) -> String {
    let source = rules(doubt.side).source
    guard let range = doubt.doubt.range else { return doubt.doubt.reason }
    let position = source.position(of: range.start)
    return "\(source.name):\(position.line):\(position.column): \(doubt.doubt.reason)"
  }

  /// The lines of the statements that decide a request in either file.
  func lines(
    of witness: DiffWitness, _ difference: AccessChange
  ) -> (old: [Int], new: [Int]) {
    func lines(_ allows: [AllowID], _ rules: Ruleset) -> [Int] {
      allows.map { rules.source.line(of: rules[$0].keyword.start) }
    }
    let allowing = witness.allowing.map { [$0] } ?? []
    return difference.isLoosened
      ? (lines(witness.refusing, old), lines(allowing, new))
      : (lines(allowing, old), lines(witness.refusing, new))
  }
}

extension DiffReport.Pair {
  /// The differences that only an attack showed.
  var missed: [FailedReplay] {
    paths.flatMap { $0.differences.flatMap { $0.witnesses.compactMap { $0.missed } } }
  }
}

extension DiffWitness {
  /// The request as a test of the newer file.
  func test(_ difference: AccessChange, _ path: String) -> JSON {
    var one = difference
    one.witnesses = [self]
    return SuiteWriter.test(
      name: one.sentence(path), request, on: documents,
      expect: difference.isLoosened ? .allow : .deny)
  }
}
