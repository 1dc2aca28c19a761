import RulesProof
import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// Encoded conditions beside the evaluator, under the values of requests.
@Suite struct ConcretisationTests {
  /// All 10,000,000 by `rules-check-dev differential --concretisation 10000000`.
  @Test func everyEncodedConditionIsWhatTheEvaluatorSays() {
    var campaign = ConcretisationCampaign(seed: 1, requests: (file: 100, made: 40))
    campaign.run(until: Wanted.number("CONCRETISATION", usually: 40_000, sample: 8_000))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.figures.different.first ?? "")")
    // Each answer of the evaluator occurs, and most are determined by the request.
    #expect(campaign.figures.compared.allSatisfy { $0 > 100 })
    #expect(campaign.figures.open[0] * 4 < campaign.figures.total)
    #expect(campaign.figures.open[1] * 4 < campaign.figures.total)
  }
}
