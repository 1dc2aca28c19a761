import RulesEval
import RulesLang

/// A change of one statement against a request that it allows.
struct StatementChange {
  /// What is done.
  enum Kind: CaseIterable {
    /// The statement requires the claim's condition of what the claim is about, and of nothing else.
    case requireInScope
    /// The statement requires the claim's condition.
    case require
    /// The statement of a catch-all leaves out the collection that the claim is about.
    case leaveOut
    /// The statement leaves the fields alone that the request changes.
    case pin
    /// The statement is not for the method of the request any more.
    case remove
  }

  /// The rules with the change.
  let rules: SourceText
  /// The change, to be put into words.
  let step: RepairStep
  /// True if the new condition reads single segments of a run, which no proof follows.
  let looksIntoRun: Bool

  /// Makes the change; nil if there is none of the kind.
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
  /// Returns the condition of a statement as conjuncts beside what is required: as it is written, without
  /// `true` and without alternatives that the requirement makes superfluous.
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

/// A repair's change of one statement.
struct RepairStep {
  /// The kind of change.
  var kind: StatementChange.Kind
  /// The line of the statement in the rules that were changed.
  var line: Int
  /// Number of lines that the change has added below it.
  var addedLines: Int
  /// The methods that it is about.
  var methods: MethodSet
  /// The fields that the request changes.
  var fields: [Text]
  /// The fields that the claim is about, as text; none if it is about all. Of a catch-all the collection that
  /// is left out.
  var scope: [String]
  /// The documents of the statement's block; nil if it is no path of a claim.
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
        ? "add the claim's condition, for the requests that it is about, to "
        : "add the claim's condition, for changes of \(scope), to "
    case .leaveOut: return "leave `/\(step.scope.joined())` out of "
    case .pin:
      let methods = step.methods.methods.map { $0.word }.joined(with: "and")
      let fields = step.fields.map { "`\(String($0))`" }.joined(with: "and")
      return "let \(methods) leave \(fields) alone in "
    case .remove:
      // Methods taken from one statement in several steps are one change.
      let line = step.line
      let methods = filter { $0.kind == .remove && $0.line == line }.reduce(MethodSet()) {
        $0.union($1.methods)
      }
      return "remove \(methods.methods.map { $0.word }.joined(with: "and")) from "
    }
  }

  /// The line of a changed statement in the rules before all changes.
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
  /// The text between statements that replace one: a line break, and spaces up to its column.
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
  /// The words for the methods, as short as rules can say it.
  fileprivate var phrase: String {
    var words: [String] = []
    for (word, group) in [("read", MethodSet.read), ("write", .write)] {
      let named = intersection(group)
      words += named == group ? [word] : named.methods.map { $0.word }
    }
    return words.joined(separator: ", ")
  }
}
