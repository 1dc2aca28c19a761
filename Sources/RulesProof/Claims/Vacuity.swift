import RulesEncoding
import RulesEval
package import RulesLang

/// Why a claim says nothing: no request is in its scope.
package struct Vacuity: Sendable {
  /// What keeps requests out.
  package enum Cause: Sendable {
    /// No match block of the rules is for the documents of the claim.
    case unknownPath
    /// No request satisfies what is given, with one of the methods and for one of the fields.
    case emptyScope
  }

  /// What keeps requests out.
  package var cause: Cause
  /// What is wrong, in a sentence.
  package var sentence: String
  /// The path of the rules that was probably meant.
  package var meant: String?
  /// Some paths that the rules are about, if none of them looks like what was meant.
  package var known: [String] = []

  /// What could be done about it, a sentence each.
  package var help: [String] {
    var help: [String] = []
    if let meant {
      help.append("did you mean \(meant)?")
    } else if !known.isEmpty {
      help.append("the rules are about " + known.joined(separator: ", "))
    }
    return help + ["if no request is meant to be in scope, \"expect\": \"vacuous\" says so"]
  }
}

/// A field in a claim's `writes` of which neither rules nor documents know anything.
package struct UnknownField: Sendable, Hashable {
  /// The field, as the claim has it.
  package var name: String
  /// The field that was probably meant.
  package var meant: String?

  /// What is to be said of it.
  package var sentence: String {
    "no rule and no document mentions the field `\(name)`"
      + (meant.map { "; did you mean `\($0)`?" } ?? "")
  }
}

extension ClaimSet {
  /// Whether a match block of the rules is for a document of a claim, be it one without statements.
  func hasBlock(for claim: CompiledClaim) -> Bool {
    scenarios(of: claim).contains { rules.hasBlock(for: $0.path) }
  }

  /// Why a claim about documents that no block is for says nothing.
  func unknownPath(of claim: CompiledClaim) -> Vacuity {
    let shapes = rules.shapes()
    var vacuity = Vacuity(
      cause: .unknownPath, sentence: "no match block of the rules is for \(claim.claim.path.text)")
    vacuity.meant = claim.claim.path.nearest(among: shapes)
    vacuity.known = shapes.prefix(Self.greatestKnown).map { $0.text }
    return vacuity
  }

  /// Why a claim whose givens no request satisfies says nothing.
  func emptyScope(of claim: CompiledClaim) -> Vacuity {
    let claim = claim.claim
    var sentence = "no request is in scope"
    if let given = claim.given {
      sentence += ": of \(claim.path.text), `\(given.line)` is true of no "
      sentence += claim.requests == "any request" ? "request" : claim.requests
    }
    return Vacuity(cause: .emptyScope, sentence: sentence)
  }

  /// Why a claim about documents that cannot be says nothing; nil if there are such documents.
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

  /// The path that was probably meant, if only blocks with `{x=**}` are for the documents of a claim.
  func misspeltPath(of claim: CompiledClaim) -> String? {
    let paths = scenarios(of: claim).map { $0.path }
    var others: [(shape: PathShape, text: String)] = []
    for (shape, text) in rules.shapes() {
      let isFor = paths.contains { path in
        shape.texts(path.count).map { Self.meet($0, path) } ?? false
      }
      if isFor, !shape.steps.contains(.run) { return nil }
      // A path that the claim's documents have is not another one.
      if !isFor { others.append((shape, text)) }
    }
    return claim.claim.path.nearest(among: others)
  }

  private static func meet(_ one: [Text?], _ other: [Text?]) -> Bool {
    zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// Of more paths nobody reads the list.
  private static let greatestKnown = 5

  /// The fields in a claim's `writes` that stand neither in the rules nor among other names, which are
  /// asked for only if the rules leave a field open.
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

  /// The names that the rules mention, those of the claims' own conditions aside.
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
  /// The path among the rules' own that somebody who wrote this one probably meant.
  fileprivate func nearest(among shapes: [(shape: PathShape, text: String)]) -> String? {
    var best: (mistakes: Int, text: String)?
    for (shape, text) in shapes {
      guard let mistakes = mistakes(against: shape) else { continue }
      if mistakes > 0, mistakes < best?.mistakes ?? .max { best = (mistakes, text) }
    }
    if let best { return best.text }
    // A collection that is somewhere else.
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

  /// How many names are misspelt if a shape was meant; nil if it cannot have been.
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
  /// Whether the pattern of a reachable block matches some document of a path; nil stands for any
  /// text. What `Compiler.apply` does for statements, without their conditions.
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
