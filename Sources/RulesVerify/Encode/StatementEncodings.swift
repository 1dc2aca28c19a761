import RulesEval
import RulesLang

/// The encoded conditions of one rules file, by kind of request, shared by the claims about it. Not
/// thread-safe. Sharing does not change a query: a query begins with the statements' conditions, which
/// depend on nothing of the claim but its strings.
package final class StatementEncodings {
  private struct Key: Hashable {
    var kind: RequestKind
    /// The strings of the claim that the rules do not contain.
    var added: Set<Text>
  }

  private var rules: Checked?
  private var strings: Set<Text> = []
  private var known: [Key: Encoder] = [:]
  private var size = 0

  /// Creates an empty cache.
  package init() {}

  /// Returns an encoder of a claim's query that has encoded the statements' conditions.
  func encoder(of stated: StatedClaim, for kind: RequestKind) -> Encoder {
    let given = stated.given
    if rules !== given {
      (rules, strings, known, size) = (given, given.keyStrings(), [:], 0)
    }
    let added = stated.rules.keyStrings(from: given.ruleset.expressions.count)
    let key = Key(kind: kind, added: added.subtracting(strings))
    if let encoder = known[key] { return Encoder(copying: encoder, for: stated) }
    let encoder = Encoder(stated, for: kind)
    encoder.encodeStatements()
    size += encoder.question.extent
    if size > Encoder.greatestSize { (known, size) = ([:], 0) }
    known[key] = Encoder(copying: encoder, for: stated)
    return encoder
  }
}
