package import RulesLang

extension PatternStep {
  /// Whether it stands for any number of segments.
  package var isGlob: Bool {
    if case .glob = self { return true }
    return false
  }
}
