import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// The command line of `differential`.
struct DifferentialOptions: CommandOptions {
  /// The parts of the prover that answer questions.
  enum Parts: String, CaseIterable, Sendable {
    case both, search, attack

    /// The parts in the form that the prover takes.
    var validation: ValidationPolicy {
      ValidationPolicy(attacks: self != .search, searches: self != .attack)
    }
  }

  static let seed = number(name: "--seed", summary: "where the choices begin; the time by default")
  static let expressions = number(name: "--expressions", summary: "how many expressions")
  static let requests = number(name: "--requests", summary: "how many requests, ten to a rule set")
  static let queries = number(name: "--queries", summary: "how many list queries")
  static let sources = number(name: "--sources", summary: "how many damaged sources")
  static let falsehoods = number(
    name: "--falsehoods",
    summary: "how many questions to the prover whose answer a drawn request shows")
  static let validation = Option<Parts>(
    name: "--scrutiny", value: "PARTS",
    summary: "which parts of the prover answer \(falsehoods.name)")
  static let shapes = number(
    name: "--shapes", summary: "how many of the prover's expressions; 0 for all of them")
  static let method = Option<Method>(
    name: "--method", value: "METHOD", among: Method.allCases, word: { $0.word },
    summary: "the one method that \(shapes.name) is about")
  static let forgeries = number(name: "--forgeries", summary: "how many forged certificates")
  /// `--sequences N`.
  static let sequences = number(
    name: "--sequences", summary: "how many small worlds are gone through beside the prover")
  /// `--audits N`.
  static let audits = number(
    name: "--audits", summary: "how many audits whose printed conditions drawn requests try")
  /// `--sentences N`.
  static let sentences = number(
    name: "--sentences",
    summary: "how many pairs of versions whose differences in words drawn requests try")
  /// `--concretisation N`.
  static let concretisation = number(
    name: "--concretisation",
    summary: "how many comparisons of an encoded condition with its evaluation")
  /// `--calls N`.
  static let calls = number(
    name: "--calls", summary: "how many calls over gRPC, in sequences, put to both emulators")
  static let replay = Option(
    name: "--replay", value: "FOLDER", summary: "recorded cases to ask again")
  static let record = Option(
    name: "--record", value: "FOLDER", summary: "where to write the differences")
  static let emulator = EmulatorAddress.option("a running emulator to ask")

  static let table: [any OptionRow] = [
    seed, expressions, requests, queries, sources, falsehoods, validation, shapes, method,
    forgeries,
    sequences, audits, sentences, concretisation, calls, replay, record, emulator,
  ]

  /// The rules files and folders.
  let paths: [String]
  /// The seed; nil for the default.
  let seed: UInt64?
  /// The number of questions of each kind.
  let expressions: Int
  let requests: Int
  let queries: Int
  let sources: Int
  /// The number of questions of the kinds that need no emulator; nil for none.
  let falsehoods: Int?
  let shapes: Int?
  let forgeries: Int?
  /// The number of small worlds to search; nil for none.
  let sequences: Int?
  /// Number of files to audit; nil for none.
  let audits: Int?
  /// Number of pairs of versions whose differences in words are tried; nil for none.
  let sentences: Int?
  /// Number of comparisons of encoded conditions; nil for none.
  let concretisation: Int?
  /// Number of calls to put to both emulators; nil for none.
  let calls: Int?
  /// True if no other kind of question is requested.
  let asksNothingElse: Bool
  /// The parts of the prover that answer questions with known answers.
  let validation: ValidationPolicy
  /// The methods of the shape campaign.
  let methods: [Method]
  /// The folder of recorded cases to repeat; nil for none.
  let replayFolder: String?
  /// The folder for recorded differences; nil for none.
  let recordFolder: String?
  /// A running emulator; nil to start one.
  let emulator: EmulatorAddress?

  /// Parses a command line; without numbers it asks a few questions of each kind.
  init(_ invocation: Invocation) throws(UsageProblem) {
    paths = invocation.operands
    seed = try invocation[Self.seed].map { UInt64($0) }
    falsehoods = try invocation[Self.falsehoods]
    let counts = [
      try invocation[Self.expressions], try invocation[Self.requests],
      try invocation[Self.queries], try invocation[Self.sources],
    ]
    calls = try invocation[Self.calls]
    let few = counts.contains { $0 != nil } || !paths.isEmpty ? 0 : 500
    expressions = counts[0] ?? few
    requests = counts[1] ?? few
    queries = counts[2] ?? few
    sources = counts[3] ?? few
    shapes = try invocation[Self.shapes]
    forgeries = try invocation[Self.forgeries]
    sequences = try invocation[Self.sequences]
    audits = try invocation[Self.audits]
    concretisation = try invocation[Self.concretisation]
    sentences = try invocation[Self.sentences]
    let alone = [falsehoods, shapes, forgeries, sequences, audits, concretisation, sentences]
    asksNothingElse = (counts + alone).allSatisfy { $0 == nil } && paths.isEmpty
    validation = (try invocation[Self.validation] ?? .both).validation
    methods = try invocation[Self.method].map { [$0] } ?? Method.allCases
    replayFolder = try invocation[Self.replay]
    recordFolder = try invocation[Self.record]
    emulator = try invocation[Self.emulator]
  }

  private static func number(name: String, summary: String) -> Option<Int> {
    Option(
      name: name, value: "N", in: 0...Int.max, summary: summary,
      refusal: { UsageProblem("`\($1) \($0)` is no number") })
  }
}
