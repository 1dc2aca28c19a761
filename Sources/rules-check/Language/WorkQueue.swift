import RulesEval

/// The work of a language server, one item at a time: commands of the user first, and the rest only when the
/// user is not typing.
struct WorkQueue {
  /// The work that another thread is doing.
  private(set) var running: LanguageWork?
  private var commands: [LanguageWork] = []
  private var others: [LanguageWork] = []

  /// True if there is work for when the user is not typing.
  var isWaiting: Bool { running == nil && !others.isEmpty }

  /// Adds work. Waiting work for the same purpose is replaced, and running one is cancelled: it is about an
  /// outdated text.
  mutating func add(_ work: LanguageWork) {
    if case .command = work.purpose {
      commands.append(work)
      return
    }
    drop { $0.isSame(as: work.purpose) }
    others.append(work)
  }

  /// Cancels the background work about a file.
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

  /// Returns the next work, which then counts as running; nil if there is none, or if it can wait.
  mutating func next(isIdle: Bool) -> LanguageWork? {
    guard running == nil else {
      // Background work makes room for commands.
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

  /// Records that the running work has ended.
  mutating func finish() { running = nil }

  /// Cancels a command. True if it was waiting, so that it has no result; a running one ends by itself.
  mutating func cancel(_ request: JSON) -> Bool {
    if let running, running.isCommand(request) { running.cancellation.cancel() }
    let count = commands.count
    commands.removeAll { $0.isCommand(request) }
    return commands.count < count
  }

  /// Cancels all work, and returns the requests that will have no result.
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
  /// True if it is the command of a request.
  fileprivate func isCommand(_ request: JSON) -> Bool {
    if case .command(let own) = purpose { return own.identity == request.identity }
    return false
  }
}

extension LanguageWork.Purpose {
  /// True if both are about the same file, and neither is a command.
  fileprivate func isSame(as other: LanguageWork.Purpose) -> Bool {
    switch (self, other) {
    case (.tests(let one), .tests(let two)), (.proofs(let one), .proofs(let two)): one == two
    case (.command, _), (.tests, _), (.proofs, _): false
    }
  }
}
