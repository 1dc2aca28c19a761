public import RulesLang

// A claim as a sentence. It is the name of a claim without one, and follows the name of a claim with one: a
// name can promise anything, only the sentence says what was decided.

extension Claim {
  /// The claim in words, with the requests in its scope: `/users/{id}: update that changes fcmToken, given …,
  /// only if …`.
  public var statement: String {
    scope + ", " + (kept.map { "keeps " + $0.line } ?? obligation.phrase)
      + (through.map { ", " + $0.phrase } ?? "")
  }

  /// The scope of the claim in words: path, methods, fields and givens.
  public var scope: String {
    let limit = kept == nil ? given : keptGiven
    return path.text + ": " + requests + (limit.map { ", given " + $0.line } ?? "")
  }

  /// True if the claim has a name of its own.
  public var isNamed: Bool { name != statement }

  /// The methods, with the fields that are written if the claim names some: `read`, `create or update
  /// that changes name`.
  public var requests: String {
    let asked = scopeMethods
    if asked == MethodSet.read.union(.write) { return "any request" }
    var words: [String] = []
    for (word, group) in [("read", MethodSet.read), ("write", .write)] {
      let named = asked.intersection(group)
      words += named == group ? [word] : named.methods.map { $0.word }
    }
    let methods = words.choice
    if writes.isEmpty { return methods }
    return methods + " that changes " + writes.map { String($0.notation) }.choice
  }

  /// The claim that no request in the same scope is ever granted, without a name of its own.
  public var asNever: Claim {
    var claim = Claim(name: "", path: path, methods: methods, obligation: .never)
    claim.writes = writes
    claim.given = given
    claim.name = claim.statement
    return claim
  }

  /// The methods of requests in scope: only writes if the claim names written fields.
  public var scopeMethods: MethodSet {
    writes.isEmpty ? methods : methods.intersection(.write)
  }
}

extension Claim.Through {
  fileprivate var phrase: String {
    switch self {
    case .any: "after any requests of the same client"
    case .steps(1): "after a request of the same client"
    case .steps(let count): "after \(count) requests of the same client"
    }
  }
}

extension Claim.Obligation {
  /// The obligation's key in suites.
  public var key: String {
    switch self {
    case .onlyIf: "onlyIf"
    case .alwaysIf: "alwaysIf"
    case .never: "never"
    case .noErrors: "errors"
    }
  }

  /// The condition, if the claim has one.
  public var condition: Claim.Condition? {
    switch self {
    case .onlyIf(let condition), .alwaysIf(let condition): condition
    case .never, .noErrors: nil
    }
  }

  fileprivate var phrase: String {
    switch self {
    case .onlyIf(let condition): "only if " + condition.line
    case .alwaysIf(let condition): "always if " + condition.line
    case .never: "never allowed"
    case .noErrors: "no condition ends in an error"
    }
  }
}

extension Claim.Condition {
  /// The expression on one line: a line break becomes one space, with the spaces around it. No string of the
  /// rules language spans lines.
  public var line: String {
    var line = ""
    for part in String(text).unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
      let words = part.drop { $0.isBlank }.reversed().drop { $0.isBlank }.reversed()
      if words.isEmpty { continue }
      if !line.isEmpty { line += " " }
      line.unicodeScalars.append(contentsOf: words)
    }
    return line
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" || self == "\u{C}" }
}

extension [String] {
  /// The words as alternatives: `a, b or c`.
  fileprivate var choice: String {
    guard let last else { return "nothing" }
    return count == 1 ? last : dropLast().joined(separator: ", ") + " or " + last
  }
}
