#if os(Linux)
  import CEpoll

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A set of descriptors that Linux keeps between waits, so that a wait looks only at ready ones.
  final class EpollSet: DescriptorWaiting {
    private let descriptor: Int32
    /// A buffer with room for all descriptors, so that one wait returns all ready ones.
    private var events: [epoll_event] = []
    private var count = 0

    /// Creates an empty set; nil if the system gives none.
    init?() {
      descriptor = epoll_create1(CEpollCloseOnExec)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Adds a descriptor; returns false if the system has no room for it.
    func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
      guard control(EPOLL_CTL_ADD, descriptor, number, wanted) else { return false }
      count += 1
      if events.count < count { events.append(epoll_event()) }
      return true
    }

    /// Changes the events that a descriptor is waited for.
    func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
      _ = control(EPOLL_CTL_MOD, descriptor, number, wanted)
    }

    /// Removes a descriptor, which must still be open.
    func remove(_ descriptor: Int32) {
      if control(EPOLL_CTL_DEL, descriptor, 0, []) { count -= 1 }
    }

    /// Waits until a descriptor has events, and returns all of these; empty after the time, nil if the wait
    /// was interrupted.
    func wait(milliseconds: Int32) -> [ReadyDescriptor]? {
      // The system refuses to wait with an empty buffer.
      if events.isEmpty { events.append(epoll_event()) }
      let ready = epoll_wait(descriptor, &events, Int32(clamping: events.count), milliseconds)
      guard ready >= 0 else { return nil }
      return events.prefix(Int(ready)).map { event in
        ReadyDescriptor(
          number: Int(truncatingIfNeeded: event.data.u64), readiness: Self.readiness(event.events))
      }
    }

    private func control(
      _ operation: Int32, _ subject: Int32, _ number: Int, _ wanted: Readiness
    ) -> Bool {
      var event = epoll_event()
      if wanted.contains(.reading) { event.events |= CEpollReading }
      if wanted.contains(.writing) { event.events |= CEpollWriting }
      event.data.u64 = UInt64(truncatingIfNeeded: number)
      return epoll_ctl(descriptor, operation, subject, &event) == 0
    }

    private static func readiness(_ happened: UInt32) -> Readiness {
      var readiness: Readiness = []
      if happened & CEpollReading != 0 { readiness.insert(.reading) }
      if happened & CEpollWriting != 0 { readiness.insert(.writing) }
      if happened & CEpollFailing != 0 { readiness.insert(.failing) }
      return readiness
    }
  }
#endif
