import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension JSONText {
  /// Creates the cost member of a machine-readable report.
  init(_ report: CostReport) {
    var members: [(String, JSONText)] = [
      (
        "limits",
        .object([
          ("expressions", .int(Limits.expressions)), ("lookups", .int(10)),
          ("lookupsOfSeveral", .int(20)),
        ])
      )
    ]
    if let greatest = report.greatest {
      members.append(("greatest", .number(greatest.plain)))
      members.append(("passed", .bool(!report.isTooHigh)))
    }
    members.append(("files", .array(report.files.map { Self.file($0) })))
    self = .object(members)
  }

  private static func file(_ file: CostReport.File) -> JSONText {
    .object([
      ("rules", .string(file.path)), ("tests", .array(file.tests.map { spent($0) })),
      (
        "statements",
        .array(
          file.bounds.statements.map { statement in
            .object(
              [("line", .int(file.line(of: statement)))] + atMost(statement.amount))
          })
      ),
      (
        "documents",
        .array(
          file.bounds.blocks.map { block in
            .object(
              [
                ("path", .string(block.path)), ("line", .int(file.line(of: block))),
                ("method", .string(block.method.word)),
              ] + atMost(block.amount))
          })
      ),
    ])
  }

  private static func spent(_ test: CostReport.Spent) -> JSONText {
    .object([
      ("suite", .string(test.suite)), ("line", .int(test.line)), ("name", .string(test.name)),
      ("expressions", .int(test.expressions)), ("lookups", .int(test.lookups)),
      ("reads", .int(test.reads)),
    ])
  }

  private static func atMost(_ amount: CostBounds.Amount) -> [(String, JSONText)] {
    [("expressions", .int(amount.expressions)), ("lookups", .int(amount.lookups))]
  }
}
