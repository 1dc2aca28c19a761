import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct ServerClockTests {
  @Test func timesGrowThoughTheHostsClockStepsBack() {
    var clock = ServerClock()
    let now = Fixture.time(7)
    #expect(clock.next(after: now) == now)
    #expect(clock.next(after: now) == Fixture.time(8))
    #expect(clock.next(after: Fixture.time(-5_000_000)) == Fixture.time(9))
    #expect(clock.next(after: Fixture.time(1_000_000)) == Fixture.time(1_000_000))
  }

  @Test func timesAreCutToTheMicrosecond() throws {
    var clock = ServerClock()
    let fine = try #require(Timestamp(epochSeconds: 1, nanos: 999_999_999))
    #expect(clock.next(after: fine).nanos == 999_999_000)
    #expect(clock.next(after: fine) == Timestamp(epochSeconds: 2))
    #expect(fine.requestTime.nanos == 999_000_000)
  }

  @Test func theLastTimeOfAllIsGivenAgain() {
    var clock = ServerClock()
    let last = clock.next(after: .latest)
    #expect(clock.next(after: .latest) >= last)
  }
}
