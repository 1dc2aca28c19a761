/// The events of a descriptor: those that occurred, or those that are waited for.
struct Readiness: OptionSet, Hashable {
  /// The bits.
  let rawValue: UInt8

  /// Bytes, a connection or the end of input can be read.
  static let reading = Readiness(rawValue: 1)
  /// Bytes can be sent.
  static let writing = Readiness(rawValue: 2)
  /// The descriptor is broken, or its peer has hung up. Reported for every descriptor.
  static let failing = Readiness(rawValue: 4)
}

/// A descriptor with events.
struct ReadyDescriptor: Hashable {
  /// The number that its owner gave it.
  var number: Int
  /// The events.
  var readiness: Readiness
}

/// A set of descriptors that are waited for together, each under a number of its owner.
protocol DescriptorWaiting {
  /// Adds a descriptor; returns false if the system has no room for it.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool
  /// Changes the events that a descriptor is waited for.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness)
  /// Removes a descriptor, which must still be open.
  mutating func remove(_ descriptor: Int32)
  /// Waits until a descriptor has events, and returns all of these; empty after the time, nil if the wait was
  /// interrupted. A negative time is unlimited.
  mutating func wait(milliseconds: Int32) -> [ReadyDescriptor]?
}

/// The most efficient set of the system: one whose waits cost only what is ready, if there is one.
struct DescriptorSet: DescriptorWaiting {
  #if os(Linux)
    private let epoll = EpollSet()
  #endif
  private var poll = PollSet()

  /// Adds a descriptor; returns false if the system has no room for it.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
    #if os(Linux)
      if let epoll { return epoll.add(descriptor, number: number, for: wanted) }
    #endif
    return poll.add(descriptor, number: number, for: wanted)
  }

  /// Changes the events that a descriptor is waited for.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
    #if os(Linux)
      if let epoll { return epoll.change(descriptor, number: number, to: wanted) }
    #endif
    poll.change(descriptor, number: number, to: wanted)
  }

  /// Removes a descriptor, which must still be open.
  mutating func remove(_ descriptor: Int32) {
    #if os(Linux)
      if let epoll { return epoll.remove(descriptor) }
    #endif
    poll.remove(descriptor)
  }

  /// Waits until a descriptor has events, and returns all of these; empty after the time, nil if the wait was
  /// interrupted.
  mutating func wait(milliseconds: Int32) -> [ReadyDescriptor]? {
    #if os(Linux)
      if let epoll { return epoll.wait(milliseconds: milliseconds) }
    #endif
    return poll.wait(milliseconds: milliseconds)
  }
}
