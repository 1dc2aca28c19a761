import RulesEval
import RulesHost

/// A language server on standard input and output, which does slow work on another thread, so that it can
/// always answer at once.
struct LanguageSession {
  private let inbox: Inbox<LanguageResult>
  private var server: LanguageServer
  private var reader = MessageReader()

  /// Milliseconds without input after which the user counts as not typing.
  private static let pause = 400

  /// Prepares to read standard input. Throws if the system lacks the means.
  init() throws(FileProblem) {
    inbox = try Inbox()
    server = LanguageServer(.system)
  }

  /// Runs until the client ends the session or disconnects. True if it was ended in order.
  mutating func run() -> Bool {
    var isIdle = false
    while true {
      if isIdle { server.rest() }
      if let work = server.queue.next(isIdle: isIdle) { start(work) }
      let events = inbox.wait(milliseconds: server.isWaiting ? Self.pause : nil)
      isIdle = events.isEmpty
      var isOver = false
      for event in events {
        switch event {
        case .input(let bytes): reader.add(bytes)
        case .result(let result): server.finish(result)
        case .end: isOver = true
        }
      }
      take()
      for message in server.takeOutgoing() {
        Terminal.print(MessageReader.framed(message.compact))
      }
      if case .ended(let isOrderly) = server.phase { return isOrderly }
      if isOver { return false }
    }
  }

  private func start(_ work: LanguageWork) {
    inbox.start { [inbox] in work.run { inbox.add($0) } }
  }

  /// Passes on the complete messages of the input.
  private mutating func take() {
    var messages: [[UInt8]] = []
    while let item = reader.next() {
      switch item {
      case .message(let bytes): messages.append(bytes)
      case .problem(let problem):
        server.receive(messages)
        messages = []
        server.refuse(problem)
      }
    }
    server.receive(messages)
    server.settle()
  }
}
