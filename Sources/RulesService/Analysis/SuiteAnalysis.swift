package import RulesEval
package import RulesLang

/// The analysis of one suite's text, without its rules.
package final class SuiteAnalysis {
  /// The text.
  package let source: SourceText
  /// The suite; nil if it cannot be run.
  package let suite: Suite?
  /// The errors, and warnings about its data.
  package let diagnostics: [Diagnostic]
  /// The results of its last run; nil if it was not run since it changed.
  package internal(set) var run: SuiteRun?

  /// The text as JSON; nil if it is not well-formed.
  private(set) lazy var json: JSON? = try? JSONParser.parse(source)

  /// Parses a text.
  init(_ source: SourceText) {
    self.source = source
    switch SuiteText(source, streaming: false).content {
    // Google's format contains nothing that an editor could help with.
    case .rulesTest, .stream: (suite, diagnostics) = (nil, [])
    case .suite(let suite, let problems):
      self.suite = suite
      diagnostics = problems + (suite?.warnings ?? [])
    }
  }

  /// Stores the results of a run.
  package func note(_ run: SuiteRun?) { self.run = run }

  /// Returns the range of the name of the test or claim with a range; that range itself if it has no name.
  package func namePlace(in range: SourceRange) -> SourceRange {
    func find(_ items: [OutlineItem]) -> SourceRange? {
      for item in items {
        if item.range == range { return item.nameRange }
        if let inner = find(item.children) { return inner }
      }
      return nil
    }
    return find(outline) ?? range
  }

  /// The outline: groups, tests and claims.
  package var outline: [OutlineItem] { json.map { SuiteOutlineReader(source).items(of: $0) } ?? [] }
}

/// Makes the outline of a suite's JSON.
private struct SuiteOutlineReader {
  private let source: SourceText

  init(_ source: SourceText) { self.source = source }

  func items(of json: JSON) -> [OutlineItem] {
    elements(of: json, under: "tests").map { item($0) }
      + elements(of: json, under: "claims").map { claim($0) }
  }

  /// Returns the outline of a group, test or claim. Recurses as deeply as JSON nests, which its parser
  /// limits.
  private func item(_ json: JSON) -> OutlineItem {
    let tests = elements(of: json, under: "tests")
    guard tests.isEmpty, json.value(of: "tests") == nil else {
      return OutlineItem(
        kind: .group, name: json.string(of: "group") ?? "group", range: json.range,
        nameRange: place(of: json, key: "group"), children: tests.map { item($0) })
    }
    return OutlineItem(
      kind: .test, name: json.string(of: "name") ?? title(of: json), range: json.range,
      nameRange: place(of: json, key: "name"))
  }

  private func claim(_ json: JSON) -> OutlineItem {
    OutlineItem(
      kind: .claim, name: json.string(of: "name") ?? json.string(of: "path") ?? "claim",
      range: json.range, nameRange: place(of: json, key: "name"))
  }

  /// Returns the title of a test without a name: `update /users/alice`.
  private func title(of json: JSON) -> String {
    for verb in SuiteReader.operations {
      if let path = json.string(of: verb) { return "\(verb) \(path)" }
    }
    return json.value(of: "steps") == nil ? "test" : "steps"
  }

  private func place(of json: JSON, key: String) -> SourceRange {
    guard case .object(let members) = json.kind else { return json.range }
    let member = members.first { $0.key == key } ?? members.first
    return member.map { $0.keyRange.union($0.value.range) } ?? json.range
  }

  private func elements(of json: JSON, under key: String) -> [JSON] {
    guard case .array(let elements) = json.value(of: key)?.kind else { return [] }
    return elements
  }
}

extension JSON {
  /// The value under a key of an object.
  func value(of key: String) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The string under a key of an object.
  func string(of key: String) -> String? {
    guard case .string(let text) = value(of: key)?.kind else { return nil }
    return String(text)
  }
}

/// Makes the outline of a text of rules, without checking it.
package enum OutlineReader {
  /// Returns the outline of the text.
  package static func items(of source: SourceText) -> [OutlineItem] {
    OutlineItem.all(in: Parser.parse(source).ruleset)
  }
}
