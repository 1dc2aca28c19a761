import RulesEval
import RulesLang
import RulesProof

/// A part of a condition that no test of a suite shows as it could be.
struct SuiteGap {
  /// The part, and what it did not come to.
  var part: SuiteGoal.Part
  /// Where it stands.
  var range: SourceRange
  /// Whether that is proved: "can never be", "was not found to be".
  var verb: String

  /// A sentence for each part. One that is neither true nor false is not evaluated, and then of what it is
  /// made of nothing is said.
  static func sentences(_ gaps: [SuiteGap], in source: SourceText) -> [String] {
    var hidden: [SourceRange] = []
    var sentences: [String] = []
    // Those outside come before those inside.
    let sorted = gaps.enumerated().sorted { one, other in
      let (a, b) = (one.element.range, other.element.range)
      return (a.start, b.end, UInt32(one.offset)) < (b.start, a.end, UInt32(other.offset))
    }.map { $0.element }
    for gap in sorted {
      if hidden.contains(where: { $0.start <= gap.range.start && gap.range.end <= $0.end }) {
        continue
      }
      let alike = gaps.filter {
        $0.part.expression == gap.part.expression && $0.verb == gap.verb
      }
      let word: String
      switch gap.part.outcome {
      case .isTrue where alike.count == 1: word = "true"
      case .isFalse where alike.count == 1: word = "false"
      case .isTrue, .isFalse, .isEvaluated:
        word = "evaluated"
        hidden.append(gap.range)
      }
      let text = SourceSnippet.text(gap.range, in: source)
      sentences.append("line \(source.line(of: gap.range.start)): `\(text)` \(gap.verb) \(word)")
    }
    return sentences
  }
}
