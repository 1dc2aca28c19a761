import RulesEval
package import RulesLang

/// The names that may be document keys in some conditions: all string literals and member names.
///
/// A claim's own names must be included; otherwise the claim would be about a key that counts as unnamed.
package struct Vocabulary {
  private let rules: Checked
  private var names: Set<Text> = []
  private var seen: Set<FunctionID> = []
  /// The literal first segments of the paths of `getAfter` and `existsAfter`; empty if the path may be any
  /// document's.
  private var written: Set<[Text]> = []
  /// The statements whose conditions have been added.
  package private(set) var added: Set<AllowID> = []

  /// Creates an empty vocabulary.
  package init(_ rules: Checked) { self.rules = rules }

  /// The names, sorted by code points.
  package var sorted: [Text] { names.sorted(by: Text.precedesByCodePoint) }

  /// Adds a name.
  package mutating func add(_ name: Text) { names.insert(name) }

  /// Adds the names in all conditions that can decide requests of a kind, and in those that can decide the
  /// other writes of its commit.
  ///
  /// Sound: a statement that cannot match is never compiled, so its names may count as unnamed.
  package mutating func addConditions(for scenario: Scenario) {
    add(conditionsFor: MethodSet(scenario.method)) { [rules] allow in
      let facts = rules.matches[rules.ruleset[allow].match.index]
      return facts.isReachable && scenario.mayFit(facts)
    }
    if scenario.method.isWrite { addOtherWrites() }
  }

  /// Adds the names in conditions for the documents that `getAfter` and `existsAfter` look up, until those
  /// conditions look up no further ones.
  private mutating func addOtherWrites() {
    var before = -1
    while written.count != before {
      before = written.count
      let (rules, written) = (rules, written)
      add(conditionsFor: .write) { allow in
        let facts = rules.matches[rules.ruleset[allow].match.index]
        return facts.isReachable && written.contains { facts.mayFit($0) }
      }
    }
  }

  private mutating func add(
    conditionsFor methods: MethodSet, where mayApply: (AllowID) -> Bool
  ) {
    for index in rules.ruleset.allows.indices
    where !rules.methods[index].isDisjoint(with: methods) && !added.contains(AllowID(index))
      && mayApply(AllowID(index))
    {
      add(AllowID(index))
    }
  }

  /// Adds the names in a statement's condition.
  package mutating func add(_ allow: AllowID) {
    added.insert(allow)
    if let condition = rules.ruleset[allow].condition { add(condition) }
  }

  /// Adds the names in a body and in the functions that it calls.
  package mutating func add(_ body: Body) { add(body, in: nil) }

  private mutating func add(_ body: Body, in caller: FunctionID?) {
    for id in body.nodes {
      switch rules.ruleset[id].kind {
      case .literal(.string(let text)): names.insert(text)
      case .member(let base, let name) where !isRecord(base): names.insert(name.text)
      case .call(_, let arguments):
        switch rules.binding(id) {
        case .function(let function): add(function)
        case .builtin(.getAfter), .builtin(.existsAfter):
          written.insert(arguments.first.map { firstSegments(of: $0, in: caller) } ?? [])
        default: break
        }
      default: break
      }
    }
  }

  /// Returns the literal segments at the beginning of a document's path, without the database root.
  private func firstSegments(of path: ExprID, in function: FunctionID?) -> [Text] {
    var left = EncodingStrategy.cases
    guard let parts = parts(of: path, in: function, left: &left) else { return [] }
    var known: [Text] = []
    for (place, text) in parts.enumerated() {
      if place < DatabaseName.rootCount {
        // The database name is often a capture.
        let isDatabase = place == DatabaseName.place
        guard isDatabase || text == rules.database.root[place] else { return [] }
      } else {
        guard let text else { break }
        known.append(text)
      }
    }
    return known
  }

  /// Returns the segments of a path, nil for computed ones, with nested paths expanded; nil if the path is
  /// neither a literal nor a `let` or function result that is one.
  private func parts(of path: ExprID, in function: FunctionID?, left: inout Int) -> [Text?]? {
    // Each `let` can double the length of the path that it names.
    left -= 1
    if left < 0 { return nil }
    let path = rules.ruleset.unparenthesized(path)
    switch (rules.ruleset[path].kind, rules.binding(path)) {
    case (.path(let parts), _):
      var texts: [Text?] = []
      for part in parts { texts += self.parts(of: part, in: function, left: &left) }
      return texts
    case (.variable, .local(let slot)):
      guard let declaration = function.map({ rules.ruleset[$0] }),
        case let place = Int(slot) - declaration.parameters.count,
        declaration.lets.indices.contains(place)
      else { return nil }
      return parts(of: declaration.lets[place].value.root, in: function, left: &left)
    case (.call, .function(let called)):
      return parts(of: rules.ruleset[called].result.root, in: called, left: &left)
    default: return nil
    }
  }

  private func parts(of part: PathPart, in function: FunctionID?, left: inout Int) -> [Text?] {
    switch part.kind {
    case .literal(let text): return [text]
    case .interpolation(let id):
      if case .literal(.string(let text)) = rules.ruleset[rules.ruleset.unparenthesized(id)].kind {
        return [text]
      }
      return parts(of: id, in: function, left: &left) ?? [nil]
    case .capture, .glob: return [nil]
    }
  }

  /// True if an expression is `request`, `resource`, or `auth` or `resource` of one: their members are not
  /// document fields.
  private func isRecord(_ id: ExprID) -> Bool {
    let id = rules.ruleset.unparenthesized(id)
    switch (rules.bindings[id.index], rules.ruleset[id].kind) {
    case (.request, _), (.resource, _): return true
    case (_, .member(let base, let name)):
      return isRecord(base) && (name.text == "auth" || name.text == "resource")
    default: return false
    }
  }

  /// Adds the names in a function and in the functions that it calls.
  package mutating func add(_ function: FunctionID) {
    guard seen.insert(function).inserted else { return }
    for body in rules.ruleset[function].bodies { add(body, in: function) }
  }
}

extension MatchFacts {
  /// True if the block can match a document whose path begins with these segments.
  fileprivate func mayFit(_ segments: [Text]) -> Bool {
    let root = DatabaseName.rootCount
    for (place, step) in pattern.prefix(root + segments.count).enumerated() {
      if step.isGlob { return true }
      if place >= root, case .literal(let text) = step, text != segments[place - root] {
        return false
      }
    }
    return true
  }
}
