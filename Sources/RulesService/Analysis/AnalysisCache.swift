package import RulesLang

/// A cache of analyses by content, so that only changed texts are analysed.
///
/// The cache keeps the last two texts of each file, so that undoing a change needs no new analysis, and a
/// bounded number over all files.
package struct AnalysisCache {
  private struct Entry<Analysis> {
    var source: SourceText
    var analysis: Analysis
  }

  private var rules: [Entry<RulesAnalysis>] = []
  private var suites: [Entry<SuiteAnalysis>] = []
  private var current: AnalysisSettings
  /// The number of analyses so far.
  package private(set) var analysed = 0

  /// Maximum texts kept of one file.
  private static var versions: Int { 2 }
  /// Maximum texts kept over all files.
  private static var capacity: Int { 64 }

  /// Creates an empty cache.
  package init(_ settings: AnalysisSettings = AnalysisSettings()) { current = settings }

  /// The settings of analyses; setting others empties the cache.
  package var settings: AnalysisSettings {
    get { current }
    set {
      current = newValue
      rules = []
      suites = []
    }
  }

  /// Returns the analysis of a text of rules.
  package mutating func rules(_ source: SourceText) -> RulesAnalysis {
    let settings = current
    return Self.take(source, from: &rules, count: &analysed) {
      RulesAnalysis(source, settings: settings)
    }
  }

  /// Returns the analysis of a text of rules if it is in the cache.
  package func known(_ source: SourceText) -> RulesAnalysis? {
    rules.first { $0.source.isSame(as: source) }?.analysis
  }

  /// Returns the analysis of a suite's text.
  package mutating func suite(_ source: SourceText) -> SuiteAnalysis {
    Self.take(source, from: &suites, count: &analysed) { SuiteAnalysis(source) }
  }

  private static func take<Analysis>(
    _ source: SourceText, from entries: inout [Entry<Analysis>], count: inout Int,
    making make: () -> Analysis
  ) -> Analysis {
    if let place = entries.firstIndex(where: { $0.source.isSame(as: source) }) {
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.analysis
    }
    count += 1
    let entry = Entry(source: source, analysis: make())
    let others = entries.indices.filter { entries[$0].source.name == source.name }
    if others.count >= versions { entries.remove(at: others[0]) }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append(entry)
    return entry.analysis
  }
}

extension SourceText {
  /// True if another text has the same name and content.
  func isSame(as other: SourceText) -> Bool {
    name == other.name && bytes.count == other.bytes.count
      && hadByteOrderMark == other.hadByteOrderMark && firstInvalidByte == other.firstInvalidByte
      && bytes == other.bytes
  }
}
