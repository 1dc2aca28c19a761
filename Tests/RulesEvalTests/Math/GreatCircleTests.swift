import RulesEval
import Testing

@testable import RulesTesting

/// Distances between points of the globe.
@Suite struct GreatCircleTests {
  @Test func distancesAreTheEmulatorsToNineDigits() throws {
    for row in try ConformanceRow.all(of: "distances.tsv") {
      let distance = GreatCircle.distance(
        fromLatitude: try row.float(0), longitude: try row.float(1),
        toLatitude: try row.float(2), longitude: try row.float(3))
      let expected = try row.float(4)
      // Around the opposite point the formula itself keeps eight digits only.
      let tolerance = expected > 20_014_000 ? 1e-7 : 1e-9
      #expect((distance - expected).magnitude <= tolerance * expected, "\(row) but \(distance)")
    }
  }

  @Test func aPointIsNoDistanceFromItself() {
    #expect(
      GreatCircle.distance(fromLatitude: 52.5, longitude: 13.4, toLatitude: 52.5, longitude: 13.4)
        == 0)
  }

  @Test func aQuarterOfTheGlobeIsAQuarterOfItsCircumference() {
    let quarter = Double.pi / 2 * GreatCircle.earthRadius
    let toPole = GreatCircle.distance(
      fromLatitude: 0, longitude: 0, toLatitude: 90, longitude: 120)
    let along = GreatCircle.distance(fromLatitude: 0, longitude: -45, toLatitude: 0, longitude: 45)
    #expect((toPole - quarter).magnitude < 1e-8)
    #expect((along - quarter).magnitude < 1e-8)
  }
}
