/// The events of a descriptor: those that have come, or those that are waited for.
struct Readiness: OptionSet, Hashable {
  /// The bits.
  let rawValue: UInt8

  /// Bytes, a connection or the end can be read.
  static let reading = Readiness(rawValue: 1)
  /// Bytes can be sent.
  static let writing = Readiness(rawValue: 2)
  /// The descriptor is broken, or its other side is gone. Told of every descriptor, whatever is waited for.
  static let failing = Readiness(rawValue: 4)
}

/// A descriptor on which something can be done.
struct ReadyDescriptor: Hashable {
  /// The number that its owner gave it.
  var number: Int
  /// The events that have come.
  var readiness: Readiness
}

/// Descriptors that are waited for together, each under a number of its owner.
protocol DescriptorWaiting {
  /// Waits for a descriptor from now on; false if the system has no room for it.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool
  /// Changes the events that are waited for on a descriptor.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness)
  /// Waits for a descriptor no longer. It has to be open still.
  mutating func remove(_ descriptor: Int32)
  /// Returns all descriptors on which something can be done, once there is one or the time is over; nil if
  /// the waiting was interrupted. A negative time has no end.
  mutating func wait(milliseconds: Int32) -> [ReadyDescriptor]?
}

/// The set that the system serves best: one whose waiting costs what is ready, and not what is waited for,
/// where there is one.
struct DescriptorSet: DescriptorWaiting {
  #if os(Linux)
    private let epoll = EpollSet()
  #endif
  private var poll = PollSet()

  /// Waits for a descriptor from now on; false if the system has no room for it.
  mutating func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
    #if os(Linux)
      if let epoll { return epoll.add(descriptor, number: number, for: wanted) }
    #endif
    return poll.add(descriptor, number: number, for: wanted)
  }

  /// Changes the events that are waited for on a descriptor.
  mutating func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
    #if os(Linux)
      if let epoll { return epoll.change(descriptor, number: number, to: wanted) }
    #endif
    poll.change(descriptor, number: number, to: wanted)
  }

  /// Waits for a descriptor no longer; it is open still.
  mutating func remove(_ descriptor: Int32) {
    #if os(Linux)
      if let epoll { return epoll.remove(descriptor) }
    #endif
    poll.remove(descriptor)
  }

  /// Returns what is ready, once something is or the time is over; nil if that was interrupted.
  mutating func wait(milliseconds: Int32) -> [ReadyDescriptor]? {
    #if os(Linux)
      if let epoll { return epoll.wait(milliseconds: milliseconds) }
    #endif
    return poll.wait(milliseconds: milliseconds)
  }
}
