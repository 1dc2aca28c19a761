import RulesEval
import RulesLang
import RulesProof

/// An outcome of a part of a condition that no test of a suite reaches.
struct SuiteGap {
  /// The part with the outcome.
  var part: SuiteGoal.Part
  /// The source range of the part.
  var range: SourceRange
  /// The verb for the sentence: "can never be" if that is proved, else "was not found to be".
  var verb: String

  /// Returns a sentence for each part. A part that is neither true nor false is never evaluated; its operands
  /// are then not mentioned.
  static func sentences(_ gaps: [SuiteGap], in source: SourceText) -> [String] {
    var hidden: [SourceRange] = []
    var sentences: [String] = []
    // Outer ranges come before inner ones.
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
