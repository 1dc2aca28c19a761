import RulesEval
import RulesLang

/// Requirements by which a statement excludes a request that it allows.
struct StatementRequirement {
  /// Some methods of the statement, with an additional condition.
  struct Part {
    /// The methods of the statement.
    var methods: MethodSet
    /// The additional condition; nil for none.
    var condition: String?
  }

  private let found: Counterexample
  private let claim: Claim
  private let checked: Checked
  private let statement: Allow
  private let methods: MethodSet

  /// Prepares for a statement with its methods.
  init(
    _ found: Counterexample, _ claim: Claim, _ checked: Checked, statement: Allow,
    methods: MethodSet
  ) {
    (self.found, self.claim, self.checked) = (found, claim, checked)
    (self.statement, self.methods) = (statement, methods)
  }

  /// Returns the requirements by method; nil if they would change nothing.
  func parts(_ kind: StatementChange.Kind) -> [Part]? {
    switch kind {
    case .require:
      guard let text = required(alone: true) else { return nil }
      return [Part(methods: claim.scopeMethods.intersection(methods), condition: text)]
    case .requireInScope:
      guard let text = required(alone: false) else { return nil }
      return scoped(text)
    case .leaveOut:
      guard let wanted = catchAll else { return nil }
      return [
        Part(methods: claim.scopeMethods.intersection(methods), condition: wanted.condition)
      ]
    case .pin:
      guard !found.fields.isEmpty, found.method == .create || found.method == .update else {
        return nil
      }
      return methods.methods.compactMap { method in
        guard method == .create || method == .update else { return nil }
        return method.writing(found.fields).map {
          Part(methods: MethodSet(method), condition: "!\($0)")
        }
      }
    case .remove: return [Part(methods: MethodSet(found.method), condition: "false")]
    }
  }

  /// A catch-all rewritten to capture the collection, with the condition that excludes the claim's.
  struct CatchAll {
    /// The collection of the claim.
    let collection: String
    /// The pattern of the block.
    let pattern: String
    /// The condition.
    let condition: String
  }

  /// The rewritten catch-all; nil if the block is none, or conditions read its path.
  var catchAll: CatchAll? {
    let source = checked.ruleset.source
    let block = checked.ruleset[statement.match]
    let facts = checked.matches[statement.match.index]
    guard case .literal(let collection)? = claim.path.steps.first, block.pattern.count == 1,
      facts.pattern.count == DatabaseName.rootCount + 1, case .glob? = facts.pattern.last,
      let run = facts.captures.last.map({ String($0.text) }), block.matches.isEmpty
    else { return nil }
    let words = source.tokenRanges.filter { block.range.contains($0.start) }
      .map { source.string($0) }
    let isRead = words.count { $0 == run } > 1
    guard !isRead, let name = ["collection", "root"].first(where: { !words.contains($0) }) else {
      return nil
    }
    return CatchAll(
      collection: String(collection), pattern: "/{\(name)}/{\(run)=**}",
      condition: "\(name) != \(collection.literal)")
  }

  /// True if the claim's condition, in the block's names, reads single segments of a glob.
  var looksIntoRun: Bool {
    guard let run = checked.matches[statement.match.index].captures.last.map({ String($0.text) })
    else { return false }
    return required(alone: false)?.mentions("\(run)[") ?? false
  }

  /// Returns the claim's condition in the block's names; nil if it cannot be expressed or nothing
  /// is missing.
  ///
  /// - Parameter alone: True to return only the conjuncts that the statement lacks.
  private func required(alone: Bool) -> String? {
    guard case .onlyIf(let condition) = claim.obligation,
      let path = ClaimPath(checked.matches[statement.match.index], in: checked.database),
      let fit = PathFit(claim.path, in: path), let text = fit.text(of: condition.text)
    else { return nil }
    let whole = RequirementText(text)
    if !alone { return whole.tight }
    let guards = fit.guards.joined(separator: " || ")
    if !guards.isEmpty { return "(\(guards) || \(whole.tight))" }
    let known = statement.condition.map { checked.conjunctTexts(of: $0.root) } ?? []
    let left = whole.conjuncts.filter { !known.contains($0.normal) }
    if left.isEmpty { return nil }
    return left.map { $0.tight }.joined(separator: " && ")
  }

  /// Returns the requirement restricted to the claim's scope; nil if that is not a restriction.
  private func scoped(_ text: String) -> [Part]? {
    guard let path = ClaimPath(checked.matches[statement.match.index], in: checked.database),
      let fit = PathFit(claim.path, in: path)
    else { return nil }
    var outside = fit.guards
    if let given = claim.kept == nil ? claim.given : nil {
      guard let limit = fit.text(of: given.text) else { return nil }
      outside.append("!(\(RequirementText(limit).text))")
    }
    let parts = claim.scopeMethods.intersection(methods).methods.map { method in
      var ways = outside
      if !claim.writes.isEmpty,
        let writes = method.writing(claim.writes.compactMap { $0.names.first })
      {
        ways.append("!\(writes)")
      }
      return (method, ways)
    }
    if parts.allSatisfy({ $0.1 == fit.guards }) { return nil }
    return parts.map { method, ways in
      Part(methods: MethodSet(method), condition: "(\((ways + [text]).joined(separator: " || ")))")
    }
  }
}

extension Method {
  /// Returns the condition "a request of the method adds, changes or removes one of the fields",
  /// which needs no parentheses in a conjunction; nil for reads.
  func writing(_ fields: [Text]) -> String? {
    let names = fields.map { $0.literal }.joined(separator: ", ")
    switch self {
    case .create: return "request.resource.data.keys().hasAny([\(names)])"
    case .update:
      return "request.resource.data.diff(resource.data).affectedKeys().hasAny([\(names)])"
    case .delete: return "resource.data.keys().hasAny([\(names)])"
    case .get, .list: return nil
    }
  }
}

/// A condition on one line without comments, split by tokens.
struct RequirementText {
  /// The text.
  let text: String
  private let source: SourceText
  private let tokens: [SourceRange]

  /// Parses a condition.
  init(_ condition: String) {
    let given = SourceText(name: "", condition)
    var line = ""
    var end: UInt32?
    for range in given.tokenRanges {
      if let end, end < range.start { line += " " }
      line += given.string(range)
      end = range.end
    }
    text = line
    source = SourceText(name: "", line)
    tokens = source.tokenRanges
  }

  /// The tokens separated by single spaces. Conditions with equal tokens are equal.
  var normal: String { tokens.map { source.string($0) }.joined(separator: " ") }

  /// The text, in parentheses if a conjunction needs them.
  var tight: String { hasTop(["||", "?"]) ? "(\(text))" : text }

  /// True if the text is the constant `true`, possibly in parentheses.
  var isTrue: Bool {
    tokens.allSatisfy { ["(", ")", "true"].contains(source.string($0)) }
      && tokens.contains { source.string($0) == "true" }
  }

  /// The conjuncts.
  var conjuncts: [RequirementText] {
    if hasTop(["||", "?"]) { return [self] }
    return split(at: "&&")
  }

  /// Returns the conjuncts without those that a requirement implies because it is one of their
  /// alternatives; nil if there are none of these.
  func reduced(by requirement: String) -> [RequirementText]? {
    let required = Set(RequirementText(requirement).conjuncts.map { $0.normal })
    let parts = conjuncts
    let left = parts.filter { part in
      required.isDisjoint(with: part.alternatives.map { $0.normal })
    }
    return left.count == parts.count ? nil : left
  }

  /// The sides of a disjunction, without enclosing parentheses; the text itself if it is none.
  private var alternatives: [RequirementText] {
    var inner = self
    while let first = inner.tokens.first, let last = inner.tokens.last,
      inner.source.string(first) == "(", inner.top({ _ in true }).count == 1
    {
      inner = RequirementText(
        inner.source.string(SourceRange(start: first.end, end: last.start)))
    }
    if inner.hasTop(["?"]) || inner.hasTop(["&&"]) { return [inner] }
    return inner.split(at: "||")
  }

  private func split(at word: String) -> [RequirementText] {
    var found: [RequirementText] = []
    var start = 0
    for end in top({ $0 == word }) + [tokens.count] {
      if start < end {
        let range = SourceRange(start: tokens[start].start, end: tokens[end - 1].end)
        found.append(RequirementText(source.string(range)))
      }
      start = end + 1
    }
    return found
  }

  private func hasTop(_ words: Set<String>) -> Bool { !top { words.contains($0) }.isEmpty }

  /// Returns the indices of tokens outside of all parentheses.
  private func top(_ isWanted: (String) -> Bool) -> [Int] {
    var depth = 0
    var found: [Int] = []
    for (place, range) in tokens.enumerated() {
      let word = source.string(range)
      if ["(", "[", "{"].contains(word) { depth += 1 }
      if [")", "]", "}"].contains(word) { depth -= 1 }
      if depth == 0, isWanted(word) { found.append(place) }
    }
    return found
  }
}

extension Checked {
  /// Returns the normal texts of a condition's conjuncts, including those of called functions with
  /// their arguments substituted.
  func conjunctTexts(of root: ExprID) -> Set<String> {
    var found: Set<String> = []
    collect(root, named: [:], into: &found)
    return found
  }

  private func collect(
    _ id: ExprID, named names: [String: String], into found: inout Set<String>
  ) {
    for conjunct in ruleset.conjuncts(of: id) {
      let text = ruleset.source.string(ruleset[conjunct].range).renaming(names)
      found.insert(RequirementText(text).normal)
      guard case .call(_, let arguments) = ruleset[conjunct].kind,
        case .function(let function) = binding(conjunct), ruleset[function].lets.isEmpty
      else { continue }
      var inner: [String: String] = [:]
      for (parameter, argument) in zip(ruleset[function].parameters, arguments) {
        inner[String(parameter.text)] =
          ruleset.source.string(ruleset[argument].range).renaming(names)
      }
      collect(ruleset[function].result.root, named: inner, into: &found)
    }
  }
}

extension String {
  /// Returns the text of an expression with names substituted.
  func renaming(_ names: [String: String]) -> String {
    if names.isEmpty { return self }
    let source = SourceText(name: "", self)
    let bytes = source.bytes
    var found: [UInt8] = []
    var place = 0
    var isMember = false
    for range in source.tokenRanges {
      let word = source.string(range)
      if !isMember, let new = names[word] {
        found += bytes[place..<Int(range.start)] + Array(new.utf8)
        place = Int(range.end)
      }
      isMember = word == "."
    }
    return String(decoding: found + bytes[place...], as: UTF8.self)
  }
}
