/// Translates a tree to instructions, last to first: each node gets its continuation, so only the heads of
/// loops have to be patched afterwards.
///
/// Counts are unrolled: `x{2,4}` is `xx(?:x(?:x)?)?`. A loop over an operand that can match the empty text is
/// entered through its operand, so that one empty round is possible and a second is not: `(|a)*` prefers the
/// empty match, as in the emulator.
struct PatternCompiler {
  private let syntax: PatternSyntax
  private let nullable: [Bool]
  private let limit: Int
  /// The instructions translated so far.
  private(set) var instructions: [PatternProgram.Instruction] = []

  private typealias Label = PatternProgram.InstructionID

  /// Prepares to translate a tree.
  init(_ syntax: PatternSyntax) {
    self.syntax = syntax
    nullable = syntax.nullableNodes()
    let slots = 2 * (syntax.groupCount + 1)
    limit = min(PatternProgram.greatestCount, PatternProgram.greatestThreadStorage / slots)
  }

  /// Translates the whole tree and returns where to start.
  mutating func compile() throws(PatternError) -> PatternProgram.InstructionID {
    let end = try emit(.match)
    return try compile(syntax.root, then: end)
  }

  private mutating func emit(
    _ instruction: PatternProgram.Instruction
  ) throws(PatternError) -> Label {
    if instructions.count == limit { throw PatternError(.tooLarge, at: 0) }
    instructions.append(instruction)
    return Label(instructions.count - 1)
  }

  private mutating func compile(
    _ id: PatternSyntax.NodeID, then next: Label
  ) throws(PatternError) -> Label {
    switch syntax[id] {
    case .empty: return next
    case .set(let set): return try emit(.set(set, then: next))
    case .concatenation(let children):
      var entry = next
      for child in syntax[children].reversed() { entry = try compile(child, then: entry) }
      return entry
    case .alternation(let children): return try compileAlternation(children, then: next)
    case .repetition(let child, let repetition):
      return try compile(child, repeated: repetition, then: next)
    case .capture(let child, let group):
      let slot = 2 * Int(group.rawValue)
      let end = try emit(.mark(PatternProgram.SlotID(slot + 1), then: next))
      let body = try compile(child, then: end)
      return try emit(.mark(PatternProgram.SlotID(slot), then: body))
    case .assertion(let assertion): return try emit(.assertion(assertion, then: next))
    }
  }

  private mutating func compileAlternation(
    _ children: PatternSyntax.Children, then next: Label
  ) throws(PatternError) -> Label {
    var rest: Label?
    for child in syntax[children].reversed() {
      let entry = try compile(child, then: next)
      if let other = rest { rest = try emit(.either(entry, other)) } else { rest = entry }
    }
    return rest ?? next
  }

  private mutating func compile(
    _ child: PatternSyntax.NodeID, repeated repetition: PatternSyntax.Repetition, then next: Label
  ) throws(PatternError) -> Label {
    var entry = next
    var required = repetition.minimum
    if let maximum = repetition.maximum {
      for _ in repetition.minimum..<maximum {
        let body = try compile(child, then: entry)
        entry = try emit(repetition.choice(between: body, and: next))
      }
    } else {
      entry = try compileLoop(of: child, repeated: repetition, then: next)
      if required > 0 { required -= 1 }
    }
    for _ in 0..<required { entry = try compile(child, then: entry) }
    return entry
  }

  /// Translates `x*`, or `x+` if at least one round is wanted.
  private mutating func compileLoop(
    of child: PatternSyntax.NodeID, repeated repetition: PatternSyntax.Repetition, then next: Label
  ) throws(PatternError) -> Label {
    let head = try emit(.match)
    let body = try compile(child, then: head)
    instructions[Int(head.rawValue)] = repetition.choice(between: body, and: next)
    if repetition.minimum > 0 { return body }
    if !nullable[Int(child.rawValue)] { return head }
    return try emit(repetition.choice(between: body, and: next))
  }
}

extension PatternSyntax.Repetition {
  /// The choice between another round and going on.
  fileprivate func choice(
    between body: PatternProgram.InstructionID, and next: PatternProgram.InstructionID
  ) -> PatternProgram.Instruction {
    isGreedy ? .either(body, next) : .either(next, body)
  }
}
