package import RulesLang

// Caches of condition parts, which versions of one file share for the same requests.

/// The difference between two versions of a file that come from edits of its tree.
package struct ChangedParts: Sendable {
  /// The changed expressions, with all that contain or call them.
  package var expressions: [ExprID]
  /// The functions that contain a changed expression.
  package var functions: [FunctionID]

  /// Creates a difference.
  package init(expressions: [ExprID], functions: [FunctionID]) {
    self.expressions = expressions
    self.functions = functions
  }
}

extension Compiler {
  /// A function call by its values, as a cache key.
  struct CallKey: Hashable {
    /// The function.
    var function: FunctionID
    /// The values of the arguments.
    var arguments: [Cases]
    /// The values of the captures that the function sees.
    var captures: [Cases]
    /// `SymbolicFrame.seesDocument` of the call.
    var seesDocument: Bool
  }

  /// The cached rails of a part under a frame of variables.
  struct KnownPart {
    /// The frame.
    var frame: SymbolicFrame
    /// The rails.
    var rails: Rails
  }

  /// Returns the rails of a part other than `!`, `&&`, `||` and `?:`.
  func part(_ id: ExprID, in frame: SymbolicFrame) -> Rails {
    // Copies of rewritten bodies have the same numbers in all versions.
    guard id.index < sharedExpressions else { return rails(of: cases(of: id, in: frame)) }
    let known = parts[id] ?? []
    if let same = known.first(where: { $0.frame == frame }) { return same.rails }
    let orders = orderCount
    let rails = rails(of: cases(of: id, in: frame))
    // Not cached: results that the limits cut short, and results with an unknown `values()` list, which is
    // fresh each time.
    if !isOverwhelmed, orderCount == orders {
      parts[id, default: []].append(KnownPart(frame: frame, rails: rails))
    }
    return rails
  }

  /// Starts caching parts for other versions of a file.
  package func keepParts(of file: Checked) { sharedExpressions = file.ruleset.expressions.count }

  /// Adopts the cached parts of another version of the file, except where the two differ. The other version
  /// is about the same requests, and its propositions are in this problem. Its uninterpreted places are
  /// adopted too, even those of removed parts, which can only leave more open.
  package func adoptParts(of other: Compiler, except changed: ChangedParts) {
    if other.isOverwhelmed { return }
    adoptPlaces(of: other)
    lookups.formUnion(other.lookups)
    for place in other.unmodelledPlaces where !unmodelledPlaces.contains(place) {
      unmodelledPlaces.append(place)
    }
    (parts, sharedExpressions) = (other.parts, other.sharedExpressions)
    for id in changed.expressions { parts[id] = nil }
    calls =
      changed.functions.isEmpty
      ? other.calls : other.calls.filter { !changed.functions.contains($0.key.function) }
  }
}
