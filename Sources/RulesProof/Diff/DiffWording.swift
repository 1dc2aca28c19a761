import RulesEval
import RulesLang

// Cubes in words. Some parts of conditions have a plain meaning that most rules files share: who is
// signed in, who owns the document, which fields are written. The others are quoted, with the
// parameters of functions replaced by what was passed.

/// Puts the cubes of one kind of request into words.
struct DiffWording {
  private let diff: DiffGoal
  private let path: String

  init(_ diff: DiffGoal, _ path: String) {
    self.diff = diff
    self.path = path
  }

  /// The parts of a sentence.
  private struct Parts {
    var isSignedIn: Bool?
    var positive: [String] = []
    var negative: [String] = []
    var what: [String] = []
    var conditions: [String] = []
  }

  /// A cube as a difference with one witness.
  func difference(
    _ cube: [CubeLiteral], _ isLoosened: Bool, _ witness: DiffWitness
  ) -> AccessChange {
    var parts = Parts()
    for literal in cube { add(literal, to: &parts) }
    return AccessChange(
      isLoosened: isLoosened, who: who(parts), what: parts.what.joined(separator: " and "),
      conditions: parts.conditions, witnesses: [witness])
  }

  private func who(_ parts: Parts) -> String {
    var text: String
    let isKnown = parts.isSignedIn == true || !parts.positive.isEmpty
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
    if !clauses.isEmpty { text += " " + clauses.joined(separator: " and ") }
    return text
  }

  private func add(_ literal: CubeLiteral, to parts: inout Parts) {
    let outline = diff.half(literal.side).outline
    switch outline.nodes[literal.node].form {
    case .place(let match):
      let source = outline.compiler.rules.ruleset.source
      let pattern = source.string(outline.compiler.rules.ruleset[match].patternRange)
      parts.conditions.append("if `\(pattern)` \(literal.holds ? "matches" : "does not match")")
    case .leaf(let leaf):
      let reader = LeafReader(outline.compiler.rules, path: path, method: diff.scenario.method)
      let phrase = reader.phrase(leaf.id, leaf.scope)
      if case .user = phrase, !leaf.isTrue {
        // Only for clients that are signed in is "not that user" false rather than an error.
        guard literal.holds else {
          return add(.other(reader.text(leaf.id, leaf.scope)), leaf, false, to: &parts)
        }
        parts.isSignedIn = true
      }
      add(phrase, leaf, literal.holds, to: &parts)
    case .all, .any: break
    }
  }

  private func add(
    _ phrase: DiffPhrase, _ leaf: Outline.Leaf, _ holds: Bool, to parts: inout Parts
  ) {
    let isPositive = leaf.isTrue == holds
    switch phrase {
    case .signedIn(let isSignedIn): parts.isSignedIn = isSignedIn == isPositive
    case .user(let name):
      if isPositive { parts.positive.append(name) } else { parts.negative.append(name) }
    case .fields(let only, let others): parts.what.append(isPositive ? only : others)
    case .other(let text):
      let state = leaf.isTrue ? "true" : "false"
      parts.conditions.append("if `\(text)` is \(holds ? "" : "not ")\(state)")
    }
  }
}

/// What a part of a condition says.
enum DiffPhrase {
  /// Whether it is about a client that is signed in rather than one that is not.
  case signedIn(Bool)
  /// It is about a certain user.
  case user(String)
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
    var words: [String] = []
    for witness in witnesses {
      let word = witness.isGroup ? "list by collection group" : witness.method.word
      if !words.contains(word) { words.append(word) }
    }
    let list =
      words.count > 1
      ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words[0]
    let verb = isLoosened ? "may now" : "may no longer"
    let object = what.isEmpty ? path : what + " of " + path
    let suffix = conditions.isEmpty ? "" : ", " + conditions.joined(separator: " and ")
    return "\(who) \(verb) \(list) \(object)\(suffix)"
  }
}
