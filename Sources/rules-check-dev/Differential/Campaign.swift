import RulesHost

/// One kind of questions to both sides: as many as wanted, a batch at a time, the same for the same
/// seed.
struct Campaign {
  /// What is counted: `expressions`, `requests`, ….
  var name: String
  /// How many questions are to be compared.
  var wanted: Int
  /// Whether the trials of a batch evaluate expressions of their own, so that one look at the
  /// emulator's report suffices for all of them.
  var isApart: Bool
  /// The trials of a batch, which share a rules file.
  var trials: (_ number: Int) -> [Trial]

  /// Expressions of every operator, built-in and type.
  static func expressions(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "expressions", wanted: wanted, isApart: true) { number in
      ExpressionCampaign.trials(seed: seed, number)
    }
  }

  /// Requests of every kind, ten to a rule set.
  static func requests(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "requests", wanted: wanted, isApart: false) { number in
      RequestCampaign.trials(seed: seed, number)
    }
  }

  /// List queries, twenty to a rule set.
  static func queries(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "queries", wanted: wanted, isApart: false) { number in
      QueryCampaign.trials(seed: seed, number)
    }
  }
}

extension Campaign {
  /// Puts the questions to both sides and counts what came of them.
  ///
  /// Rules on which the emulator itself fails are left out, and their number is told.
  func run(
    against referee: Referee, findings: Findings
  ) throws(EmulatorClient.Problem) -> Tally {
    var tally = Tally(name)
    var number = 0
    var barren = 0
    let failures = referee.failures
    while tally.compared < wanted, barren < 100 {
      let before = tally.compared
      let trials = trials(number)
      number += 1
      tally.files += 1
      for judgement in try referee.judge(trials, isApart: isApart) where tally.compared < wanted {
        tally.add(judgement)
        try findings.add(judgement)
      }
      barren = tally.compared == before ? barren + 1 : 0
    }
    tally.unanswered = referee.failures - failures
    return tally
  }
}
