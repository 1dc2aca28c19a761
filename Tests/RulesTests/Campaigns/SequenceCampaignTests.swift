import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// What clients can make true, beside a search through all states and requests of a small world.
@Suite struct SequenceCampaignTests {
  /// All 5,000 by `rules-check-dev differential --sequences 5000`.
  @Test func noVerdictIsWrong() {
    var campaign = SequenceCampaign(seed: 1)
    campaign.run(0..<Wanted.number("SEQUENCES", usually: 40, sample: 16))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.failures.first ?? "")")
  }
}
