import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Cubes in words. Some parts of conditions have a plain meaning that most rules files share: who is
// signed in, who owns the document, which fields are written. Other parts are quoted, with short
// arguments in place of a function's parameters.

/// Describes the cubes of one request class in words.
struct DiffWording {
  private let diff: DiffGoal
  private let path: String
  /// The assumptions about the requests described.
  private let world: [Ref]

  /// Prepares to describe requests of one class at a path.
  init(of diff: DiffGoal, at path: String, in world: [Ref]) {
    self.diff = diff
    self.path = path
    self.world = world
  }

  /// True if it is proved that no request described satisfies all of the propositions.
  private func isNever(_ refs: [Ref]) -> Bool {
    let found = diff.goal.search(for: world + refs, within: .brief)
    return found.1 == .unsatisfiable
  }

  /// Sets `isSignedIn` if no part says who asks, but a proof excludes clients that are not signed in:
  /// for these, `request.auth.uid` is an error.
  private func learnWhoAsks(of refs: [Ref], _ parts: inout Parts) {
    guard parts.isSignedIn == nil, !parts.isOfUser, !parts.ifs.isEmpty || !parts.unlesses.isEmpty,
      isNever(refs + [diff.goal.compiler.scene.signedOut])
    else { return }
    parts.isSignedIn = true
  }

  /// The parts of a sentence.
  private struct Parts {
    var isSignedIn: Bool?
    var positive: [String] = []
    var negative: [String] = []
    var claims: [String] = []
    var missingClaims: [String] = []
    var what: [String] = []
    var content: [String] = []
    var ifs: [String] = []
    var unlesses: [String] = []

    /// True if the sentence speaks of a user, or of a claim, which only a signed-in user's token
    /// has.
    var isOfUser: Bool { !positive.isEmpty || !claims.isEmpty }

    var conditions: [String] {
      var found: [String] = []
      if !content.isEmpty { found.append("with " + content.joined(separator: " and ")) }
      if !ifs.isEmpty { found.append("if " + ifs.joined(separator: " and ")) }
      if !unlesses.isEmpty { found.append("unless " + unlesses.joined(separator: " or ")) }
      return found
    }
  }

  /// Turns a cube into a difference with one witness.
  func difference(
    _ cube: [CubeLiteral], isLoosened: Bool, witness: DiffWitness
  ) -> AccessChange {
    var parts = Parts()
    for literal in cube { add(literal, to: &parts) }
    learnWhoAsks(of: cube.map { $0.ref }, &parts)
    return AccessChange(
      isLoosened: isLoosened, who: who(parts), what: parts.what.joined(separator: " and "),
      conditions: parts.conditions, witnesses: [witness])
  }

  /// Describes a difference by what the allowing file grants, and by all that the other file grants.
  ///
  /// - Parameters:
  ///   - granting: Literals that suffice for the allowing file to grant the request.
  ///   - isOnly: True if the denying file allows nothing that the other one denies.
  /// - Returns: Nil if the other file's grants do not fit a phrase, or if access is lost and other
  ///   access gained.
  func change(
    _ granting: [CubeLiteral], isLoosened: Bool, isOnly: Bool, witness: DiffWitness
  ) -> AccessChange? {
    guard let rest = summary(of: isLoosened ? .old : .new) else { return nil }
    if isLoosened {
      var change = difference(granting, isLoosened: true, witness: witness)
      change.before = rest
      // Beside what was allowed before, "only" before the names of fields would sound like a
      // restriction. Without it, they must not read like fields that are changed beside others.
      if change.what.hasPrefix("only `") {
        change.what.removeFirst("only ".count)
      } else if change.what.hasPrefix("`") {
        change.what = "fields including " + change.what
      }
      return change
    }
    guard isOnly else { return nil }
    return AccessChange(
      isLoosened: false, who: "", what: "", conditions: [], before: summary(of: .old),
      remaining: rest, witnesses: [witness])
  }

  // MARK: Who may at all

  /// Describes the clients to which a file allows such requests: "only the owner", "anyone".
  /// - Returns: Nil if the description would be too long, or would have to mention other paths or
  ///   fields that may not be written alone.
  private func summary(of side: DiffSide) -> String? {
    let half = diff.half(side)
    guard let terms = terms(of: half.root, in: half.outline) else { return nil }
    var phrases: [String] = []
    for term in terms where !isNever(term.map { half.outline.nodes[$0].ref }) {
      var parts = Parts()
      for node in term {
        let ref = half.outline.nodes[node].ref
        if case .place = half.outline.nodes[node].form {
          guard isNever([!ref]) else { return nil }
          continue
        }
        add(CubeLiteral(side: side, node: node, holds: true, ref: ref), to: &parts)
      }
      learnWhoAsks(of: term.map { half.outline.nodes[$0].ref }, &parts)
      guard parts.what.allSatisfy({ $0.hasPrefix("only ") }) else { return nil }
      let written = parts.what + parts.content
      parts.content = []
      let what = written.isEmpty ? [] : ["writing " + written.joined(separator: " and ")]
      let phrase = ([who(parts)] + what + parts.conditions).joined(separator: " ")
      if !phrases.contains(phrase) { phrases.append(phrase) }
    }
    if phrases.isEmpty { return "nobody" }
    if phrases.contains("anyone") { return "anyone" }
    if phrases == [DiffPhrase.signedInUser] { return DiffPhrase.anySignedInUser }
    let isWide = phrases.contains { $0.hasPrefix("anyone") }
    let text = (isWide ? "" : "only ") + phrases.joined(separator: ", or ")
    return text.utf8.count > Strategy.sentenceText ? nil : text
  }

  /// Returns the disjunctive normal form of a node, as lists of nodes that must hold; nil if there are
  /// too many.
  private func terms(of node: Int, in outline: Outline) -> [[Int]]? {
    if outline.nodes[node].ref == .yes { return [[]] }
    if outline.nodes[node].ref == .no { return [] }
    switch outline.nodes[node].form {
    case .leaf, .place, .common: return [[node]]
    case .any(let parts):
      var all: [[Int]] = []
      for part in parts {
        guard let more = terms(of: part, in: outline) else { return nil }
        all += more.filter { !all.contains($0) }
        if all.count > Strategy.names { return nil }
      }
      return all
    case .all(let parts):
      var all: [[Int]] = [[]]
      for part in parts {
        guard let more = terms(of: part, in: outline) else { return nil }
        all = all.flatMap { term in more.map { term + $0.filter { !term.contains($0) } } }
        if all.count > Strategy.names { return nil }
      }
      return all
    }
  }

  private func who(_ parts: Parts) -> String {
    var text: String
    let isKnown = parts.isSignedIn == true || parts.isOfUser
    if parts.isSignedIn == false {
      text = "a client that is not signed in"
    } else if parts.positive.first == DiffPhrase.owner {
      text = parts.positive[0]
    } else {
      text = isKnown ? DiffPhrase.signedInUser : "anyone"
    }
    let others = parts.positive.filter { $0 != DiffPhrase.owner || text != DiffPhrase.owner }
    let clauses =
      others.map { clause($0, isNegative: false) }
      + parts.negative.map { clause($0, isNegative: true) }
    if !parts.claims.isEmpty { text += " with " + parts.claims.joined(separator: " and ") }
    if !parts.missingClaims.isEmpty {
      text += " without " + parts.missingClaims.joined(separator: " and without ")
    }
    if !clauses.isEmpty { text += " " + clauses.joined(separator: " and ") }
    return text
  }

  /// Returns "who is the owner" or, for a quoted user ID, "whose ID is `resource.data.author`".
  private func clause(_ name: String, isNegative: Bool) -> String {
    (name.hasPrefix("`") ? "whose ID is " : "who is ") + (isNegative ? "not " : "") + name
  }

  private func add(_ literal: CubeLiteral, to parts: inout Parts) {
    let outline = diff.half(literal.side).outline
    switch outline.nodes[literal.node].form {
    case .place(let match):
      let source = outline.compiler.rules.ruleset.source
      let pattern = source.string(outline.compiler.rules.ruleset[match].patternRange)
      if literal.holds {
        parts.ifs.append("the path fits `\(pattern)`")
      } else {
        parts.unlesses.append("the path fits `\(pattern)`")
      }
    case .leaf(let leaf):
      let reader = LeafReader(outline.compiler, path: path)
      let phrase = reader.phrase(of: leaf.id, in: leaf.scope)
      switch phrase {
      case .user where !leaf.isTrue, .claim where !leaf.isTrue:
        guard literal.holds, isTotal(leaf, on: outline.compiler) else {
          let text = reader.text(of: leaf.id, in: leaf.scope)
          return add(.other(text), of: leaf, holds: literal.holds, to: &parts)
        }
        parts.isSignedIn = true
      default: break
      }
      add(phrase, of: leaf, holds: literal.holds, to: &parts)
    case .common:
      parts.unlesses.append("a statement that grants the same in both files allows it")
    case .all, .any: break
    }
  }

  /// True if it is proved that an expression is never an error for signed-in clients. Otherwise it need not
  /// be false where it is not true: a token may lack the claim, or a document the field.
  private func isTotal(_ leaf: Outline.Leaf, on compiler: Compiler) -> Bool {
    let rails = compiler.rails(of: leaf.id, in: leaf.scope.frame)
    return isNever([!rails.yes, !rails.no, !compiler.scene.signedOut])
  }

  private func add(
    _ phrase: DiffPhrase, of leaf: Outline.Leaf, holds: Bool, to parts: inout Parts
  ) {
    let isPositive = leaf.isTrue == holds
    switch phrase {
    case .signedIn(let isSignedIn): parts.isSignedIn = isSignedIn == isPositive
    case .user(let name):
      if isPositive { parts.positive.append(name) } else { parts.negative.append(name) }
    case .claim(let claim):
      if isPositive { parts.claims.append(claim) } else { parts.missingClaims.append(claim) }
    case .fields(let only, let others): parts.what.append(isPositive ? only : others)
    case .content(let only, let others): parts.content.append(isPositive ? only : others)
    case .other(let text):
      switch (leaf.isTrue, holds) {
      case (true, true): parts.ifs.append("`\(text)`")
      case (true, false): parts.unlesses.append("`\(text)`")
      case (false, true): parts.ifs.append("`\(text)` is false")
      case (false, false): parts.unlesses.append("`\(text)` is false")
      }
    }
  }
}

/// The meaning of a part of a condition, in words.
enum DiffPhrase {
  /// The client is signed in, or is not.
  case signedIn(Bool)
  /// The client is a certain user.
  case user(String)
  /// The token has a claim.
  case claim(String)
  /// A condition on the fields that a write changes, in words: if it holds, and if it does not.
  case fields(only: String, others: String)
  /// A condition on the fields of the written document, in words: if it holds, and if it does not.
  case content(only: String, others: String)
  /// Any other condition, as written.
  case other(String)

  /// The user whose ID is a segment of the path.
  static let owner = "the owner"
  /// A user about whom nothing else is known.
  static let signedInUser = "a signed-in user"
  /// Every signed-in user.
  static let anySignedInUser = "any signed-in user"
}

extension AccessChange {
  /// Describes the difference in a sentence, for the documents of a pattern.
  package func sentence(_ path: String) -> String {
    var words = witnesses.map { $0.verb }
    // Beside plain queries, those by name or collection group are not mentioned.
    if words.contains(Method.list.word) {
      words.removeAll { $0 != Method.list.word && $0.hasPrefix(Method.list.word) }
    }
    let list =
      words.count > 1
      ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words[0]
    let plain = words == [Method.list.word] ? Self.collection(of: path) : path
    // For lists, too: other documents of the pattern have rows of their own.
    let place = isOfRest ? "other documents of \(path)" : plain
    let past = before.map { " (before: \($0))" } ?? ""
    if let remaining {
      return remaining == "nobody"
        ? "nobody may \(list) \(place) any more\(past)"
        : "\(remaining) may still \(list) \(place)\(past)"
    }
    let verb = isLoosened ? "may now" : "may no longer"
    let object = what.isEmpty ? place : what + " of " + place
    let isAny = isLoosened && what.isEmpty && conditions.isEmpty && who == DiffPhrase.signedInUser
    let asker = isAny ? DiffPhrase.anySignedInUser : who
    return ([asker, verb, list, object] + conditions).joined(separator: " ") + past
  }

  /// The collection that contains the documents of a pattern.
  private static func collection(of path: String) -> String {
    guard path.hasSuffix("}"), !path.hasSuffix("=**}"),
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
    else { return path }
    return String(path[..<slash])
  }
}
