package import RulesLang

// Versions of one file have most parts of their conditions in common. What these come to is taken over from
// a version that was compiled for the same requests.

/// What is not the same in two versions of a file that are made by changing its tree.
package struct ChangedParts: Sendable {
  /// The expressions that were changed, those that they are in, and so on through the functions.
  package var expressions: [ExprID]
  /// The functions with such an expression.
  package var functions: [FunctionID]

  /// Has both.
  package init(expressions: [ExprID], functions: [FunctionID]) {
    self.expressions = expressions
    self.functions = functions
  }
}

extension Compiler {
  /// A call of a function.
  struct CallKey: Hashable {
    /// The function.
    var function: FunctionID
    /// What is passed.
    var arguments: [Cases]
    /// What the captures of its block are.
    var captures: [Cases]
    /// See `SymbolicFrame`.
    var seesDocument: Bool
  }

  /// What a part comes to where names stand for something.
  struct KnownPart {
    /// The names.
    var frame: SymbolicFrame
    /// When it is true and when it is false.
    var rails: Rails
  }

  /// Of a part more frames are not remembered.
  private static let greatestFrames = 8

  /// When a part is true and when it is false that is no `&&`, `||` and `?:` of others.
  func part(_ id: ExprID, in frame: SymbolicFrame) -> Rails {
    guard parts != nil, isKept(id) else { return rails(of: cases(of: id, in: frame)) }
    let known = parts?[id] ?? []
    if let same = known.first(where: { $0.frame == frame }) { return same.rails }
    let orders = orderCount
    let rails = rails(of: cases(of: id, in: frame))
    // What was broken off is no answer for others, and what is like nothing else is so each time.
    if !isOverwhelmed, orderCount == orders, known.count < Self.greatestFrames {
      parts?[id, default: []].append(KnownPart(frame: frame, rails: rails))
    }
    return rails
  }

  /// Two versions can have different literals in one place.
  private func isKept(_ id: ExprID) -> Bool {
    if case .literal = rules.ruleset[id].kind { return false }
    return true
  }

  /// Keeps what parts come to from now on, for other versions.
  package func keepParts() { parts = parts ?? [:] }

  /// Takes over what another version of the file says of the same requests, whose propositions are among
  /// those of this one, where both are the same. What else was noted there is noted here, too, also of parts
  /// that are gone: that can only leave more in doubt.
  package func adoptParts(of other: Compiler, except changed: ChangedParts) {
    if other.isOverwhelmed { return }
    adoptPlaces(of: other)
    lookups.formUnion(other.lookups)
    for place in other.unmodelledPlaces where !unmodelledPlaces.contains(place) {
      unmodelledPlaces.append(place)
    }
    var known = other.parts ?? [:]
    for id in changed.expressions { known[id] = nil }
    parts = known
    calls =
      changed.functions.isEmpty
      ? other.calls : other.calls.filter { !changed.functions.contains($0.key.function) }
  }
}
