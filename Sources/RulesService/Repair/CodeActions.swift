package import RulesLang
import RulesStyle

/// Something that an editor offers to do.
package struct CodeAction: Sendable {
  /// What it is offered as.
  package enum Kind: String, Sendable {
    case quickFix = "quickfix"
    case fixAll = "source.fixAll.rules-check"
  }

  /// What it does, in a few words.
  package var title: String
  /// What it is offered as.
  package var kind: Kind
  /// What it changes.
  package var edits: [TextEdit]
  /// What it answers.
  package var diagnostic: Diagnostic?
  /// Whether it is what most people want.
  package var isPreferred = false
  /// For an `ignore` comment, what it silences: the editor may ask for the reason.
  package var ignored: Code?
}

extension RulesAnalysis {
  /// What can be done about what is said of a range.
  package func actions(in range: SourceRange) -> [CodeAction] {
    var actions: [CodeAction] = []
    for diagnostic in allDiagnostics where diagnostic.touches(range) {
      actions += fixes(of: diagnostic)
      if let ignore = ignore(diagnostic) { actions.append(ignore) }
    }
    if let deep, !deep.fixAll.isEmpty {
      actions.append(
        CodeAction(
          title: "Take out all that is proved to decide nothing", kind: .fixAll, edits: deep.fixAll)
      )
    }
    return actions
  }

  private func fixes(of diagnostic: Diagnostic) -> [CodeAction] {
    var actions: [CodeAction] = []
    if let fix = diagnostic.fix {
      let old = source.string(fix.range)
      actions.append(
        CodeAction(
          title: fix.text.isEmpty ? "Remove `\(old)`" : "Write `\(fix.text)`", kind: .quickFix,
          edits: [TextEdit(fix.range, text: fix.text)], diagnostic: diagnostic, isPreferred: true))
    }
    if ["old-version", "let-version", "misplaced-glob"].contains(diagnostic.code.name),
      rules.version == .one, let edit = secondVersion
    {
      actions.append(
        CodeAction(
          title: "Begin the file with `rules_version = '2';`", kind: .quickFix, edits: [edit],
          diagnostic: diagnostic, isPreferred: true))
    }
    if diagnostic.code == .unusedIgnore, let edit = withoutComment(at: diagnostic.range) {
      actions.append(
        CodeAction(
          title: "Remove the comment", kind: .quickFix, edits: [edit], diagnostic: diagnostic))
    }
    for removal in deep?.removals ?? []
    where removal.said.code == diagnostic.code && removal.said.range == diagnostic.range {
      actions.append(
        CodeAction(
          title: "Take it out: proved to change no decision", kind: .quickFix, edits: removal.edits,
          diagnostic: diagnostic, isPreferred: true))
    }
    return actions
  }

  /// Declares version 2, in place of version 1 or as the first statement.
  private var secondVersion: TextEdit? {
    let all = tokens.tokens
    if all.count > 3, all[0].kind == .rulesVersion {
      guard all[1].kind == .equal, all[2].kind == .string else { return nil }
      return TextEdit(all[2].range, text: "'2'")
    }
    let start = SourceRange(start: all[0].range.start, end: all[0].range.start)
    return TextEdit(start, text: "rules_version = '2';\n")
  }

  /// The line of a comment taken out, or the comment alone if it shares the line.
  private func withoutComment(at range: SourceRange?) -> TextEdit? {
    guard let range, let comment = tokens.comment(at: Int(range.end)) else { return nil }
    let line = source.lineRange(source.line(of: comment.start))
    let before = source.string(SourceRange(start: line.start, end: comment.start))
    guard before.allSatisfy({ $0 == " " || $0 == "\t" }) else {
      return TextEdit(comment, text: "")
    }
    var end = Int(line.end)
    while end < source.bytes.count, source.bytes[end] != UInt8(ascii: "\n") { end += 1 }
    end = min(end + 1, source.bytes.count)
    return TextEdit(SourceRange(start: Int(line.start), end: end), text: "")
  }

  /// A comment above the line of a finding that silences it, still without its reason: until there is one,
  /// the comment itself is remarked on.
  private func ignore(_ diagnostic: Diagnostic) -> CodeAction? {
    guard checked != nil, diagnostic.code != .unusedIgnore else { return nil }
    let place = diagnostic.range?.start ?? tokens.tokens[0].range.start
    let line = source.lineRange(source.line(of: place))
    let text = source.string(line)
    let indent = String(text.prefix { $0 == " " || $0 == "\t" })
    let comment = "\(indent)// rules-check: ignore \(diagnostic.code.name) \n"
    return CodeAction(
      title: "Ignore `\(diagnostic.code.name)` here", kind: .quickFix,
      edits: [TextEdit(SourceRange(start: line.start, end: line.start), text: comment)],
      diagnostic: diagnostic, ignored: diagnostic.code)
  }
}

extension Diagnostic {
  /// Whether it is about a range, or about the whole file.
  fileprivate func touches(_ other: SourceRange) -> Bool {
    guard let range else { return other.start == 0 }
    return range.start <= other.end && other.start <= range.end
  }
}
