import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// What clients can make true, beside a search through all states and requests of a small world.
@Suite struct SequenceCampaignTests {
  /// All 5,000 by `rules-check-dev differential --sequences 5000`; 60 in each gate.
  @Test func noVerdictIsWrong() {
    var campaign = SequenceCampaign(seed: 1)
    // A debug build takes the first world with a proof and the one after it, in which a client gets through.
    let isSample = !Wanted.isWhole && Wanted.text("SEQUENCES") == nil
    campaign.run(isSample ? 13..<15 : 0..<Wanted.number("SEQUENCES", usually: 40))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.failures.first ?? "")")
  }
}
