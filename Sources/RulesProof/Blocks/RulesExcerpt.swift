package import RulesLang

// An excerpt is a ruleset by itself, so a proof about it depends on its text alone. Equal texts have equal
// trees: what was found in one excerpt is true of every excerpt with this text, wherever it is in a file.

/// Some match blocks of rules as rules of their own, with the blocks around them and the functions that
/// they call.
package struct RulesExcerpt: Sendable {
  /// The white space between the tokens of an excerpt.
  package enum Layout: Sendable {
    /// One space where the original has any white space or comment: the text does not depend on where a
    /// block is in its file, or on its indentation.
    case compact
    /// Every token is on the line and in the column where it is in the original.
    case inPlace
  }

  /// The rules of the excerpt.
  package let rules: Checked
  private let original: Checked
  /// The tokens that are kept: in the excerpt, and in the original.
  private let tokens: (own: [SourceRange], original: [SourceRange])
  /// The original of each statement.
  private let allows: [AllowID]
  /// The original of each function.
  private let functions: [FunctionID]
  /// The original of each expression.
  private let expressions: [ExprID]

  /// Creates an excerpt; nil if it is no copy of a part of the original.
  ///
  /// - Parameters:
  ///   - blocks: The blocks whose statements are kept.
  ///   - tokens: The tokens of the original.
  package init?(
    of original: Checked, keeping blocks: Set<MatchID>, tokens: [SourceRange], layout: Layout
  ) {
    let selection = ExcerptSelection(original, keeping: blocks)
    var kept: [SourceRange] = []
    var own: [SourceRange] = []
    var text = ExcerptText(original.ruleset.source.bytes, layout)
    for (range, isKept) in zip(tokens, selection.keeps(tokens)) where isKept {
      own.append(text.add(range))
      kept.append(range)
    }
    let source = SourceText(name: original.ruleset.source.name, bytes: text.bytes)
    guard let rules = original.checkAgain(source).checked else { return nil }
    self.original = original
    self.rules = rules
    self.tokens = (own, kept)
    allows = selection.allows
    functions = selection.functions
    expressions = selection.bodies.sorted { $0.first < $1.first }.flatMap { $0.nodes }
    let ruleset = rules.ruleset
    guard ruleset.allows.count == allows.count, ruleset.functions.count == functions.count,
      ruleset.expressions.count == expressions.count
    else { return nil }
  }

  /// The text of the excerpt.
  package var content: [UInt8] { rules.ruleset.source.bytes }

  // MARK: Original

  /// Returns the original of a statement.
  package func original(_ allow: AllowID) -> AllowID { allows[allow.index] }

  /// Returns the original of a function.
  func original(_ function: FunctionID) -> FunctionID { functions[function.index] }

  /// Returns the original of an expression.
  func original(_ expression: ExprID) -> ExprID { expressions[expression.index] }

  /// Returns the range of the original's tokens.
  func original(_ range: SourceRange) -> SourceRange {
    let start = place(of: range.start)
    return SourceRange(
      start: start, end: range.isEmpty ? start : place(of: range.end - 1) + 1)
  }

  /// Returns the offset of a byte in the original.
  private func place(of offset: UInt32) -> UInt32 {
    var (low, high) = (0, tokens.own.count)
    while low < high {
      let middle = (low + high) / 2
      if tokens.own[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    return tokens.original[low - 1].start + (offset - tokens.own[low - 1].start)
  }

  // MARK: Excerpt

  /// Returns the statements of the excerpt with these originals.
  package func statements(of originals: Set<AllowID>) -> Set<AllowID> {
    Set(allows.indices.filter { originals.contains(allows[$0]) }.map { AllowID($0) })
  }

  /// Returns the functions of the excerpt with these originals.
  package func functions(of originals: Set<FunctionID>) -> Set<FunctionID> {
    Set(functions.indices.filter { originals.contains(functions[$0]) }.map { FunctionID($0) })
  }
}

/// Writes the text of an excerpt.
private struct ExcerptText {
  private(set) var bytes: [UInt8] = []
  private let source: [UInt8]
  private let layout: RulesExcerpt.Layout
  /// The end of the last token in the source.
  private var end = 0

  init(_ source: [UInt8], _ layout: RulesExcerpt.Layout) {
    (self.source, self.layout) = (source, layout)
  }

  /// Adds a token and returns its range in the excerpt.
  mutating func add(_ token: SourceRange) -> SourceRange {
    let gap = end..<Int(token.start)
    switch layout {
    case .compact:
      if !gap.isEmpty, end > 0 { bytes.append(UInt8(ascii: " ")) }
    case .inPlace:
      var column = gap.count
      for (place, byte) in source[gap].enumerated() where byte == UInt8(ascii: "\n") {
        bytes.append(byte)
        column = gap.count - place - 1
      }
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: column))
    }
    let start = bytes.count
    bytes += source[Int(token.start)..<Int(token.end)]
    end = Int(token.end)
    return SourceRange(start: start, end: bytes.count)
  }
}

/// The parts of rules that an excerpt keeps.
private struct ExcerptSelection {
  /// The statements, in source order.
  private(set) var allows: [AllowID] = []
  /// The functions, in source order.
  private(set) var functions: [FunctionID] = []
  /// The conditions, and the expressions of functions.
  private(set) var bodies: [Body] = []
  /// The ranges that are left out.
  private var left: [SourceRange] = []

  init(_ rules: Checked, keeping blocks: Set<MatchID>) {
    let ruleset = rules.ruleset
    var open = blocks
    var rest = Array(blocks)
    while let next = rest.popLast() {
      if let parent = ruleset[next].parent, open.insert(parent).inserted { rest.append(parent) }
    }
    for index in ruleset.matches.indices where !open.contains(MatchID(index)) {
      left.append(ruleset.matches[index].range)
    }
    for (index, allow) in ruleset.allows.enumerated() {
      if blocks.contains(allow.match) {
        allows.append(AllowID(index))
        if let condition = allow.condition { bodies.append(condition) }
      } else {
        left.append(allow.range)
      }
    }
    for service in ruleset.services where service.name.text != Ruleset.firestoreService {
      left.append(service.range)
    }
    // A function that hides a built-in may change the meaning of what the prover adds.
    let hiding = ruleset.functions.indices.filter {
      Builtins.function(namespace: nil, name: ruleset.functions[$0].name.text) != nil
    }
    let called = rules.functions(calledBy: bodies, and: hiding.map { FunctionID($0) })
    for index in ruleset.functions.indices {
      let function = ruleset.functions[index]
      if called.contains(FunctionID(index)) {
        functions.append(FunctionID(index))
        bodies += function.bodies
      } else {
        left.append(function.range)
      }
    }
  }

  /// Returns for each token whether it is kept.
  func keeps(_ tokens: [SourceRange]) -> [Bool] {
    var keeps = Array(repeating: true, count: tokens.count)
    for range in left {
      var (low, high) = (0, tokens.count)
      while low < high {
        let middle = (low + high) / 2
        if tokens[middle].start < range.start { low = middle + 1 } else { high = middle }
      }
      while low < tokens.count, tokens[low].start < range.end {
        keeps[low] = false
        low += 1
      }
    }
    return keeps
  }
}

extension Checked {
  /// Returns the functions that bodies call, directly or not, and some functions with those that they call.
  func functions(calledBy bodies: [Body], and others: [FunctionID] = []) -> Set<FunctionID> {
    var found = Set(others)
    let first = bodies + others.flatMap { ruleset[$0].bodies }
    for body in self.bodies(reachedFrom: first) {
      for id in body.nodes {
        if case .function(let function) = binding(id) { found.insert(function) }
      }
    }
    return found
  }
}
