package import RulesEval

extension FormatReport {
  /// The report as `rules-check.fmt/1`.
  package var json: JSONText {
    .object(
      [
        ("schema", .string("rules-check.fmt/1")),
        ("files", .array(files.map { Self.json($0) })),
      ] + refusals.errorMembers + notices.members)
  }

  private static func json(_ file: File) -> JSONText {
    var members: [(String, JSONText)] = [
      ("rules", .string(file.path)), ("changed", .bool(file.isChanged)),
    ]
    if file.isChanged { members.append(("diff", .string(FormatText.diff(of: file)))) }
    return .object(members)
  }
}
