package import RulesLang
import RulesStyle

/// A code action that an editor offers.
package struct CodeAction: Sendable {
  /// The kind of a code action.
  package enum Kind: String, Sendable {
    case quickFix = "quickfix"
    case fixAll = "source.fixAll.rules-check"
  }

  /// The title.
  package var title: String
  /// The kind.
  package var kind: Kind
  /// The edits.
  package var edits: [TextEdit]
  /// The diagnostic that it addresses.
  package var diagnostic: Diagnostic?
  /// True if it is the preferred action.
  package var isPreferred = false
  /// The code that the action's `ignore` comment silences: the editor may ask for the reason.
  package var ignored: Code?
}

extension RulesAnalysis {
  /// Returns the code actions for the diagnostics of a range.
  package func actions(in range: SourceRange) -> [CodeAction] {
    var actions: [CodeAction] = []
    for diagnostic in allDiagnostics where diagnostic.touches(range) {
      actions += fixes(of: diagnostic)
      if let ignore = ignore(diagnostic) { actions.append(ignore) }
    }
    if let deep, !deep.fixAll.isEmpty {
      actions.append(
        CodeAction(
          title: "Remove all parts that are proved to change no decision", kind: .fixAll,
          edits: deep.fixAll)
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
          title: "Remove it: proved to change no decision", kind: .quickFix, edits: removal.edits,
          diagnostic: diagnostic, isPreferred: true))
    }
    return actions
  }

  /// The edit that declares version 2, in place of version 1 or as the first statement.
  private var secondVersion: TextEdit? {
    let all = tokens.tokens
    if all.count > 3, all[0].kind == .rulesVersion {
      guard all[1].kind == .equal, all[2].kind == .string else { return nil }
      return TextEdit(all[2].range, text: "'2'")
    }
    let start = SourceRange(start: all[0].range.start, end: all[0].range.start)
    return TextEdit(start, text: "rules_version = '2';\n")
  }

  /// Returns the edit that removes a comment, with its line if nothing else is on it.
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

  /// Returns the action that silences a finding by a comment above its line, without a reason: until that is
  /// added, the comment itself is reported.
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
  /// True if the diagnostic's range touches the other one; for one of the whole file, if that begins at the
  /// start of the text.
  fileprivate func touches(_ other: SourceRange) -> Bool {
    guard let range else { return other.start == 0 }
    return range.start <= other.end && other.start <= range.end
  }
}
