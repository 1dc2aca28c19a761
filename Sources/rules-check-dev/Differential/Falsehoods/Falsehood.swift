import RulesEval
import RulesLang
import RulesProof

/// A random request with expressions sorted by their outcomes for it.
struct SortedPieces {
  let drawn: DrawnRequest
  /// Expressions that are true, that are false, and others.
  private(set) var yes: [String] = ["true"]
  private(set) var no: [String] = ["false"]
  private(set) var failing: [String] = ["request.nothing == 1"]

  /// Generates expressions and evaluates them.
  init(_ drawn: DrawnRequest, using dice: Dice, count: Int) {
    self.drawn = drawn
    var maker = PieceMaker(dice, method: drawn.method)
    var pieces: [String] = []
    for _ in 0..<count { pieces.append(maker.condition(maker.dice.roll(3))) }
    for piece in pieces {
      let probe = RulesText([(drawn.method.word, piece)])
      guard let engine = probe.engine,
        let decision = try? engine.decide(drawn.request, on: drawn.documents),
        let tried = decision.tried.last
      else { continue }
      switch tried.result {
      case .granted: yes.append(piece)
      case .refused: no.append(piece)
      case .failed: failing.append(piece)
      }
    }
  }

  /// Returns a condition that is true for the request.
  func holding(_ dice: inout Dice) -> String {
    let one = dice.pick(yes)
    switch dice.roll(6) {
    case 0: return "(\(one)) && (\(dice.pick(yes)))"
    case 1: return "(\(dice.pick(failing))) || (\(one))"
    case 2: return "(\(dice.pick(no))) || (\(one))"
    case 3: return "!(\(dice.pick(no)))"
    case 4: return "(\(one)) ? (\(dice.pick(yes))) : (\(dice.pick(failing)))"
    default: return one
    }
  }

  /// Returns a condition that is not true for the request.
  func lacking(_ dice: inout Dice) -> String {
    let one = dice.pick(dice.chance(50) ? no : failing)
    switch dice.roll(6) {
    case 0: return "(\(one)) || (\(dice.pick(failing)))"
    case 1: return "(\(dice.pick(yes))) && (\(one))"
    case 2: return "!(\(dice.pick(yes)))"
    case 3: return "!(\(dice.pick(failing)))"
    default: return one
    }
  }
}

/// A rules file of one block, `/c/{id}`.
struct RulesText {
  let text: String

  /// Creates the file of statements, each with methods and a condition.
  init(_ statements: [(methods: String, condition: String)]) {
    let lines = statements.map { "      allow \($0.methods): if \($0.condition);\n" }.joined()
    text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          \(PieceMaker.functions.replacing("\n", by: "\n    "))
          match /c/{id} {
      \(lines)    }
        }
      }

      """
  }

  /// The engine; nil if the rules do not compile.
  var engine: Engine? {
    Checker.check(SourceText(name: "falsehood.rules", text)).checked.map { Engine($0) }
  }
}

extension String {
  /// The text with each piece replaced by another one.
  fileprivate func replacing(_ piece: Character, by other: String) -> String {
    reduce("") { $0 + ($1 == piece ? other : String($1)) }
  }
}

/// A claim that a request violates.
struct FalseClaim {
  let rules: RulesText
  let claim: Claim
  let drawn: DrawnRequest

  /// Generates a claim; nil if the request does not violate it.
  init?(_ pieces: SortedPieces, using dice: inout Dice) {
    drawn = pieces.drawn
    let word = drawn.method.word
    guard let path = ClaimPath("/c/{id}") else { return nil }
    var statements = (0..<dice.roll(3)).map { _ in (methods: word, condition: pieces.lacking(&dice))
    }
    var obligation: Claim.Obligation
    switch dice.roll(8) {
    case 0, 1, 2:
      statements.append((word, pieces.holding(&dice)))
      obligation = .onlyIf(Claim.Condition(Text(pieces.lacking(&dice))))
    case 3:
      statements.append((word, pieces.holding(&dice)))
      obligation = .never
    case 4:
      statements.append((word, dice.pick(pieces.failing)))
      obligation = .noErrors
    default:
      statements.append((word, pieces.lacking(&dice)))
      obligation = .alwaysIf(Claim.Condition(Text(pieces.holding(&dice))))
    }
    rules = RulesText(dice.shuffled(statements))
    var claim = Claim(
      name: "false", path: path, methods: MethodSet(drawn.method), obligation: obligation)
    var given: [String] = []
    if dice.chance(50) {
      // Conditions that pin the request, so that other requests cannot hide a mistake about it.
      given = pieces.yes.filter { _ in dice.chance(dice.pick([10, 40, 80])) }.map { "(\($0))" }
      if dice.chance(50) { given.append("id == '\(String(drawn.document.id))'") }
      if dice.chance(50), drawn.method != .list { given.append(contentsOf: Self.pins(drawn)) }
    }
    if !given.isEmpty {
      claim.given = Claim.Condition(Text(given.prefix(12).joined(separator: " && ")))
    }
    self.claim = claim
    guard isFalse else { return nil }
  }

  /// Returns conditions that fix the simple fields of the documents.
  private static func pins(_ drawn: DrawnRequest) -> [String] {
    var pins: [String] = []
    for (base, data) in [("resource.data", drawn.before), ("request.resource.data", drawn.after)] {
      guard let data else { continue }
      let keys = data.keys.map { "'\(String($0))'" }.joined(separator: ", ")
      pins.append("\(base).keys().hasOnly([\(keys)]) && \(base).keys().hasAll([\(keys)])")
      for (name, value) in data {
        switch value {
        case .null, .bool, .int: pins.append("\(base).\(String(name)) == \(ValueText.short(value))")
        case .string(let text): pins.append("\(base).\(String(name)) == '\(String(text))'")
        case .float, .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
          .vector, .constraint:
          break
        }
      }
    }
    return pins
  }

  /// True if the request violates the claim, according to the evaluator.
  private var isFalse: Bool {
    guard let engine = rules.engine,
      let decision = try? engine.decide(drawn.request, on: drawn.documents)
    else { return false }
    if let given = claim.given, holds(given.text, under: engine) != true { return false }
    switch claim.obligation {
    case .never: return decision.isAllowed
    case .noErrors: return decision.tried.contains { $0.isError }
    case .onlyIf(let condition):
      return decision.isAllowed && holds(condition.text, under: engine) == false
    case .alwaysIf(let condition):
      return !decision.isAllowed && holds(condition.text, under: engine) == true
    }
  }

  /// True if a condition of the claim holds for the request; nil if it does not compile.
  private func holds(_ text: Text, under engine: Engine) -> Bool? {
    let block = engine.rules.ruleset.matches.indices.last.map { MatchID($0) }
    guard let block else { return nil }
    let condition = AddedCondition(
      name: "false", parameters: ["id"], owner: .match(block), text: text)
    let added = Checker.extend(engine.rules, with: [condition])
    guard let rules = added.checked, let function = added.functions.first else { return nil }
    let outcome = try? Engine(rules).outcome(
      of: function, arguments: [.string(drawn.document.id)], for: drawn.document,
      in: drawn.request, on: drawn.documents)
    if case .value(.bool(true)) = outcome { return true }
    return false
  }
}
