import RulesEval
import RulesLang

/// Requests to generated rule sets: ten to each, on the same stored documents.
enum RequestCampaign {
  private static let requests = 10

  /// Returns the trials of one rule set.
  static func trials(seed: UInt64, _ number: Int) -> [Trial] {
    var rules = RulesMaker(Dice(seed: seed, 2, UInt64(number)))
    let made = rules.make()
    var maker = RequestMaker(rules.dice, places: made.places)
    let documents = maker.documents()
    return (0..<requests).map { _ in
      Trial(rules: made.text, documents: documents, request: maker.request())
    }
  }
}
