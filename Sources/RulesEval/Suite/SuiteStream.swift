public import RulesLang

/// A suite whose tests are read portion by portion, so that never all of them are in memory, and
/// several can be read at once.
public struct SuiteStream: Sendable {
  /// The suite without its tests.
  public let suite: Suite
  private let context: SuiteReader.Context
  /// Where the tests and groups are.
  private let elements: [Range<Int>]

  /// How many tests or groups are read at a time.
  private static let portionSize = 512

  /// Finds the tests of a suite. Nil if anything is wrong with what is around them, or with how they
  /// are laid out; then `SuiteReader.read` tells what.
  public init?(_ source: SourceText) {
    guard let (outline, elements) = try? JSONParser.outline(source, passingOver: "tests") else {
      return nil
    }
    var reader = SuiteReader()
    var context = SuiteReader.Context()
    guard let suite = reader.suite(outline, source, &context), reader.diagnostics.isEmpty else {
      return nil
    }
    self.suite = suite
    self.context = context
    self.elements = elements
  }

  /// How many portions there are.
  public var portionCount: Int {
    (elements.count + Self.portionSize - 1) / Self.portionSize
  }

  /// The tests of a portion, in order; nil if one of them is wrong.
  public func tests(_ portion: Int) -> [Test]? {
    let first = portion * Self.portionSize
    var reader = SuiteReader()
    var values: [JSON] = []
    for range in elements[first..<min(first + Self.portionSize, elements.count)] {
      guard
        let value = try? JSONParser.parse(
          suite.source.bytes, range, depth: JSONParser.elementDepth)
      else { return nil }
      values.append(value)
    }
    let tests = reader.tests(JSON(.array(values)), context)
    return reader.diagnostics.isEmpty ? tests : nil
  }
}
