import RulesEval
import RulesLang

/// A change of one statement that excludes a request.
struct StatementChange {
  /// The kind of change.
  enum Kind: CaseIterable {
    /// Requires the claim's condition for requests in the claim's scope.
    case requireInScope
    /// Requires the claim's condition.
    case require
    /// Excludes the claim's collection from a catch-all.
    case leaveOut
    /// Keeps the fields that the request changes from being changed.
    case pin
    /// Removes the request's method from the statement.
    case remove
  }

  /// The rules with the change.
  let rules: SourceText
  /// The change, for the wording.
  let step: RepairStep
  /// True if the new condition reads single segments of a glob, which proofs do not support.
  let looksIntoRun: Bool

  /// Makes the change; nil if there is none of this kind.
  init?(_ kind: Kind, against found: Counterexample, of claim: Claim, in checked: Checked) {
    guard let allow = found.allow else { return nil }
    let statement = checked.ruleset[allow]
    let source = checked.ruleset.source
    let methods = checked.methods[allow.index]
    let request = StatementRequirement(
      found, claim, checked, statement: statement, methods: methods)
    guard let wanted = request.parts(kind), !wanted.isEmpty else { return nil }
    let touched = wanted.reduce(MethodSet()) { $0.union($1.methods) }
    var parts = wanted
    parts.append(StatementRequirement.Part(methods: methods.subtracting(touched)))
    parts.removeAll { $0.methods.isEmpty || $0.condition == "false" }
    let texts = parts.map { part -> String in
      var all = [part.condition].compactMap { $0 }
      if let body = statement.condition {
        all = Self.own(body.root, in: checked.ruleset, requiring: part.condition) + all
      }
      let condition = all.isEmpty ? "" : ": if " + all.joined(separator: " && ")
      return "allow \(part.methods.phrase)\(condition);"
    }
    let separator = source.separator(before: statement.range.start)
    let text =
      texts.isEmpty
      ? "allow \(found.method.word): if false;" : texts.joined(separator: separator)
    var patch = Patch()
    if kind == .leaveOut, let wanted = request.catchAll {
      patch.replace(checked.ruleset[statement.match].patternRange, with: wanted.pattern)
    }
    patch.replace(statement.range, with: text)
    rules = patch.applied(to: source)
    looksIntoRun = kind != .leaveOut && request.looksIntoRun
    step = RepairStep(
      kind: kind, line: source.line(of: statement.keyword.start),
      addedLines: max(0, texts.count - 1), methods: touched, fields: found.fields,
      scope: kind == .leaveOut
        ? [request.catchAll?.collection ?? ""] : claim.writes.map { "`\(String($0.notation))`" },
      block: ClaimPath(checked.matches[statement.match.index], in: checked.database))
  }
}

extension StatementChange {
  /// Returns the conjuncts of a statement's condition beside a requirement: as written, without
  /// `true` and without disjunctions that the requirement makes superfluous.
  private static func own(
    _ root: ExprID, in ruleset: Ruleset, requiring requirement: String?
  ) -> [String] {
    let text = ruleset.source.string(ruleset[root].range)
    guard let requirement else { return [text] }
    if RequirementText(text).isTrue { return [] }
    if let left = RequirementText(text).reduced(by: requirement) { return left.map { $0.tight } }
    switch ruleset[root].kind {
    case .binary(.or, _, _), .conditional: return ["(\(text))"]
    default: return [text]
    }
  }
}

/// One change of a repair.
struct RepairStep {
  /// The kind of change.
  var kind: StatementChange.Kind
  /// The line of the statement in the rules before this change.
  var line: Int
  /// The number of lines added below it.
  var addedLines: Int
  /// The affected methods.
  var methods: MethodSet
  /// The fields that the request changes.
  var fields: [Text]
  /// The fields of the claim, as text; empty for all fields. For a catch-all, the excluded
  /// collection.
  var scope: [String]
  /// The path of the statement's block, as a claim's path; nil if no claim can have it.
  var block: ClaimPath?
}

extension [RepairStep] {
  /// The changes in a sentence, with line numbers of the unchanged rules.
  var sentence: String {
    var parts: [(text: String, lines: [Int])] = []
    for place in indices {
      let text = text(of: self[place])
      let line = firstLine(of: place)
      guard let known = parts.firstIndex(where: { $0.text == text }) else {
        parts.append((text, [line]))
        continue
      }
      if !parts[known].lines.contains(line) { parts[known].lines.append(line) }
    }
    return parts.map { part in
      let numbers = part.lines.sorted().map { "\($0)" }
      return part.text + (numbers.count == 1 ? "line " : "lines ") + numbers.joined(with: "and")
    }.joined(separator: "; ")
  }

  private func text(of step: RepairStep) -> String {
    switch step.kind {
    case .require: return "add the claim's condition to "
    case .requireInScope:
      let scope = step.scope.joined(with: "and")
      return scope.isEmpty
        ? "add the claim's condition, for the requests that it covers, to "
        : "add the claim's condition, for changes of \(scope), to "
    case .leaveOut: return "leave `/\(step.scope.joined())` out of "
    case .pin:
      let methods = step.methods.methods.map { $0.word }.joined(with: "and")
      let fields = step.fields.map { "`\(String($0))`" }.joined(with: "and")
      return "let \(methods) leave \(fields) alone in "
    case .remove:
      // Methods removed from one statement in several steps are one change.
      let line = step.line
      let methods = filter { $0.kind == .remove && $0.line == line }.reduce(MethodSet()) {
        $0.union($1.methods)
      }
      return "remove \(methods.methods.map { $0.word }.joined(with: "and")) from "
    }
  }

  /// Returns the line of a changed statement in the rules before all changes.
  private func firstLine(of place: Int) -> Int {
    var line = self[place].line
    for step in self[..<place].reversed() where line > step.line {
      line = Swift.max(step.line, line - step.addedLines)
    }
    return line
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  func joined(with word: String) -> String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + self[count - 1]
  }
}

extension SourceText {
  /// Returns the separator of statements that replace one: a line break and its indentation.
  fileprivate func separator(before offset: UInt32) -> String {
    let start = lineRange(line(of: offset)).start
    let lead = bytes[Int(start)..<Int(offset)].map { byte in
      byte == UInt8(ascii: "\t") ? byte : UInt8(ascii: " ")
    }
    return (endsLinesWithReturn ? "\r\n" : "\n") + String(decoding: lead, as: UTF8.self)
  }

  /// True if the first line ends with a carriage return and a line feed.
  private var endsLinesWithReturn: Bool {
    guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")), feed > 0 else { return false }
    return bytes[feed - 1] == UInt8(ascii: "\r")
  }
}

extension MethodSet {
  /// The shortest words for the methods.
  fileprivate var phrase: String {
    var words: [String] = []
    for (word, group) in [("read", MethodSet.read), ("write", .write)] {
      let named = intersection(group)
      words += named == group ? [word] : named.methods.map { $0.word }
    }
    return words.joined(separator: ", ")
  }
}
