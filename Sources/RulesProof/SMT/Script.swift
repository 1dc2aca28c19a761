import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// Claims as SMT-LIB 2 scripts. All values are of one uninterpreted sort. The axioms of our theories
// are instantiated for the terms that occur, so the script is quantifier-free:
//
// - `type` is the type of a value; constants are distinct; a bool is true or false;
// - `count` is the number of an int, timestamp or duration, in its smallest steps;
// - `place` is the position of a float among the floats that occur in the query;
// - `text` is a string as its UTF-16 units, so that lengths agree with the rules language;
// - `depth` increases from a part of a value to the value.
//
// Facts that our prover learned from the evaluator while searching are part of the script.
// Docs/Proofs.md describes what a solver's answer confirms.

extension Prover {
  /// Returns a script that is satisfiable if a request violates the claim. If it is unsatisfiable, the
  /// claim holds for all requests, evaluation limits aside. A script about a claim that holds may be
  /// satisfiable, too: uninterpreted functions are free.
  ///
  /// - Parameter remarks: Comment lines for the head of the script.
  package func script(of index: Int, remarks: [String] = []) -> String {
    let claim = set.claims[index]
    var status: String? = "unsat"
    var goals: [Goal] = []
    for scenario in set.scenarios(of: claim) {
      let goal = Goal(claim, in: set, for: scenario, budget: budget)
      goals.append(goal)
      if status == "sat" { continue }
      switch decide(goal, of: claim) {
      case .none(let refuted): goals[goals.count - 1] = refuted
      case .found: status = "sat"
      case .doubtful: status = nil
      }
      // Without the blocking clauses of unconfirmed models, which are not part of the query.
      if status != "unsat" { goals[goals.count - 1] = Goal(claim, in: set, for: scenario) }
    }
    var script = ScriptWriter()
    for (place, goal) in goals.enumerated() { script.add(goal, number: place + 1) }
    return script.text(about: claim.claim, status: status, remarks)
  }
}

/// Writes the queries of one claim.
struct ScriptWriter {
  /// The declared functions, in order of first use.
  private var functions: [String] = []
  private var known: Set<String> = []
  private var constants: [(name: String, value: Value)] = []
  private var floats: [Double] = []
  private var body: [String] = []
  private var goals: [String] = []
  private(set) var hasTexts = false

  /// Creates a writer with the constants true, false and null.
  init() {
    for value in [Value.bool(true), .bool(false), .null] { _ = name(of: value) }
  }

  /// Adds the query of one kind of request.
  mutating func add(_ goal: Goal, number: Int) {
    var question = ScriptQuestion(goal, number: number)
    question.write(to: &self)
    goals.append(question.name)
  }

  // MARK: Used by questions

  /// Appends a line after the declarations.
  mutating func write(_ line: String) { body.append(line) }

  /// Records a float that is compared with others.
  mutating func note(_ float: Double) {
    if !float.isNaN { floats.append(float) }
  }

  /// Records that the contents of strings matter.
  mutating func noteTexts() { hasTexts = true }

  /// Returns a placeholder for the position of a float, which is only known at the end.
  static func place(_ float: Double) -> String { "#" + ConstantText.bits(float) + "#" }

  /// Returns the symbol of a constant.
  mutating func name(of value: Value) -> String {
    let name = "|k." + ConstantText.word(value) + "|"
    guard known.insert(name).inserted else { return name }
    constants.append((name, value))
    if case .float(let number) = value { note(number) }
    return name
  }

  /// Declares a function, once.
  mutating func declare(_ name: String, arguments: Int, result: String) {
    guard known.insert(name).inserted else { return }
    let sorts = Array(repeating: "Value", count: arguments).joined(separator: " ")
    functions.append("(declare-fun \(name) (\(sorts)) \(result))")
  }

  /// Returns the constants of a domain, in steps.
  func counts(in domain: Domain) -> [(name: String, count: Int128)] {
    constants.compactMap { constant in
      constant.value.count(in: domain).map { (constant.name, $0) }
    }
  }

  // MARK: The script

  /// Returns the whole script.
  func text(about claim: Claim, status: String?, _ remarks: [String]) -> String {
    let head = [claim.name] + (claim.isNamed ? [claim.statement] : []) + remarks
    var lines = head.map { "; " + ConstantText.escaped(Array($0.utf8), spaces: true) }
    lines.append("; unsat: no request contradicts the claim. sat: one does.")
    lines.append("(set-info :smt-lib-version 2.6)")
    lines.append("(set-logic ALL)")
    if let status { lines.append("(set-info :status \(status))") }
    lines.append("(declare-sort Value 0)")
    let types = ValueType.allCases.map { "(" + Self.symbol($0) + ")" }.joined(separator: " ")
    lines.append("(declare-datatypes ((Type 0)) ((\(types))))")
    for (function, result) in [
      ("type", "Type"), ("count", "Int"), ("depth", "Int"), ("place", "Real"), ("nan", "Bool"),
      ("text", "String"),
    ] { lines.append("(declare-fun \(function) (Value) \(result))") }
    lines += constants.map { "(declare-fun \($0.name) () Value)" }
    lines.append("(assert (distinct \(constants.map { $0.name }.joined(separator: " "))))")
    for constant in constants { lines += facts(about: constant.name, constant.value) }
    let places = self.places
    lines += functions + body.map { Self.placed($0, at: places) }
    lines.append("(assert \(Self.all("or", of: goals, none: "false")))")
    lines.append("(check-sat)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns an operator applied to any number of operands.
  static func all(_ op: String, of parts: [String], none: String) -> String {
    if parts.isEmpty { return none }
    return parts.count == 1 ? parts[0] : "(" + op + " " + parts.joined(separator: " ") + ")"
  }

  /// Returns the symbol of a type.
  static func symbol(_ type: ValueType) -> String { "t." + type.word }

  private func facts(about name: String, _ value: Value) -> [String] {
    var lines = ["(assert (= (type \(name)) \(Self.symbol(value.type))))"]
    for domain in [Domain.int, .timestamp, .duration] {
      if let count = value.count(in: domain) {
        lines.append("(assert (= (count \(name)) \(Self.number(count))))")
      }
    }
    switch value {
    case .float(let number) where number.isNaN: lines.append("(assert (nan \(name)))")
    case .float(let number):
      let place = Self.placed(Self.place(number), at: places)
      lines.append("(assert (and (not (nan \(name))) (= (place \(name)) \(place))))")
    case .string(let text) where hasTexts:
      lines.append("(assert (= (text \(name)) \(Self.literal(text))))")
    default: break
    }
    return lines
  }

  /// Returns an integer literal.
  static func number(_ number: Int128) -> String {
    number < 0 ? "(- \(number.magnitude))" : "\(number)"
  }

  /// The placeholders of all floats, with their positions in sorted order.
  private var places: [(mark: String, place: String)] {
    var marks: [(mark: String, place: String)] = []
    var place: Int128 = 0
    var last: Double?
    for float in floats.sorted() {
      // 0.0 and -0.0 share a position.
      if last != float { place += 1 }
      last = float
      let mark = Self.place(float)
      if !marks.contains(where: { $0.mark == mark }) { marks.append((mark, "\(place).0")) }
    }
    return marks
  }

  private static func placed(_ line: String, at places: [(mark: String, place: String)]) -> String {
    var text = ""
    // The sign `#` delimits placeholders only, so every other piece is a float.
    for (number, piece) in line.split(separator: "#", omittingEmptySubsequences: false).enumerated()
    {
      let mark = "#" + piece + "#"
      text += number % 2 == 0 ? String(piece) : places.first { $0.mark == mark }?.place ?? "0.0"
    }
    return text
  }

  /// Returns a string literal of the UTF-16 units.
  static func literal(_ text: Text) -> String {
    "\"" + String(text).utf16.map { unit($0) }.joined() + "\""
  }

  /// Returns a UTF-16 unit inside a string literal.
  static func unit(_ unit: UInt16) -> String {
    switch unit {
    case 0x22: "\"\""
    case 0x20, 0x21, 0x24...0x5B, 0x5D...0x7E: String(decoding: [UInt8(unit)], as: UTF8.self)
    default: "\\u{" + String(unit, radix: 16) + "}"
    }
  }
}
