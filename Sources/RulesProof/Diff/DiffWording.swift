import RulesEncoding
import RulesEval
import RulesLang

// Cubes in words. Some parts of conditions have a plain meaning that most rules files share: who is
// signed in, who owns the document, which fields are written. The others are quoted, with the
// parameters of functions replaced by what was passed.

/// Puts the cubes of one kind of request into words.
struct DiffWording {
  private let diff: DiffGoal
  private let path: String

  init(of diff: DiffGoal, at path: String) {
    self.diff = diff
    self.path = path
  }

  /// The parts of a sentence.
  private struct Parts {
    var isSignedIn: Bool?
    var positive: [String] = []
    var negative: [String] = []
    var claims: [String] = []
    var missingClaims: [String] = []
    var what: [String] = []
    var ifs: [String] = []
    var unlesses: [String] = []

    var conditions: [String] {
      var found: [String] = []
      if !ifs.isEmpty { found.append("if " + ifs.joined(separator: " and ")) }
      if !unlesses.isEmpty { found.append("unless " + unlesses.joined(separator: " or ")) }
      return found
    }
  }

  /// A cube as a difference with one witness.
  func difference(
    _ cube: [CubeLiteral], isLoosened: Bool, witness: DiffWitness
  ) -> AccessChange {
    var parts = Parts()
    for literal in cube { add(literal, to: &parts) }
    return AccessChange(
      isLoosened: isLoosened, who: who(parts), what: parts.what.joined(separator: " and "),
      conditions: parts.conditions, witnesses: [witness])
  }

  private func who(_ parts: Parts) -> String {
    var text: String
    let isKnown =
      parts.isSignedIn == true || !parts.positive.isEmpty || !parts.claims.isEmpty
    if parts.isSignedIn == false {
      text = "a client that is not signed in"
    } else if parts.positive.first == DiffPhrase.owner {
      text = parts.positive[0]
    } else {
      text = isKnown ? "a signed-in user" : "anyone"
    }
    let others = parts.positive.filter { $0 != DiffPhrase.owner || text != DiffPhrase.owner }
    let clauses =
      others.map { "who is \($0)" } + parts.negative.map { "who is not \($0)" }
    if !parts.claims.isEmpty { text += " with " + parts.claims.joined(separator: " and ") }
    if !parts.missingClaims.isEmpty {
      text += " without " + parts.missingClaims.joined(separator: " and without ")
    }
    if !clauses.isEmpty { text += " " + clauses.joined(separator: " and ") }
    return text
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
      let reader = LeafReader(outline.compiler.rules, path: path, method: diff.scenario.method)
      let phrase = reader.phrase(of: leaf.id, in: leaf.scope)
      switch phrase {
      case .user where !leaf.isTrue, .claim where !leaf.isTrue:
        // Only for clients that are signed in is "not that user" false rather than an error.
        guard literal.holds else {
          return add(
            .other(reader.text(of: leaf.id, in: leaf.scope)), of: leaf, holds: false, to: &parts)
        }
        parts.isSignedIn = true
      default: break
      }
      add(phrase, of: leaf, holds: literal.holds, to: &parts)
    case .all, .any: break
    }
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

/// What a part of a condition says.
enum DiffPhrase {
  /// Whether it is about a client that is signed in rather than one that is not.
  case signedIn(Bool)
  /// It is about a certain user.
  case user(String)
  /// It is about a claim of the token.
  case claim(String)
  /// It is about the fields that are written: only these, or others than these.
  case fields(only: String, others: String)
  /// Anything else, as it is written.
  case other(String)

  /// The user that the path names.
  static let owner = "the owner"
}

extension AccessChange {
  /// The sentence for some methods on the documents of a pattern.
  public func sentence(_ path: String) -> String {
    var words = witnesses.map { $0.verb }
    // What holds of plain queries need not be said of special ones.
    if words.contains(Method.list.word) {
      words.removeAll { $0 != Method.list.word && $0.hasPrefix(Method.list.word) }
    }
    let list =
      words.count > 1
      ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words[0]
    let verb = isLoosened ? "may now" : "may no longer"
    let object = what.isEmpty ? path : what + " of " + path
    return ([who, verb, list, object] + conditions).joined(separator: " ")
  }
}
