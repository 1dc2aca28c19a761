import RulesHost
import RulesLang
import RulesReport

/// Finds what silences findings now, and did not at an older revision.
struct SilenceHistory {
  private let revision: String
  private let history: GitHistory

  /// Compares with a revision, which the user called so.
  init(_ revision: String, _ history: GitHistory) {
    self.revision = revision
    self.history = history
  }

  /// The `ignore` comments of a text that an older text does not have for a line that reads alike.
  func comments(of new: SourceText, since old: SourceText?) -> [NewSilence] {
    var known: [[String]: Int] = [:]
    if let old {
      for comment in IgnoreComment.find(in: old) { known[Self.key(comment, old), default: 0] += 1 }
    }
    return IgnoreComment.find(in: new).filter { comment in
      if comment.code.isEmpty { return false }
      let key = Self.key(comment, new)
      guard let left = known[key], left > 0 else { return true }
      known[key] = left - 1
      return false
    }.map { NewSilence($0, in: new, since: revision) }
  }

  /// What tells an `ignore` comment from others wherever it stands: its code, and the line that it is about.
  private static func key(_ comment: IgnoreComment, _ source: SourceText) -> [String] {
    let line = source.string(source.lineRange(comment.line))
    let words = line.split { $0.isWhitespace }.joined(separator: " ")
    return [Lints.presentName(comment.code), words]
  }

  /// The settings of the project that ask for less than they did.
  func settings(of now: Configuration) throws(UsageProblem) -> [NewSilence] {
    guard let path = try Configuration.nearest(Configuration.fileName) else { return [] }
    var then = Configuration()
    if let text = try history.nearest(Configuration.fileName).flatMap({
      name throws(UsageProblem) in try history.read(name)
    }) {
      var reader = ConfigurationReader(SourceText(name: path, bytes: text.bytes))
      then = reader.read()
    }
    let codes = now.levels.keys.sorted { $0.name < $1.name }
    var messages: [String] = codes.compactMap { code in
      let usual = code.usualLevel
      let (old, new) = (then.levels[code] ?? usual, now.levels[code] ?? usual)
      return new.rank < old.rank
        ? "`\(code.name)` is \(new.word), and was \(old.word) at `\(revision)`" : nil
    }
    let (old, new) = (then.failOn ?? .error, now.failOn ?? .error)
    if new.rank > old.rank {
      messages.append(
        "`failOn` is \(new.rawValue), and was \(old.rawValue) at `\(revision)`")
    }
    if let demanded = then.minimumCoverage, now.minimumCoverage ?? -1 < demanded {
      let words = now.minimumCoverage.map { "is \($0)" } ?? "is gone"
      messages.append("`minCoverage` \(words), and was \(demanded) at `\(revision)`")
    }
    return messages.map { NewSilence(in: path, saying: $0) }
  }
}

extension LintLevel {
  /// Its place among the levels, the quietest first.
  var rank: Int { Self.words.firstIndex(of: word) ?? 0 }
}

extension FailureLevel {
  /// Its place among the levels, the strictest first.
  fileprivate var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    case .none: 3
    }
  }
}
