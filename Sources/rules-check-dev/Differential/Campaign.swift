import RulesHost

/// A campaign: questions of one kind to both sides, in batches, the same for the same seed.
struct Campaign {
  /// The kind of questions: `expressions`, `requests`, ….
  var name: String
  /// The number of questions to compare.
  var wanted: Int
  /// True if the trials of a batch evaluate different expressions, so that one coverage report of the
  /// emulator suffices for all of them.
  var isApart: Bool
  /// The trials of a batch, which share a rules file.
  var trials: (_ number: Int) -> [Trial]

  /// Returns a campaign of expressions with every operator, built-in and type.
  static func expressions(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "expressions", wanted: wanted, isApart: true) { number in
      ExpressionCampaign.trials(seed: seed, number)
    }
  }

  /// Returns a campaign of requests of every kind, ten to a rule set.
  static func requests(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "requests", wanted: wanted, isApart: false) { number in
      RequestCampaign.trials(seed: seed, number)
    }
  }

  /// Returns a campaign of list queries, twenty to a rule set.
  static func queries(_ wanted: Int, seed: UInt64) -> Campaign {
    Campaign(name: "queries", wanted: wanted, isApart: false) { number in
      QueryCampaign.trials(seed: seed, number)
    }
  }
}

extension Campaign {
  /// Asks both sides and counts the results.
  ///
  /// Rules on which the emulator itself fails are left out and counted.
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
