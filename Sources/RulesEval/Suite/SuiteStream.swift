public import RulesLang

/// A suite, or a test of Google's format, with its tests left out: what it is, and where they are.
struct SuiteOutline {
  /// The text.
  let source: SourceText
  /// The suite as JSON, without its tests.
  let json: JSON
  fileprivate let elements: [Range<Int>]

  /// Finds where the tests are. Nil if something is wrong with how it is laid out.
  init?(_ source: SourceText) {
    guard let (json, elements) = try? JSONParser.outline(source, passingOver: "tests") else {
      return nil
    }
    (self.source, self.json, self.elements) = (source, json, elements)
  }

  /// Whether the text is of Google's format rather than a suite of ours.
  var isRulesTest: Bool { json.isRulesTest }

  /// Whether there are more tests and groups than are read at a time.
  var isLong: Bool { elements.count > SuiteStream.portionSize }
}

/// A suite whose tests are read portion by portion, so that never all of them are in memory, and
/// several can be read at once.
public struct SuiteStream: Sendable {
  /// The suite without its tests.
  public internal(set) var suite: Suite
  private let context: SuiteReader.Context
  /// Where the tests and groups are.
  private let elements: [Range<Int>]

  /// How many tests or groups are read at a time.
  fileprivate static let portionSize = 512

  /// Finds the tests of a suite, which is about `database`, else about the one that it names. Nil if anything
  /// is wrong with what is around them; then `SuiteReader.read` tells what.
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

  /// How many portions there are.
  public var portionCount: Int {
    (elements.count + Self.portionSize - 1) / Self.portionSize
  }

  /// Tests that follow each other.
  public struct Portion {
    /// The tests, in order.
    public var tests: [Test]
    /// What is to be known of their data.
    public var warnings: [Diagnostic]
    /// Those of them that do not say who asks.
    public var unstatedAskers: UnstatedAskers
  }

  /// The tests of a portion; nil if one of them is wrong.
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
