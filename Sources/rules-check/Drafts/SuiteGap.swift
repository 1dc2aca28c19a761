import RulesEval
import RulesLang
import RulesProof

/// An outcome of a part of a condition that no test of a suite reaches.
struct SuiteGap {
  /// The part with the outcome.
  var part: SuiteGoal.Part
  /// The source range of the part.
  var range: SourceRange
  /// True if it is proved that no request has the outcome; false if none was found.
  var isProved: Bool

  /// Returns a sentence for each part. The operands of a part that is neither true nor false, or is not
  /// evaluated, are not mentioned.
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
        $0.part.expression == gap.part.expression && $0.isProved == gap.isProved
      }
      var verb = gap.isProved ? "can never be" : "was not found to be"
      let word: String
      switch gap.part.outcome {
      case .isTrue where alike.count == 1: word = "true"
      case .isFalse where alike.count == 1: word = "false"
      case .isTrue, .isFalse:
        // An evaluation of the part may be an error.
        if gap.isProved { verb = "can be neither" }
        word = gap.isProved ? "true nor false" : "true or false"
        hidden.append(gap.range)
      case .isEvaluated:
        word = "evaluated"
        hidden.append(gap.range)
      }
      let text = SourceSnippet.text(gap.range, in: source)
      sentences.append("line \(source.line(of: gap.range.start)): `\(text)` \(verb) \(word)")
    }
    return sentences
  }
}
