#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A set of descriptors for `poll`, which every system has; each wait looks at all of them.
struct PollSet: DescriptorWaiting {
  private var waits: [pollfd] = []
  /// The numbers of the descriptors, in the order of `waits`.
  private var numbers: [Int] = []
  /// The indices of the descriptors in `waits`.
  private var places: [Int32: Int] = [:]

  /// Adds a descriptor; always returns true.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
    places[descriptor] = waits.count
    waits.append(pollfd(fd: descriptor, events: Self.events(wanted), revents: 0))
    numbers.append(number)
    return true
  }

  /// Changes the events that a descriptor is waited for.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
    guard let place = places[descriptor] else { return }
    waits[place].events = Self.events(wanted)
  }

  /// Removes a descriptor.
  mutating func remove(_ descriptor: Int32) {
    guard let place = places.removeValue(forKey: descriptor) else { return }
    waits.swapAt(place, waits.count - 1)
    numbers.swapAt(place, numbers.count - 1)
    waits.removeLast()
    numbers.removeLast()
    if place < waits.count { places[waits[place].fd] = place }
  }

  /// Waits until a descriptor has events, and returns all of these; empty after the time, nil if the wait was
  /// interrupted.
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
