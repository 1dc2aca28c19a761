import RulesHost
import RulesLang
import RulesReport
import RulesStyle

/// Finds silences that are new since an older revision.
struct SilenceHistory {
  private let revision: String
  private let history: GitHistory
  private let linter: Linter

  /// Compares with a revision, named as the user did, with the project's present levels.
  init(_ revision: String, _ history: GitHistory, _ levels: [Code: LintLevel] = [:]) {
    self.revision = revision
    self.history = history
    linter = Linter(levels: levels.filter { $0.value != .off })
  }

  /// Returns the `ignore` comments that an older text lacks for the same statement of the same path, or that
  /// silenced nothing there and do now.
  func comments(of new: SourceText, since old: SourceText?) -> [NewSilence] {
    let comments = IgnoreComment.find(in: new).filter { !$0.code.isEmpty }
    if comments.isEmpty { return [] }
    let now = SilencedLines(new, linter)
    let then = old.map { SilencedLines($0, linter) }
    var known: [[String]: Int] = [:]
    if let old, let then {
      for comment in IgnoreComment.find(in: old) { known[then.key(comment), default: 0] += 1 }
    }
    return comments.filter { comment in
      let key = now.key(comment)
      guard let left = known[key], left > 0 else { return true }
      known[key] = left - 1
      guard let silenced = then?.findings else { return false }
      return now.findings?.contains(key) == true && !silenced.contains(key)
    }.map { NewSilence($0, in: new, since: revision) }
  }

  /// Returns the settings of the project that are less strict than they were.
  func settings(of now: Configuration) throws(UsageProblem) -> [NewSilence] {
    let path = try Configuration.nearest(Configuration.fileName)
    let former = try history.nearest(Configuration.fileName)
    guard let file = path ?? former else { return [] }
    var messages: [(setting: String, text: String)] = []
    var then = Configuration()
    if let former, let text = try history.read(former) {
      var reader = ConfigurationReader(SourceText(name: former, bytes: text.bytes))
      then = reader.read()
      if path == nil {
        messages.append(("", "the settings are gone, and were there at `\(revision)`"))
      }
      if !reader.problems.isEmpty {
        messages.append(
          ("", "the settings of `\(revision)` cannot be read: it is unknown what they required"))
      }
    }
    messages += lowered(from: then, to: now)
    return messages.map { NewSilence(of: $0.setting, in: file, saying: $0.text) }
  }

  private func lowered(from then: Configuration, to now: Configuration)
    -> [(setting: String, text: String)]
  {
    let codes = Set(now.levels.keys).union(then.levels.keys).sorted { $0.name < $1.name }
    var messages: [(setting: String, text: String)] = codes.compactMap { code in
      let usual = code.usualLevel
      let (old, new) = (then.levels[code] ?? usual, now.levels[code] ?? usual)
      return new.rank < old.rank
        ? (code.name, "`\(code.name)` is \(new.word), and was \(old.word) at `\(revision)`") : nil
    }
    let (old, new) = (then.failOn ?? .error, now.failOn ?? .error)
    if new.rank > old.rank {
      messages.append(
        ("failOn", "`failOn` is \(new.rawValue), and was \(old.rawValue) at `\(revision)`"))
    }
    if let demanded = then.minimumCoverage, now.minimumCoverage ?? -1 < demanded {
      let words = now.minimumCoverage.map { "is \($0)" } ?? "is gone"
      messages.append(
        ("minCoverage", "`minCoverage` \(words), and was \(demanded) at `\(revision)`"))
    }
    return messages
  }
}

/// The lines of a text to which `ignore` comments apply.
private struct SilencedLines {
  private let source: SourceText
  private let rules: Ruleset
  /// The keys of findings that comments silence; nil if the text does not compile.
  private(set) var findings: Set<[String]>? = nil

  init(_ source: SourceText, _ linter: Linter) {
    self.source = source
    let outcome = Checker.checkFirestore(source)
    rules = outcome.ruleset
    if let checked = outcome.checked {
      let keys = linter.review(checked).silenced.compactMap { finding in
        finding.range.map { key(finding.code.name, line: source.line(of: $0.start)) }
      }
      findings = Set(keys)
    }
  }

  /// Returns the identity of an `ignore` comment, independent of its place.
  func key(_ comment: IgnoreComment) -> [String] { key(comment.code, line: comment.line) }

  /// Returns the key of a code on a line: the code, the path of the blocks around the line, and the
  /// statements on it.
  private func key(_ code: String, line: Int) -> [String] {
    func isAround(_ range: SourceRange) -> Bool {
      source.line(of: range.start) <= line && line <= source.line(of: range.end)
    }
    let blocks = rules.matches.filter { isAround($0.range) }.map {
      Self.withoutNames(source.string($0.patternRange))
    }
    let statements = rules.allows.filter { isAround($0.range) }.map { source.string($0.range) }
    let texts = statements.isEmpty ? [source.string(source.lineRange(line))] : statements
    let words = texts.joined(separator: " ").split { $0.isWhitespace }.joined(separator: " ")
    return [Lints.presentName(code), blocks.sorted().joined(), words]
  }

  /// Returns a path pattern with unnamed wildcards: `/users/{}`, `/{=**}`.
  private static func withoutNames(_ pattern: String) -> String {
    var text = ""
    var isInName = false
    for character in pattern {
      if character == "}" || character == "=" { isInName = false }
      if !isInName { text.append(character) }
      if character == "{" { isInName = true }
    }
    return text
  }
}

extension LintLevel {
  /// The rank among the levels, the quietest first.
  var rank: Int { Self.words.firstIndex(of: word) ?? 0 }
}

extension FailureLevel {
  /// The rank among the levels, the strictest first.
  fileprivate var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    case .none: 3
    }
  }
}
