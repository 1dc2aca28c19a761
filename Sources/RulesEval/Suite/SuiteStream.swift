public import RulesLang

/// A suite, or a test of Google's format, without its tests, and the ranges of these.
struct SuiteOutline {
  /// The text of the file.
  let source: SourceText
  /// The suite as JSON, without its tests.
  let json: JSON
  fileprivate let elements: [Range<Int>]

  /// Finds the ranges of the tests. Nil if the text is not laid out like a suite.
  init?(_ source: SourceText) {
    guard let (json, elements) = try? JSONParser.outline(source, passingOver: "tests") else {
      return nil
    }
    (self.source, self.json, self.elements) = (source, json, elements)
  }

  /// True if the text has Google's format, not that of suites.
  var isRulesTest: Bool { json.isRulesTest }

  /// True if there are more tests and groups than one portion holds.
  var isLong: Bool { elements.count > SuiteStream.portionSize }
}

/// A suite whose tests are read in portions, so that they are never all in memory, and several portions can
/// be read in parallel.
public struct SuiteStream: Sendable {
  /// The suite without its tests.
  public internal(set) var suite: Suite
  private let context: SuiteReader.Context
  /// The ranges of the tests and groups.
  private let elements: [Range<Int>]

  /// The number of tests or groups in a portion.
  fileprivate static let portionSize = 512

  /// Creates the stream of a suite for `database`; if that is nil, for the one that the suite names. Nil if
  /// anything around the tests is wrong; `SuiteReader.read` then reports it.
  init?(_ outline: SuiteOutline, database: DatabaseName? = nil) {
    var reader = SuiteReader(in: database ?? .standard)
    reader.choose(database, of: outline.json)
    var context = SuiteReader.Context()
    guard var suite = reader.suite(outline.json, in: outline.source, context: &context),
      reader.diagnostics.isEmpty
    else { return nil }
    suite.warnings = reader.warnings.sortedByPlace()
    self.suite = suite
    self.context = context
    elements = outline.elements
  }

  /// The number of portions.
  public var portionCount: Int {
    (elements.count + Self.portionSize - 1) / Self.portionSize
  }

  /// Consecutive tests of a suite.
  public struct Portion {
    /// The tests, in order.
    public var tests: [Test]
    /// Warnings about their data.
    public var warnings: [Diagnostic]
    /// The tests among them without an `as`.
    public var unstatedAskers: UnstatedAskers
  }

  /// Reads the tests of a portion; nil if one of them is wrong.
  public func read(_ portion: Int) -> Portion? {
    let first = portion * Self.portionSize
    var reader = SuiteReader(in: suite.database)
    var values: [JSON] = []
    for range in elements[first..<min(first + Self.portionSize, elements.count)] {
      guard
        let value = try? JSONParser.parse(
          suite.source.bytes, in: range, depth: JSONParser.elementDepth)
      else { return nil }
      values.append(value)
    }
    let tests = reader.tests(JSON(.array(values)), in: context)
    guard reader.diagnostics.isEmpty else { return nil }
    return Portion(
      tests: tests, warnings: reader.warnings.sortedByPlace(),
      unstatedAskers: reader.unstatedAskers)
  }
}
