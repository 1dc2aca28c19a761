import Testing

@testable import RulesLang
@testable import RulesTesting

/// Sorting by numbers of elements, as the page does it.
@Suite struct StableOrderTests {
  @Test(arguments: Array(0...20) + [63, 64, 65, 1000])
  func elementsAreSortedAsTheStandardLibraryDoes(_ count: Int) {
    var random = SplitMix(seed: UInt64(count))
    // Few values, so that many elements are alike.
    let values = (0..<count).map { _ in Int(random.next() % 7) }
    let order = StableOrder.of(count) { values[$0] < values[$1] }
    #expect(order == (0..<count).sorted { (values[$0], $0) < (values[$1], $1) })
  }
}
