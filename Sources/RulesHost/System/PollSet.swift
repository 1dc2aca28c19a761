#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Descriptors that `poll` waits for, which every system has: each waiting looks at all of them.
struct PollSet: DescriptorWaiting {
  private var waits: [pollfd] = []
  /// The numbers of the descriptors, in the order of `waits`.
  private var numbers: [Int] = []
  /// The places of the descriptors in `waits`.
  private var places: [Int32: Int] = [:]

  /// Waits for a descriptor from now on; false if the system has no room for it.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
    places[descriptor] = waits.count
    waits.append(pollfd(fd: descriptor, events: Self.events(wanted), revents: 0))
    numbers.append(number)
    return true
  }

  /// Changes what is waited for on a descriptor.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
    guard let place = places[descriptor] else { return }
    waits[place].events = Self.events(wanted)
  }

  /// Waits for a descriptor no longer; it is open still.
  mutating func remove(_ descriptor: Int32) {
    guard let place = places.removeValue(forKey: descriptor) else { return }
    waits.swapAt(place, waits.count - 1)
    numbers.swapAt(place, numbers.count - 1)
    waits.removeLast()
    numbers.removeLast()
    if place < waits.count { places[waits[place].fd] = place }
  }

  /// Returns what is ready, once something is or the time is over; nil if that was interrupted.
  mutating func wait(milliseconds: Int32) -> [ReadyDescriptor]? {
    guard poll(&waits, nfds_t(waits.count), milliseconds) >= 0 else { return nil }
    return waits.indices.filter { waits[$0].revents != 0 }.map { place in
      ReadyDescriptor(number: numbers[place], readiness: Self.readiness(waits[place].revents))
    }
  }

  private static func events(_ wanted: Readiness) -> Int16 {
    Int16(wanted.contains(.reading) ? POLLIN : 0) | Int16(wanted.contains(.writing) ? POLLOUT : 0)
  }

  private static func readiness(_ events: Int16) -> Readiness {
    let happened = Int32(events)
    var readiness: Readiness = []
    if happened & Int32(POLLIN) != 0 { readiness.insert(.reading) }
    if happened & Int32(POLLOUT) != 0 { readiness.insert(.writing) }
    if happened & Int32(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.failing) }
    return readiness
  }
}
