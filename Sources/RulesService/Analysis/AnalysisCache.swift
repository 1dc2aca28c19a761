package import RulesLang

/// The one analysis service: it keeps what is known about texts, by their content, and finds out anew only
/// what has changed.
///
/// Of each file the last two texts are kept, so that what is undone is not analysed again, and of all files
/// together so many that memory stays bounded however long an editor runs.
package struct AnalysisCache {
  private struct Entry<Analysis> {
    var source: SourceText
    var analysis: Analysis
  }

  private var rules: [Entry<RulesAnalysis>] = []
  private var suites: [Entry<SuiteAnalysis>] = []
  private var current: AnalysisSettings
  /// How many texts were analysed so far.
  package private(set) var analysed = 0

  /// How many texts of one file are kept.
  private static var versions: Int { 2 }
  /// How many texts of all files are kept.
  private static var capacity: Int { 64 }

  /// Keeps nothing yet.
  package init(_ settings: AnalysisSettings = AnalysisSettings()) { current = settings }

  /// What findings depend on; nothing is kept when that changes.
  package var settings: AnalysisSettings {
    get { current }
    set {
      current = newValue
      rules = []
      suites = []
    }
  }

  /// What is known about a text of rules.
  package mutating func rules(_ source: SourceText) -> RulesAnalysis {
    let settings = current
    return Self.take(source, from: &rules, count: &analysed) {
      RulesAnalysis(source, settings: settings)
    }
  }

  /// What is known about a text of rules, if that was asked already.
  package func known(_ source: SourceText) -> RulesAnalysis? {
    rules.first { $0.source.isSame(as: source) }?.analysis
  }

  /// What is known about the text of a suite.
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
  /// Whether another text has the same name and content.
  func isSame(as other: SourceText) -> Bool {
    name == other.name && bytes.count == other.bytes.count
      && hadByteOrderMark == other.hadByteOrderMark && firstInvalidByte == other.firstInvalidByte
      && bytes == other.bytes
  }
}
