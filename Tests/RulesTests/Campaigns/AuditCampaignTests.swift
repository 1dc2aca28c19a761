import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// What audits print of clients and conditions, beside the evaluator.
@Suite struct AuditCampaignTests {
  /// All 2,000 by `rules-check-dev differential --audits 2000`.
  @Test func noPrintedAnswerIsWrong() {
    var campaign = AuditCampaign(seed: 1)
    campaign.run(0..<Wanted.number("AUDITS", usually: 10, sample: 1))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.failures.first ?? "")")
  }
}
