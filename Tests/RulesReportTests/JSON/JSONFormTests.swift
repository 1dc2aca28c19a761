import RulesEval
import RulesReport
import Testing

/// Forms of reports: JSON and schema of one description agree.
@Suite struct JSONFormTests {
  private struct Place: Sendable { var line: Int }

  private struct Finding: Sendable {
    var message: String
    var notes: [String]
    var lines: [Int]
    var place: Place?
  }

  private static let form = JSONForm<Finding>(
    "A finding.",
    [
      .texts("notes?", "Its notes.") { $0.notes }, .text("message", "The message.") { $0.message },
      .lines("lines", "Its lines.") { $0.lines },
    ], place.inside(optional: { $0.place }))

  private static let place: [JSONMember<Place>] = [.count("line", "The line.") { $0.line }]

  private static func json(_ notes: [String], _ lines: [Int], at place: Place?) -> String {
    form.json(Finding(message: "m", notes: notes, lines: lines, place: place)).compact
  }

  @Test func membersAreWrittenInTheOrderOfTheDescription() {
    #expect(
      Self.json(["n"], [1], at: Place(line: 2))
        == #"{"notes":["n"],"message":"m","lines":[1],"line":2}"#)
  }

  @Test func optionalMembersAreLeftOutIfNilOrEmptyAndOthersNot() {
    #expect(Self.json([], [], at: nil) == #"{"message":"m","lines":[]}"#)
  }

  @Test func theSchemaRequiresWhatIsAlwaysWritten() {
    let schema = Self.form.schema.compact
    #expect(schema.contains(#""required":["message","lines"]"#))
    for name in ["notes", "message", "lines", "line"] { #expect(schema.contains("\"\(name)\":{")) }
    #expect(!schema.contains("?"))
    #expect(schema.contains(#""additionalProperties":false"#))
  }

  @Test func aDefinedFormIsAReferenceInTheSchemaAlone() {
    let finding = Finding(message: "m", notes: [], lines: [], place: nil)
    #expect(Self.form.defined("finding").schema.compact == ##"{"$ref":"#/$defs/finding"}"##)
    #expect(Self.form.defined("finding").json(finding).compact == Self.form.json(finding).compact)
  }
}
