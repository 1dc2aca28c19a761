public import RulesLang

extension Obstacle {
  /// The obstacle in one sentence: `` `a == b` is false: 1 vs 2 ``.
  public func sentence(in rules: Ruleset) -> String {
    let text = "`" + SourceSnippet.text(rules[expression].range, in: rules.source) + "`"
    switch outcome {
    case .none: return "\(text) would have to be \(wanted), too (not evaluated)"
    case .value(.bool(let flag)):
      return "\(text) is \(flag)" + (detail.isEmpty ? "" : ": \(detail)")
    case .value: return "\(text) is not a condition" + (detail.isEmpty ? "" : ": \(detail)")
    case .error: return "\(text) ends in an error" + (detail.isEmpty ? "" : ": \(detail)")
    }
  }
}
