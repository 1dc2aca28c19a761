import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Compares both encodings with the evaluator under the values of generated requests (`Concretisation`): of
/// rules files, then of generated rule sets until enough comparisons were made.
struct ConcretisationCampaign {
  /// The results.
  private(set) var figures = Concretisation.Figures()
  /// Number of files whose conditions were compared.
  private(set) var files = 0
  /// Number of generated rule sets whose conditions were compared.
  private(set) var made = 0

  private let seed: UInt64
  /// Requests of each kind for a given file, and for a generated rule set.
  private let requests: (file: Int, made: Int)

  /// Prepares a campaign; its generated rule sets depend on the seed alone.
  init(seed: UInt64, requests: (file: Int, made: Int) = (1_500, 300)) {
    self.seed = seed
    self.requests = requests
  }

  /// True if conditions were compared and none differs.
  var isGood: Bool { figures.total > 0 && figures.different.isEmpty }

  /// The figures in a few lines.
  var summary: String {
    let compared = figures.compared
    return """
      concretisation: \(figures.total) comparisons (\(compared[0]) true, \(compared[1]) false, \
      \(compared[2]) errors), \(figures.ofConditions) of whole conditions
        \(figures.requests) requests of \(figures.kinds) kinds on \(files) files and \(made) \
      generated rule sets; \(figures.refused) kinds are too large for an encoder
        open: \(figures.open[0]) of \(figures.total - figures.ofChecker) of the prover's, \
      \(figures.open[1]) of \(figures.ofChecker) of the checker's
        \(figures.axioms) axioms hold; \(figures.different.count) differ

      """
  }

  /// Compares the conditions of a rules file; false if it does not compile.
  mutating func run(_ source: SourceText) -> Bool {
    guard let rules = Checker.check(source).checked else { return false }
    files += 1
    let before = figures.different.count
    Concretisation(rules, requests: requests.file).run(into: &figures)
    name(source.name, from: before, nil)
    return true
  }

  /// Compares the conditions of generated rule sets until `wanted` comparisons were made in all.
  mutating func run(until wanted: Int) {
    var number: UInt64 = 0
    while figures.total < wanted, figures.different.count < 20 {
      let text = Self.rules(number, seed: seed)
      number += 1
      guard let rules = Checker.check(SourceText(name: "made", text)).checked else { continue }
      made += 1
      let before = figures.different.count
      Concretisation(rules, requests: requests.made).run(into: &figures)
      name("rule set \(number - 1)", from: before, text)
    }
  }

  /// Returns a generated rule set of one of three kinds.
  private static func rules(_ number: UInt64, seed: UInt64) -> String {
    var dice = Dice(seed: seed, 12, number)
    switch number % 3 {
    case 0: return AuditWorld(&dice).text
    case 1:
      let methods = ["get", "list", "create", "update", "delete"]
      let drawn = dice.several(1...3) { dice in
        let method = dice.pick(methods)
        var maker = PieceMaker(dice, method: Method.allCases.first { $0.word == method } ?? .get)
        defer { dice = maker.dice }
        return (methods: method, condition: maker.condition(maker.dice.roll(4)))
      }
      return RulesText(drawn).text
    default:
      var maker = RulesMaker(dice)
      return maker.make().text
    }
  }

  private mutating func name(_ name: String, from place: Int, _ text: String?) {
    for index in figures.different.indices[place...] {
      figures.different[index] =
        name + ": " + figures.different[index] + (text.map { "\n" + $0 } ?? "")
    }
  }
}
