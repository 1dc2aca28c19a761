import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension CostReport {
  /// The form of the costs of requests.
  static let form = JSONForm<Self>(
    "The cost of requests, and its upper bounds.",
    [
      .member("limits", limits) { _ in },
      .number("greatest?", "The permitted share of a limit, in percent.") {
        $0.greatest?.plain
      },
      .flag("passed?", "True if nothing costs more.") { $0.greatest == nil ? nil : !$0.isTooHigh },
      .list("files", "The rules files.", of: file) { $0.files },
    ])

  private static let limits = JSONForm<Void>(
    "The limits of a request.",
    [
      .count("expressions", "Expressions.") { Limits.expressions },
      .count("lookups", "Lookups.") { 10 },
      .count("lookupsOfSeveral", "Lookups of requests for several documents.") { 20 },
    ])

  private static let file = JSONForm<File>(
    "A rules file.",
    [
      .text("rules", "The file.") { $0.path },
      .list("tests", "The costs of the tests.", of: test) { $0.tests },
      .list("statements", "The greatest costs of statements.", of: statement) { file in
        file.bounds.statements.map { ($0, file) }
      },
      .list("documents", "The greatest costs of requests for documents.", of: block) { file in
        file.bounds.blocks.map { ($0, file) }
      },
    ])

  private static let test = JSONForm<Spent>(
    "A test.",
    [
      .text("suite", "The suite.") { $0.suite }, .count("line", "The line.") { $0.line },
      .text("name", "The name of the test.") { $0.name },
    ],
    amount.inside { ($0.expressions, $0.lookups) },
    [.count("reads", "Documents that are billed.") { $0.reads }])

  private static let statement = JSONForm<(CostBounds.Statement, File)>(
    "A statement.", [.count("line", "The line.") { $1.line(of: $0) }],
    amount.inside { one, _ in (one.amount.expressions, one.amount.lookups) })

  private static let block = JSONForm<(CostBounds.Block, File)>(
    "The requests for the documents of a path.",
    [
      .text("path", "The path.") { block, _ in block.path },
      .count("line", "The line.") { $1.line(of: $0) },
      .text("method", "The method.") { block, _ in block.method.word },
    ], amount.inside { one, _ in (one.amount.expressions, one.amount.lookups) })

  private static let amount: [JSONMember<(expressions: Int, lookups: Int)>] = [
    .count("expressions", "Expressions.") { $0.expressions },
    .count("lookups", "Lookups.") { $0.lookups },
  ]
}
