package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension Diagnostic {
  /// True if the finding rests on a proof.
  fileprivate var isProved: Bool { RedundancyReport.provedCodes.contains(code) }
}

extension CheckReport {
  /// The report as `rules-check.check/1`.
  package var json: JSONText {
    var members: [(String, JSONText)] = [
      ("schema", .string("rules-check.check/1")), ("files", .array(files.map { Self.json($0) })),
    ]
    members += refusals.errorMembers
    members += notices.members
    members += silences.members
    return .object(members + [("summary", counts)])
  }

  private var counts: JSONText {
    .object([
      ("files", .int(files.count)), ("errors", .int(count(.error))),
      ("warnings", .int(count(.warning))), ("infos", .int(count(.info))),
      ("silenced", .int(silencedCount)),
      ("unchecked", .int(files.reduce(0) { $0 + $1.diagnostics.count { $0.isProved } })),
    ])
  }

  private static func json(_ file: File) -> JSONText {
    var members: [(String, JSONText)] = [
      ("rules", .string(file.path))
    ]
    // Several databases are a list.
    if file.databases.count == 1 {
      members.append(("database", .string(String(file.databases[0].text))))
    }
    members += [
      ("compiles", .bool(file.compiles)),
      ("diagnostics", .array(file.diagnostics.map { json($0, in: file.source) })),
    ]
    if !file.silenced.isEmpty {
      members.append(
        ("silenced", .array(file.silenced.map { json($0, in: file.source) })))
    }
    if let deep = file.deep {
      members.append(
        ("deep", .object([("questions", .int(deep.questions)), ("open", .int(deep.open))])))
    }
    if !file.removed.isEmpty { members.append(("removed", .array(file.removed.map { json($0) }))) }
    return .object(members)
  }

  private static func json(_ removed: Removed) -> JSONText {
    .object([
      ("code", .string(removed.code.name)), ("message", .string(removed.message)),
      ("line", .int(removed.place.line)), ("column", .int(removed.place.column)),
      ("text", .string(removed.text)), ("checked", .bool(false)),
    ])
  }

  private static func json(_ diagnostic: Diagnostic, in source: SourceText) -> JSONText {
    var members: [(String, JSONText)] = [
      ("severity", .string(diagnostic.severity.word)), ("kind", .string(diagnostic.origin.word)),
      ("code", .string(diagnostic.code.name)), ("message", .string(diagnostic.message)),
    ]
    // A diagnostic of the whole file is at its beginning.
    let range = diagnostic.range ?? .none
    let place = source.position(of: range.start)
    members.append(("line", .int(place.line)))
    members.append(("column", .int(place.column)))
    let offset = source.characterOffset(of: range.start)
    members.append(("offset", .int(offset)))
    // Like Google's positions: the offset of the last character, not the one past it.
    let end = source.characterOffset(of: range.end)
    members.append(("endOffset", .int(max(offset, end - 1))))
    // The proof checker states claims about one version of rules.
    if diagnostic.isProved { members.append(("checked", .bool(false))) }
    if let help = diagnostic.help { members.append(("help", .string(help))) }
    if !diagnostic.notes.isEmpty {
      members.append(("notes", .array(diagnostic.notes.map { .string($0) })))
    }
    if !diagnostic.related.isEmpty {
      members.append(("related", .array(diagnostic.related.map { json($0, in: source) })))
    }
    return .object(members)
  }

  private static func json(_ label: Diagnostic.Label, in source: SourceText) -> JSONText {
    let place = source.position(of: label.range.start)
    let offset = source.characterOffset(of: label.range.start)
    let end = source.characterOffset(of: label.range.end)
    return .object([
      ("message", .string(label.text)), ("line", .int(place.line)), ("column", .int(place.column)),
      ("offset", .int(offset)), ("endOffset", .int(max(offset, end - 1))),
    ])
  }
}
