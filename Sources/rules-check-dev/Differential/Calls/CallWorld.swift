import RulesEval
import RulesHost

/// Rules and a sequence of calls, generated from a seed.
struct CallWorld: Sendable {
  /// The seed.
  let seed: UInt64
  /// The rules of the database.
  let rules: String
  /// The calls.
  var steps: [CallStep]

  /// Steps of a world: enough for documents to be overwritten often, few enough to start many worlds.
  static let size = 40

  /// Generates the world of a seed.
  init(seed: UInt64) {
    self.seed = seed
    var rules = CallRulesMaker(Dice(seed: seed, 1))
    var calls = CallMaker(Dice(seed: seed, 2))
    self.rules = rules.rules()
    steps = calls.steps(Self.size)
  }

  /// Returns our answers to all calls, in order. They depend on the world alone.
  func ourAnswers() throws(EmulatorClient.Problem) -> [CallAnswer] {
    let side = CallSide(ServerLink(rules: rules), project: "calls")
    var answers: [CallAnswer] = []
    for step in steps { answers.append(try side.take(step, awaited: [:], quiet: 1)) }
    return answers
  }
}
