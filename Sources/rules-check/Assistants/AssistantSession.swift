import RulesEval
import RulesHost

/// A server of the Model Context Protocol on standard input and output. Commands run on another thread, so
/// that the server answers `ping` and takes cancellations meanwhile.
struct AssistantSession {
  private let inbox: Inbox<CapturedRun>
  private let tool: Tool
  private var server: AssistantServer
  private var reader = LineReader()
  /// The start of the running call, and the seconds that were told of it.
  private var started: UInt64 = 0
  private var toldSeconds = 0

  /// Milliseconds between two looks at the time.
  private static let pause = 1000

  /// Prepares to read standard input. Throws if the system lacks the means.
  init(_ tool: Tool, folder: String) throws(FileProblem) {
    inbox = try Inbox()
    self.tool = tool
    server = AssistantServer(tool, folder: folder)
  }

  /// Runs until the input has ended and all calls are answered, or nobody reads the answers.
  mutating func run() {
    var isOver = false
    while true {
      start()
      if isOver, !server.isBusy || !Terminal.hasReader { return }
      let isTimed = isOver || server.wantsProgress
      for event in inbox.wait(milliseconds: isTimed ? Self.pause : nil, isReading: !isOver) {
        switch event {
        case .input(let bytes): reader.add(bytes)
        case .result(let run): server.finish(run)
        case .end:
          isOver = true
          // The last line may lack its end.
          reader.add([UInt8(ascii: "\n")])
        }
      }
      while let item = reader.next() {
        switch item {
        case .line(let bytes): server.receive(bytes)
        case .problem(let problem): server.refuse(problem)
        }
      }
      if server.isInterrupted { Interruption.request() }
      tellProgress()
      for message in server.takeOutgoing() {
        if !Terminal.send(Array((message.compact + "\n").utf8)) { return }
      }
    }
  }

  /// Starts the next call if none is running.
  private mutating func start() {
    guard let call = server.next() else { return }
    Interruption.withdraw()
    Confinement.forgetRefused()
    started = Clock.nanoseconds
    toldSeconds = 0
    inbox.start { [tool, commandLine = call.commandLine] in tool.capture(commandLine) }
  }

  private mutating func tellProgress() {
    let seconds = Int((Clock.nanoseconds - started) / 1_000_000_000)
    guard server.wantsProgress, seconds > toldSeconds else { return }
    toldSeconds = seconds
    server.tellProgress(seconds: seconds)
  }
}
