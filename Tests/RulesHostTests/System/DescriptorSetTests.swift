import RulesEval
import Testing

@testable import RulesHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sets of descriptors that are waited for.
@Suite struct DescriptorSetTests {
  /// Pairs of connected sockets: the first of each is waited for, the second is its other side.
  private final class Pairs {
    private(set) var pairs: [[Int32]] = []

    init(_ count: Int) {
      for _ in 0..<count {
        var ends: [Int32] = [0, 0]
        #if canImport(Glibc)
          let kind = Int32(SOCK_STREAM.rawValue)
        #else
          let kind = SOCK_STREAM
        #endif
        #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        pairs.append(ends)
      }
    }

    deinit { for end in pairs.joined() where end >= 0 { close(end) } }

    /// Sends a byte to the first of a pair, takes what came there, or closes its other side.
    func disturb(_ place: Int, _ dice: inout Dice) {
      var byte: UInt8 = 1
      switch dice.roll(8) {
      case 0 where pairs[place][1] >= 0:
        // Programs that other tests start have copies of the descriptor for a moment, so that closing alone
        // would show between two waits.
        shutdown(pairs[place][1], Int32(SHUT_RDWR))
        close(pairs[place][1])
        pairs[place][1] = -1
      case 1...4 where pairs[place][1] >= 0: _ = write(pairs[place][1], &byte, 1)
      default: _ = recv(pairs[place][0], &byte, 1, Int32(MSG_DONTWAIT))
      }
    }
  }

  /// `poll` looks at every descriptor anew; what the system keeps in between is the same set.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func whateverIsWaitedForTheSameDescriptorsAreReady(seed: UInt64) {
    var dice = Dice(seed: seed, 1)
    let pairs = Pairs(12)
    var (fast, plain) = (DescriptorSet(), PollSet())
    var waitedFor: Set<Int> = []
    var told = 0
    for _ in 0..<400 {
      let place = dice.roll(pairs.pairs.count)
      let descriptor = pairs.pairs[place][0]
      let wanted = Readiness(rawValue: UInt8(dice.roll(4)))
      switch dice.roll(4) {
      case 0 where waitedFor.contains(place):
        fast.remove(descriptor)
        plain.remove(descriptor)
        waitedFor.remove(place)
      case 1 where waitedFor.contains(place):
        fast.change(descriptor, number: place, to: wanted)
        plain.change(descriptor, number: place, to: wanted)
      case 0, 1:
        let isAdded = fast.add(descriptor, number: place, for: wanted)
        let isPlainlyAdded = plain.add(descriptor, number: place, for: wanted)
        #expect(isAdded && isPlainlyAdded)
        waitedFor.insert(place)
      default: pairs.disturb(place, &dice)
      }
      let expected = plain.wait(milliseconds: 0) ?? []
      let found = fast.wait(milliseconds: 0) ?? []
      #expect(found.count == expected.count && Set(found) == Set(expected))
      told += expected.count
    }
    #expect(told > 400)
  }

  @Test func anEmptySetWaitsAndTellsOfNothing() {
    var (fast, plain) = (DescriptorSet(), PollSet())
    let (found, expected) = (fast.wait(milliseconds: 0), plain.wait(milliseconds: 0))
    #expect(found == [] && expected == [])
  }

  #if os(Linux)
    @Test func aClosedDescriptorCannotBeWaitedFor() {
      var set = DescriptorSet()
      let isAdded = set.add(-1, number: 1, for: .reading)
      let found = set.wait(milliseconds: 0)
      #expect(!isAdded && found == [])
    }
  #endif
}
