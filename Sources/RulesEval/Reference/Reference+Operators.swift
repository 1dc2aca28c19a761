import RulesLang

// Operators and postfix forms: which operands are evaluated, and which error comes first. What they
// do with values is in `Operations`.

extension Reference {
  // MARK: Logic

  /// Evaluates `left && right` (decided by false) or `left || right` (decided by true).
  mutating func junction(
    of left: ExprID, and right: ExprID, decidedBy deciding: Bool, at id: ExprID, in frame: Frame
  ) -> Outcome {
    let first = bool(evaluate(left, in: frame), at: id)
    if case .value(.bool(deciding)) = first { return first }
    if case .error(let error) = first, !error.isAbsorbable { return first }
    guard pay() else { return failure(.budget, of: id) }
    let second = bool(evaluate(right, in: frame), at: id, isAtBeginning: true)
    switch (first, second) {
    case (_, .error(let error)) where !error.isAbsorbable: return second
    case (_, .value(.bool(deciding))): return second
    case (.error, _): return first
    case (.value, _): return second
    }
  }

  /// Returns an outcome as an operand that must be a bool; an error for other values.
  func bool(_ outcome: Outcome, at id: ExprID, isAtBeginning: Bool = false) -> Outcome {
    switch outcome {
    case .value(.bool), .error: return outcome
    case .value(let value):
      let reason = EvaluationError.Reason.wrongType(value.type, expected: [.bool])
      return isAtBeginning ? failure(reason, atBeginningOf: id) : failure(reason, of: id)
    }
  }

  mutating func not(_ operand: ExprID, at id: ExprID, in frame: Frame) -> Outcome {
    switch evaluate(operand, in: frame) {
    case .value(.bool(let value)): .value(.bool(!value))
    case .value(let value):
      failure(.unsupported(received: "!\(value.type.word)", expected: "!bool"), of: id)
    case .error(let error): .error(error)
    }
  }

  mutating func conditional(
    _ condition: ExprID, then whenTrue: ExprID, else whenFalse: ExprID, at id: ExprID,
    in frame: Frame
  ) -> Outcome {
    guard pay() else { return failure(.budget, of: id) }
    switch bool(evaluate(condition, in: frame), at: id) {
    case .value(.bool(true)): return evaluate(whenTrue, in: frame)
    case .value:
      guard pay(2) else { return failure(.budget, of: id) }
      return evaluate(whenFalse, in: frame)
    case .error(let error): return .error(error)
    }
  }

  // MARK: Operators

  mutating func negate(_ operand: ExprID, at id: ExprID, in frame: Frame) -> Outcome {
    let outcome = evaluate(operand: operand, frame)
    guard case .value(let value) = outcome else { return outcome }
    // The one literal that only exists negated is already negative (Docs/Language.md §2).
    if case .literal(.int(.min)) = rules.ruleset[operand].kind { return outcome }
    do throws(EvaluationError.Reason) {
      return .value(try Operations.negate(value))
    } catch {
      return failure(error, of: id)
    }
  }

  mutating func binary(
    _ op: BinaryOperator, left: ExprID, right: ExprID, at id: ExprID, in frame: Frame
  ) -> Outcome {
    switch all([left, right], in: frame) {
    case .failure(let error): return .error(error)
    case .success(let operands):
      do throws(EvaluationError.Reason) {
        return .value(try Operations.apply(op, to: operands[0], and: operands[1]))
      } catch {
        return failure(error, of: id)
      }
    }
  }

  /// Evaluates `left in right`: an error or an unsuitable type on the right comes first.
  mutating func membership(
    of left: ExprID, within right: ExprID, at id: ExprID, in frame: Frame
  ) -> Outcome {
    let element = evaluate(left, in: frame)
    let container = evaluate(right, in: frame)
    guard case .value(let collection) = container else { return container }
    if case .null = collection { return failure(.nullValue, of: id) }
    if let reason = Operations.unsearchable(collection) {
      return failure(reason, atBeginningOf: id)
    }
    guard case .value(let value) = element else { return element }
    do throws(EvaluationError.Reason) {
      return .value(.bool(try Operations.collection(collection, contains: value)))
    } catch {
      return failure(error, of: id)
    }
  }

  mutating func isType(
    of operand: ExprID, named word: TypeWord, at id: ExprID, in frame: Frame
  ) -> Outcome {
    guard pay() else { return failure(.budget, of: id) }
    switch evaluate(operand, in: frame) {
    case .value(let value): return .value(.bool(word.accepts.contains(value.type)))
    case .error(let error): return .error(error)
    }
  }

  // MARK: Postfix forms

  mutating func member(
    of base: ExprID, named name: Name, at id: ExprID, in frame: Frame
  ) -> Outcome {
    let outcome = evaluate(operand: base, frame)
    guard case .value(let value) = outcome else { return outcome }
    if case .null = value { return failure(.nullValue, of: id, at: firstToken(inside(base))) }
    do throws(EvaluationError.Reason) {
      return .value(try Operations.member(of: value, named: name.text))
    } catch {
      return failure(error, atBeginningOf: id)
    }
  }

  mutating func index(
    _ base: ExprID, by key: ExprID, at id: ExprID, in frame: Frame
  ) -> Outcome {
    let outcome = evaluate(operand: base, frame)
    let position = evaluate(key, in: frame)
    guard case .value(let value) = outcome else { return outcome }
    if let reason = Operations.unindexable(value) { return unsuitable(reason, at: id) }
    guard case .value(let key) = position else { return position }
    do throws(EvaluationError.Reason) {
      return .value(try Operations.index(value, by: key))
    } catch {
      return failure(error, of: id)
    }
  }

  mutating func slice(
    _ base: ExprID, from: ExprID?, to: ExprID?, at id: ExprID, in frame: Frame
  ) -> Outcome {
    let outcome = evaluate(operand: base, frame)
    let start = bound(from, at: id, in: frame)
    let end = bound(to, at: id, in: frame)
    guard case .value(let value) = outcome else { return outcome }
    if let reason = Operations.unsliceable(value) { return unsuitable(reason, at: id) }
    guard case .value(let lower) = start else { return start }
    guard case .value(let upper) = end else { return end }
    do throws(EvaluationError.Reason) {
      return .value(try Operations.slice(value, from: lower, to: upper))
    } catch {
      return failure(error, of: id)
    }
  }

  /// Returns the error of a value that cannot be indexed or sliced: for null at the token that the engine
  /// points at for the form, else at the form's first token.
  private func unsuitable(_ reason: EvaluationError.Reason, at id: ExprID) -> Outcome {
    if case .nullValue = reason { return failure(reason, of: id) }
    return failure(reason, atBeginningOf: id)
  }

  /// Evaluates a bound of a slice; an omitted one costs as much as a literal.
  mutating func bound(_ bound: ExprID?, at id: ExprID, in frame: Frame) -> Outcome {
    if let bound { return evaluate(bound, in: frame) }
    return pay() ? .value(.null) : failure(.budget, of: id)
  }
}
