import RulesEncoding
import RulesEval
package import RulesLang

/// The reason why a claim is vacuous: no request is in its scope.
package struct Vacuity: Sendable {
  /// The cause of an empty scope.
  package enum Cause: Sendable {
    /// The claim's path: no match block matches its documents.
    case unknownPath
    /// The claim's conditions: no request satisfies `given`, with its methods and fields.
    case emptyScope
  }

  /// The cause of the empty scope.
  package var cause: Cause
  /// The explanation, a sentence.
  package var sentence: String
  /// The path in the rules that was probably meant.
  package var meant: String?
  /// Some paths in the rules, if none resembles the claim's path.
  package var known: [String] = []

  /// Suggestions, a sentence each.
  package var help: [String] {
    var help: [String] = []
    if let meant {
      help.append("did you mean \(meant)?")
    } else if !known.isEmpty {
      help.append("the rules have match blocks for " + known.joined(separator: ", "))
    }
    return help + ["if that is intended, set \"expect\": \"vacuous\""]
  }
}

/// A field in a claim's `writes` that neither rules nor documents mention.
package struct UnknownField: Sendable, Hashable {
  /// The field, as written in the claim.
  package var name: String
  /// The field that was probably meant.
  package var meant: String?

  /// The warning.
  package var sentence: String {
    "no rule and no document mentions the field `\(name)`"
      + (meant.map { "; did you mean `\($0)`?" } ?? "")
  }
}

extension ClaimSet {
  /// True if a match block, possibly without statements, matches a document of the claim.
  func hasBlock(for claim: CompiledClaim) -> Bool {
    scenarios(of: claim).contains { rules.hasBlock(for: $0.path) }
  }

  /// Returns the vacuity of a claim whose documents no match block matches.
  func unknownPath(of claim: CompiledClaim) -> Vacuity {
    let shapes = rules.shapes()
    var vacuity = Vacuity(
      cause: .unknownPath, sentence: "no match block matches \(claim.claim.path.text)")
    vacuity.meant = claim.claim.path.nearest(among: shapes)
    vacuity.known = shapes.prefix(Strategy.names).map { $0.text }
    return vacuity
  }

  /// Returns the vacuity of a claim whose scope no request satisfies.
  func emptyScope(of claim: CompiledClaim) -> Vacuity {
    let claim = claim.claim
    var sentence = "no request is in scope"
    if let given = claim.given {
      let requests = claim.requests == "any request" ? "request" : claim.requests
      sentence += ": `\(given.line)` is true for no \(requests) of \(claim.path.text)"
    }
    return Vacuity(cause: .emptyScope, sentence: sentence)
  }

  /// Returns the vacuity of a claim whose documents cannot exist; nil if they can.
  func impossiblePath(of claim: CompiledClaim) -> Vacuity? {
    let names = claim.claim.path.steps.compactMap { $0.text }
    do throws(Impossibility) {
      try DocumentPath(names).checkIdentifiers()
      return nil
    } catch {
      return Vacuity(
        cause: .emptyScope,
        sentence: "no request is in scope of \(claim.claim.path.text): \(error.sentence)")
    }
  }

  /// Returns the path that was probably meant, if only blocks with `{x=**}` match documents of the
  /// claim.
  func misspeltPath(of claim: CompiledClaim) -> String? {
    let paths = scenarios(of: claim).map { $0.path }
    var others: [(shape: PathShape, text: String)] = []
    for (shape, text) in rules.shapes() {
      let isFor = paths.contains { path in
        shape.texts(path.count).map { Self.meet($0, path) } ?? false
      }
      if isFor, !shape.steps.contains(.run) { return nil }
      // A path that the claim's documents match is not an alternative.
      if !isFor { others.append((shape, text)) }
    }
    return claim.claim.path.nearest(among: others)
  }

  private static func meet(_ one: [Text?], _ other: [Text?]) -> Bool {
    zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// Returns the fields in a claim's `writes` that occur neither in the rules nor in `others`,
  /// which is only called if the rules leave a field open.
  package func unknownFields(of index: Int, others: () -> Set<Text>) -> [UnknownField] {
    let claim = claims[index].claim
    if claim.writes.isEmpty { return [] }
    let known = namesInRules
    func isUnknown(_ field: FieldPath) -> Bool { field.names.contains { !known.contains($0) } }
    guard claim.writes.contains(where: isUnknown) else { return [] }
    let all = known.union(others())
    let names = all.sorted(by: Text.precedesByCodePoint).map { String($0) }
    var found: [UnknownField] = []
    for field in claim.writes where field.names.contains(where: { !all.contains($0) }) {
      let meant = field.names.compactMap { name in
        all.contains(name)
          ? name : Spelling.nearest(to: String(name), among: names).map { Text($0) }
      }
      let isGuessed = meant.count == field.names.count
      found.append(
        UnknownField(
          name: String(field.notation),
          meant: isGuessed ? String(FieldPath(meant).notation) : nil))
    }
    return found
  }

  /// The names in the rules, without the claims' own conditions.
  private var namesInRules: Set<Text> {
    var vocabulary = Vocabulary(rules)
    for allow in rules.ruleset.allows {
      if let condition = allow.condition { vocabulary.add(condition) }
    }
    let own = Set(claims.flatMap { $0.functions })
    for index in rules.ruleset.functions.indices where !own.contains(FunctionID(index)) {
      vocabulary.add(FunctionID(index))
    }
    return Set(vocabulary.sorted)
  }
}

extension ClaimPath {
  /// Returns the path of the rules that most resembles this one.
  fileprivate func nearest(among shapes: [(shape: PathShape, text: String)]) -> String? {
    var best: (mistakes: Int, text: String)?
    for (shape, text) in shapes {
      guard let mistakes = mistakes(against: shape) else { continue }
      if mistakes > 0, mistakes < best?.mistakes ?? .max { best = (mistakes, text) }
    }
    if let best { return best.text }
    // The collection at another place.
    let collection = collection
    let moved = shapes.first { shape, _ in
      let count = shape.steps.count
      return count > 1 && collection != nil && shape.steps[count - 2] == collection
    }
    return moved?.text ?? Spelling.nearest(to: text, among: shapes.map { $0.text })
  }

  /// The name of the collection of the claim's documents.
  private var collection: PathShape.Step? {
    guard steps.count > 1, case .literal(let name) = steps[steps.count - 2] else { return nil }
    return .literal(name)
  }

  /// Returns the number of misspelt names if the shape was meant; nil if it cannot have been.
  private func mistakes(against shape: PathShape) -> Int? {
    guard shape.steps.count == steps.count else { return nil }
    var mistakes = 0
    for (own, other) in zip(steps, shape.steps) {
      switch (own, other) {
      case (.glob, .run), (.capture, .any), (.capture, .literal), (.literal, .any): continue
      case (.literal(let name), .literal(let known)):
        if name == known { continue }
        guard Spelling.nearest(to: String(name), among: [String(known)]) != nil else { return nil }
        mistakes += 1
      case (.glob, _), (.capture, .run), (.literal, .run): return nil
      }
    }
    return mistakes
  }
}

extension Checked {
  /// True if the pattern of a reachable block matches a document of the path; nil stands for any
  /// segment. As `Compiler.apply` for statements, without conditions.
  func hasBlock(for path: [Text?]) -> Bool {
    let path = database.root.map { Text?.some($0) } + path
    return ruleset.matches.indices.contains { index in
      matches[index].isReachable
        && ruleset.services[ruleset.matches[index].service].name.text == Ruleset.firestoreService
        && fits(matches[index], to: path)
    }
  }

  private func fits(_ match: MatchFacts, to path: [Text?]) -> Bool {
    let pattern = match.pattern
    guard let glob = pattern.firstIndex(where: { $0.isGlob }) else {
      return pattern.count == path.count && Self.fit(pattern[...], to: path[...])
    }
    let after = pattern.count - glob - 1 - match.overlap
    let run = path.count - glob - after
    guard run >= (ruleset.version == .one ? 1 : 0), Self.fit(pattern[..<glob], to: path[..<glob])
    else { return false }
    let inner = glob + 1 + match.overlap
    return Self.fit(pattern[(glob + 1)..<inner], to: path[(glob + run)...])
      && Self.fit(pattern[inner...], to: path[(glob + run)...])
  }

  private static func fit(
    _ pattern: ArraySlice<PatternStep>, to path: ArraySlice<Text?>
  ) -> Bool {
    zip(pattern, path).allSatisfy { step, actual in
      guard case .literal(let wanted) = step else { return !step.isGlob }
      return actual.map { $0 == wanted } ?? true
    }
  }
}
