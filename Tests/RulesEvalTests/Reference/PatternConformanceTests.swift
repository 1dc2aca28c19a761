import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Patterns answer as they were measured to answer on the emulator.
@Suite struct PatternConformanceTests {
  @Test func everyMeasuredPatternAnswersAsTheEmulatorDoes() throws {
    let rows = try ConformanceRow.all(of: "patterns.tsv")
    #expect(rows.count > 2_500)
    for row in rows {
      #expect(try answer(to: row) == row.text(4), "\(row)")
    }
  }

  private func answer(to row: ConformanceRow) throws -> Text {
    let text = try row.text(2)
    do {
      let pattern = try Pattern(try row.text(1))
      switch row[0] {
      case "matches": return pattern.matches(text) ? "true" : "false"
      case "split":
        let pieces = pattern.split(text)
        return pieces.dropFirst().reduce("=" + pieces[0]) { $0 + "¦" + $1 }
      default: return try "=" + pattern.replace(text, with: row.text(3))
      }
    } catch let error as PatternError {
      switch error.reason {
      case .tooLong: return "too-long"
      case .tooManyGroups: return "too-many-groups"
      case .groupsTooDeep: return "too-deep"
      case .tooLarge: return "too-large"
      default: return "invalid"
      }
    } catch is TemplateError {
      return "template"
    }
  }
}
