#if os(Linux)
  import CEpoll

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Descriptors that Linux keeps between one waiting and the next, so that only ready ones are looked at.
  final class EpollSet: DescriptorWaiting {
    private let descriptor: Int32
    /// Room for every descriptor that is waited for, so that all ready ones are told at once.
    private var events: [epoll_event] = []
    private var count = 0

    /// Makes an empty set; nil if the system gives none.
    init?() {
      descriptor = epoll_create1(CEpollCloseOnExec)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Waits for a descriptor from now on; false if the system has no room for it.
    func add(_ descriptor: Int32, number: Int, for wanted: Readiness) -> Bool {
      guard control(EPOLL_CTL_ADD, descriptor, number, wanted) else { return false }
      count += 1
      if events.count < count { events.append(epoll_event()) }
      return true
    }

    /// Changes what is waited for on a descriptor.
    func change(_ descriptor: Int32, number: Int, to wanted: Readiness) {
      _ = control(EPOLL_CTL_MOD, descriptor, number, wanted)
    }

    /// Waits for a descriptor no longer; it is open still.
    func remove(_ descriptor: Int32) {
      if control(EPOLL_CTL_DEL, descriptor, 0, []) { count -= 1 }
    }

    /// Returns what is ready, once something is or the time is over; nil if that was interrupted.
    func wait(milliseconds: Int32) -> [ReadyDescriptor]? {
      // Without room nothing can be ready either, and the system refuses to wait.
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
