import RulesEval
import RulesLang

/// Random expressions: many in one rules file, each in a block of its own, so that one coverage report of the
/// emulator has the outcomes of all.
struct ExpressionCampaign {
  private static let blocks = 40
  private static let head = """
    rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {

    """ + Setting.functions + "\n"

  /// Returns the trials of one rules file: expressions that our compiler accepts, in one setting.
  static func trials(seed: UInt64, _ number: Int) -> [Trial] {
    var dice = Dice(seed: seed, 1, UInt64(number))
    let setting = dice.pick(Setting.all)
    let expressions = (0..<blocks).map { _ in expression(in: setting.scope, using: &dice) }
      .filter { OurSide(rules([$0])).checked != nil }
    let text = rules(expressions)
    var documents = Setting.lookedUp
    if let stored = setting.stored {
      documents += expressions.indices.map { ("/e\($0)/a", stored) }
    }
    return expressions.indices.map { index in
      Trial(
        rules: text, documents: documents, request: .object(setting.request("e\(index)")))
    }
  }

  /// Returns one expression.
  static func expression(in scope: Scope, using dice: inout Dice) -> String {
    var maker = ExpressionMaker(dice, in: scope)
    let size = maker.dice.pick([1, 2, 2, 3, 3, 3, 4, 4, 5])
    let phrase = maker.dice.chance(45) ? maker.make(.bool, size: size) : maker.any(size)
    dice = maker.dice
    return phrase.text
  }

  private static func rules(_ expressions: [String]) -> String {
    let blocks = expressions.enumerated().map { index, expression in
      "match /e\(index)/{id} { allow read, write: if \(expression); }\n"
    }
    return head + blocks.joined() + "}}\n"
  }
}
