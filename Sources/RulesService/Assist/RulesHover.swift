import RulesEval
import RulesLang
import RulesStyle

extension RulesAnalysis {
  /// Returns the hover at an offset; nil if there is none.
  package func hover(at offset: Int) -> Hover? {
    if let here = symbols.occurrence(at: offset) {
      var parts = about(here)
      if let run = lastRun(of: here) { parts.append(run) }
      if !parts.isEmpty {
        return Hover(range: here.range, markdown: parts.joined(separator: "\n\n"))
      }
    }
    return hoverOfWord(at: offset)
  }

  private func about(_ here: Occurrence) -> [String] {
    switch here.symbol {
    case .function(let id): return about(id)
    case .parameter(let id, let place):
      let name = String(rules[id].parameters[place].text)
      return [Self.code(name), "a parameter of `\(String(rules[id].name.text))`"]
    case .variable(let id, let place):
      let binding = rules[id].lets[place]
      let value = rules.source.string(rules[binding.value.root].range)
      return [
        Self.code("let \(String(binding.name.text)) = \(value)"),
        "type: " + names.types[binding.value.root.index].words,
      ]
    case .capture(let match, _):
      let name = rules.source.string(here.range)
      let isGlob = rules[match].pattern.contains { part in
        part.isGlob && part.binding.map { String($0.text) } == name
      }
      let type = isGlob ? "{\(name)=**}: path" : "{\(name)}: string"
      return [Self.code(type), "captured by `match \(rules.fullPattern(of: match))`"]
    case .record(let name): return [about(record: name == "request" ? .request : .resource)]
    case .builtin(let builtin): return about([Builtins.entry(builtin)])
    case .method(let name): return about(method: name, here)
    case .member(let name): return about(member: name, here)
    }
  }

  private func about(_ id: FunctionID) -> [String] {
    let function = rules[id]
    let parameters = function.parameters.map { String($0.text) }.joined(separator: ", ")
    let result = names.types[function.result.root.index].words
    var parts = [Self.code("function \(String(function.name.text))(\(parameters)): \(result)")]
    let comment = rules.commentLines(above: function.range)
    if !comment.isEmpty { parts.append(comment.joined(separator: "\n")) }
    let calls = symbols.places(of: .function(id)).count - 1
    parts.append(calls == 1 ? "called once" : "called \(calls) times")
    return parts
  }

  private func about(record: Record) -> String {
    var text = Self.code(record.name)
    for member in record.members {
      text += "\n- `\(String(member.name))`: \(member.types.words)"
    }
    return text
  }

  private func about(_ entries: [Builtin.Entry]) -> [String] {
    var parts: [String] = []
    for entry in entries {
      parts.append(Self.code(entry.declarations.joined(separator: "\n")))
      parts.append(entry.about)
    }
    return parts
  }

  private func about(method name: Text, _ here: Occurrence) -> [String] {
    let entries = Builtins.methods(named: name)
    guard let id = here.expression, case .method(let receiver, _, _) = rules[id].kind else {
      return about(entries)
    }
    let types = names.types[receiver.index]
    let fitting = entries.filter { entry in entry.receiver.map { types.contains($0) } ?? false }
    return about(fitting.isEmpty ? entries : fitting)
  }

  private func about(member name: Text, _ here: Occurrence) -> [String] {
    guard let id = here.expression, case .member(let base, _) = rules[id].kind else { return [] }
    let written = rules.source.string(rules[id].range)
    guard let record = names.record(base), let member = record.member(name) else {
      return [Self.code("\(written): \(names.types[id.index].words)")]
    }
    var text = Self.code("\(record.name).\(String(name)): \(member.types.words)")
    if let inner = member.record {
      for member in inner.members {
        text += "\n- `\(String(member.name))`: \(member.types.words)"
      }
    }
    return [text]
  }

  /// Returns the value of an expression in the last test that was run, and counts over all tests.
  private func lastRun(of here: Occurrence) -> String? {
    guard let id = here.expression, let runs else { return nil }
    var parts: [String] = []
    if let last = runs.last, let value = last.values.first(where: { $0.expression == id }) {
      parts.append("`\(value.text)` in the test \"\(last.name)\"")
    }
    let tally = runs.tally(of: id)
    let counts = [
      ("true", tally.trues), ("false", tally.falses), ("a value", tally.values),
      ("an error", tally.errors),
    ].filter { $0.1 > 0 }
    if !counts.isEmpty {
      parts.append("in all tests: " + counts.map { "\($0.0) \($0.1)×" }.joined(separator: ", "))
    }
    return parts.isEmpty ? nil : parts.joined(separator: "  \n")
  }

  /// Returns the hover of an operation word, a path pattern or a code in a comment.
  private func hoverOfWord(at offset: Int) -> Hover? {
    let place = UInt32(offset)
    for allow in rules.allows {
      for word in allow.operations where word.range.start <= place && place <= word.range.end {
        guard let methods = Operation.methods(of: word.text) else { return nil }
        let list = methods.methods.map { $0.word }.joined(separator: ", ")
        let pattern = rules.fullPattern(of: allow.match)
        return Hover(
          range: word.range,
          markdown: "allows \(list) of `\(pattern)` if the condition is true (Docs/Language.md §4)")
      }
    }
    for (index, match) in rules.matches.enumerated()
    where match.keyword.start <= place && place <= match.patternRange.end {
      let range = match.keyword.union(match.patternRange)
      return Hover(
        range: range, markdown: Self.code("match \(rules.fullPattern(of: MatchID(index)))"))
    }
    guard tokens.comment(at: offset) != nil,
      let ignore = IgnoreComment.find(in: source).first(where: {
        $0.range.start <= place && place <= $0.range.end
      }), let lint = Lints.named(ignore.code)
    else { return nil }
    return Hover(
      range: ignore.range, markdown: "**\(lint.code.name)**: \(lint.summary)\n\n\(lint.reason)")
  }

  private static func code(_ text: String) -> String { "```rules\n\(text)\n```" }
}

extension PathPart {
  /// True if the part matches a run of segments.
  var isGlob: Bool {
    if case .glob = kind { return true }
    return false
  }
}
