import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// The words of `diff` beside the evaluator.
@Suite struct SentenceCampaignTests {
  /// All 2,000 by `rules-check-dev differential --sentences 2000`.
  @Test func noSentenceSaysWhatARequestContradicts() {
    var campaign = SentenceCampaign(seed: 1)
    campaign.run(0..<Wanted.number("SENTENCES", usually: 30, sample: 8))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.failures.first ?? "")")
    #expect(campaign.unread * 4 < campaign.sentences)
  }
}
