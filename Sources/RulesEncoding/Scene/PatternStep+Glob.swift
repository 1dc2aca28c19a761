package import RulesLang

extension PatternStep {
  /// True if the step matches any number of segments.
  package var isGlob: Bool {
    if case .glob = self { return true }
    return false
  }
}
