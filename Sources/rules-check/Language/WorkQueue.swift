import RulesEval

/// The works of a language server in the order in which they are to be done, one at a time: what somebody has
/// asked for first, and the rest only when nobody types.
struct WorkQueue {
  /// What another thread is at.
  private(set) var running: LanguageWork?
  private var commands: [LanguageWork] = []
  private var others: [LanguageWork] = []

  /// Whether something waits that is done when nobody types.
  var isWaiting: Bool { running == nil && !others.isEmpty }

  /// Adds a work. One of the same purpose that waits is replaced, and ended if it is running: it is about a
  /// text that is no more.
  mutating func add(_ work: LanguageWork) {
    if case .command = work.purpose {
      commands.append(work)
      return
    }
    drop { $0.isSame(as: work.purpose) }
    others.append(work)
  }

  /// Ends what is done in the background about a file.
  mutating func dropAll(about path: String) {
    drop { purpose in
      switch purpose {
      case .command: false
      case .tests(let other), .proofs(let other): other == path
      }
    }
  }

  private mutating func drop(_ isObsolete: (LanguageWork.Purpose) -> Bool) {
    others.removeAll { isObsolete($0.purpose) }
    if let running, isObsolete(running.purpose) { running.cancellation.cancel() }
  }

  /// The next work, which is then running; nil if there is none, or if it can wait.
  mutating func next(isIdle: Bool) -> LanguageWork? {
    guard running == nil else {
      // What nobody has asked for makes room.
      if !commands.isEmpty, case .proofs? = running?.purpose { postpone() }
      return nil
    }
    if !commands.isEmpty {
      running = commands.removeFirst()
    } else if isIdle, !others.isEmpty {
      let tests = others.firstIndex { work in
        if case .tests = work.purpose { return true }
        return false
      }
      running = others.remove(at: tests ?? 0)
    }
    return running
  }

  private mutating func postpone() {
    guard let work = running, !work.cancellation.isCancelled else { return }
    work.cancellation.cancel()
    others.append(work.again())
  }

  /// Notes that the running work has ended.
  mutating func finish() { running = nil }

  /// Takes back a command; whether it was waiting, so that nothing will come of it. One that is running ends
  /// by itself.
  mutating func cancel(_ request: JSON) -> Bool {
    if let running, running.isCommand(request) { running.cancellation.cancel() }
    let count = commands.count
    commands.removeAll { $0.isCommand(request) }
    return commands.count < count
  }

  /// Takes back everything; the requests of which nothing will come.
  mutating func cancelAll() -> [JSON] {
    running?.cancellation.cancel()
    defer { (commands, others) = ([], []) }
    return commands.compactMap { work in
      if case .command(let request) = work.purpose { return request }
      return nil
    }
  }
}

extension LanguageWork {
  /// Whether it is what a request has asked for.
  fileprivate func isCommand(_ request: JSON) -> Bool {
    if case .command(let own) = purpose { return own.identity == request.identity }
    return false
  }
}

extension LanguageWork.Purpose {
  /// Whether it is about the same file, and nobody has asked for it.
  fileprivate func isSame(as other: LanguageWork.Purpose) -> Bool {
    switch (self, other) {
    case (.tests(let one), .tests(let two)), (.proofs(let one), .proofs(let two)): one == two
    case (.command, _), (.tests, _), (.proofs, _): false
    }
  }
}
