package import RulesLang

/// The encoding of conditions for one kind of request, without a claim: for tests of the encoder.
package struct StatedConditions: Sendable {
  /// An encoded condition of a statement, or an operand of one.
  package struct Part: Sendable {
    /// The statement.
    package let allow: AllowID
    /// The expression.
    package let expression: ExprID
    /// The condition under which the statement's block matches.
    package let applies: Prop
    /// The propositions that the expression is true, and that it is false; neither holds for an error.
    package let yes, no: Prop
  }

  /// The terms and propositions, with the axioms about all requests of the kind.
  package let question: Question
  /// The encoded expressions.
  package let parts: [Part]
  /// The strings that the key sets of the encoding name.
  package let keys: Set<Text>
}

extension StatedClaim {
  /// Returns the encoding of the statements that can match requests of a kind: of each condition those
  /// expressions that `parts` returns. Throws if they are too large.
  package func conditions(
    for kind: RequestKind, parts: (AllowID) -> [ExprID]
  ) throws(StatementProblem) -> StatedConditions {
    let encoder = Encoder(self, for: kind)
    var found: [StatedConditions.Part] = []
    for statement in encoder.statements() {
      for expression in parts(statement.allow) {
        let rails = encoder.rails(of: expression, in: statement.frame)
        found.append(
          StatedConditions.Part(
            allow: statement.allow, expression: expression, applies: statement.applies,
            yes: rails.yes, no: rails.no))
      }
    }
    encoder.close()
    if encoder.isOverwhelmed {
      throw StatementProblem("the conditions are too large to be checked")
    }
    let names = Set(encoder.keys.compactMap { encoder.question.text(of: $0) })
    return StatedConditions(question: encoder.question, parts: found, keys: names)
  }
}
