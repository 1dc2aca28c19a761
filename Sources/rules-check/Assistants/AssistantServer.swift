import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// A server of the Model Context Protocol without its streams: it takes lines and returns messages, and hands
/// out the commands to run, one at a time.
///
/// No input ends it. A request without a result yet is answered by `finish`.
struct AssistantServer {
  /// The versions of the protocol, the latest last.
  static let versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  /// The only version with several messages in one.
  private static let batchVersion = "2025-03-26"
  /// The first version in which results have structured content.
  private static let structuredVersion = "2025-06-18"
  /// Maximum calls that wait. Real clients wait for answers.
  private static let maximumWaiting = 1000

  /// A call of a tool.
  struct Call {
    /// The ID of the request.
    fileprivate var id: JSON
    /// The name of the tool.
    fileprivate var tool: String
    /// The arguments after the program's name.
    var commandLine: [String]
    /// The client's token for notifications of progress; nil if it wants none.
    fileprivate var progressToken: JSON?
    /// The batch that the request came in; nil if it came alone.
    fileprivate var batch: Int?
    /// True if the client no longer wants the result.
    fileprivate(set) var isCancelled = false
  }

  /// The requests of one message, whose answers are sent together.
  private struct Batch {
    var open = 1
    var answers: [JSONText] = []
  }

  /// The agreed version; nil before `initialize`.
  private(set) var version: String?
  /// The call that is running.
  private(set) var running: Call?
  private var waiting: [Call] = []
  private var outgoing: [JSONText] = []
  private var batches: [Int: Batch] = [:]
  private var lastBatch = 0
  private let tools: [AssistantTool]
  private let folder: String

  /// Creates a server of a program's tools; `folder` is the one that they read.
  init(_ tool: Tool, folder: String) {
    tools = AssistantTool.all(of: tool)
    self.folder = folder
  }

  /// True if a call runs or waits.
  var isBusy: Bool { running != nil || !waiting.isEmpty }

  /// True if the result of the running call is no longer wanted.
  var isInterrupted: Bool { running?.isCancelled ?? false }

  /// True if the client wants to know how the running call comes along.
  var wantsProgress: Bool { running.map { $0.progressToken != nil && !$0.isCancelled } ?? false }

  // MARK: Messages

  /// Handles a line.
  mutating func receive(_ line: [UInt8]) {
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(SourceText(name: "", bytes: line))
    } catch {
      return refuse(error.message)
    }
    guard case .array(let messages) = json.kind else { return handle(RemoteCall(json), in: nil) }
    guard version == Self.batchVersion, !messages.isEmpty else {
      let problem = "a message is an object; lists of them are of version \(Self.batchVersion)"
      return send(RemoteCall.answer(nil, .invalid(problem)))
    }
    lastBatch += 1
    let batch = lastBatch
    batches[batch] = Batch()
    for message in messages {
      batches[batch]?.open += 1
      handle(RemoteCall(message), in: batch)
    }
    close(nil, batch)
  }

  /// Reports to the client that its input is not a message.
  mutating func refuse(_ problem: String) { send(RemoteCall.answer(nil, .parse(problem))) }

  /// Removes and returns the messages to send, in order.
  mutating func takeOutgoing() -> [JSONText] {
    defer { outgoing = [] }
    return outgoing
  }

  private mutating func send(_ message: JSONText) { outgoing.append(message) }

  /// Sends the answer to a message, with those of its batch if it is in one; nil if it needs no answer.
  private mutating func close(_ answer: JSONText?, _ number: Int?) {
    guard let number, var batch = batches[number] else {
      if let answer { send(answer) }
      return
    }
    batch.open -= 1
    if let answer { batch.answers.append(answer) }
    batches[number] = batch.open > 0 ? batch : nil
    if batch.open == 0, !batch.answers.isEmpty { send(.array(batch.answers)) }
  }

  private mutating func handle(_ call: RemoteCall, in batch: Int?) {
    switch call {
    case .wrong(let id, let error): close(RemoteCall.answer(id, error), batch)
    case .response: close(nil, batch)
    case .notification(let method, let parameters):
      if method == "notifications/cancelled", let id = parameters.member("requestId") {
        cancel(id)
      }
      close(nil, batch)
    case .request(let id, let method, let parameters):
      do throws(CallError) {
        // A call of a tool is answered later.
        guard let result = try answer(id, method, parameters, in: batch) else { return }
        close(RemoteCall.answer(id, result), batch)
      } catch {
        close(RemoteCall.answer(id, error), batch)
      }
    }
  }

  // MARK: Requests

  /// Returns the result of a request; nil if it follows later.
  private mutating func answer(
    _ id: JSON, _ method: String, _ parameters: JSON, in batch: Int?
  ) throws(CallError) -> JSONText? {
    guard ["initialize", "ping", "tools/list", "tools/call"].contains(method) else {
      throw .unknown(method)
    }
    guard case .object = parameters.kind else {
      throw .parameters("\"params\" is an object, this is \(parameters.kindName)")
    }
    switch (method, version) {
    case ("ping", _): return .object([])
    case ("initialize", nil):
      if batch != nil { throw .invalid("`initialize` comes alone") }
      return try initialize(parameters)
    case ("initialize", _): throw .invalid("`initialize` comes once")
    case (_, nil): throw .invalid("`initialize` comes first")
    case ("tools/list", _):
      if parameters.member("cursor") != nil { throw .parameters("all tools are on one page") }
      return .object([("tools", .array(tools.map(\.json)))])
    default: return try call(id, parameters, in: batch)
    }
  }

  private mutating func initialize(_ parameters: JSON) throws(CallError) -> JSONText {
    guard let wanted = parameters.member("protocolVersion")?.plainText else {
      throw .parameters("\"protocolVersion\" is a string")
    }
    let agreed = Self.versions.contains(wanted) ? wanted : Self.versions[Self.versions.count - 1]
    version = agreed
    return .object([
      ("protocolVersion", .string(agreed)),
      ("capabilities", .object([("tools", .object([]))])),
      (
        "serverInfo",
        .object([("name", .string(Product.name)), ("version", .string(Product.version))])
      ),
      ("instructions", .string(instructions)),
    ])
  }

  private var instructions: String {
    """
    Tools for Firestore security rules. They read files in \(folder) and below, to which paths are \
    relative, and write none. Write tests into NAME.suite.json (explain suites) and claims about all \
    requests (explain claims), then check, test, prove and audit. Every answer ends with the exit code: \
    0 alone means that everything holds; 4 means undecided, which is not a success.
    """
  }

  private mutating func call(
    _ id: JSON, _ parameters: JSON, in batch: Int?
  ) throws(CallError) -> JSONText? {
    guard let name = parameters.member("name")?.plainText else {
      throw .parameters("\"name\" is a string: the name of a tool")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw .parameters("there is no tool `\(name)`")
    }
    let arguments = parameters.member("arguments") ?? JSON(.object([]))
    guard case .object = arguments.kind else {
      throw .parameters("\"arguments\" is an object, this is \(arguments.kindName)")
    }
    guard waiting.count < Self.maximumWaiting else {
      throw CallError(code: -32000, message: "more than \(Self.maximumWaiting) calls wait")
    }
    if (waiting + [running].compactMap { $0 }).contains(where: { $0.id.identity == id.identity }) {
      throw .invalid("the ID is that of a request without an answer")
    }
    do throws(UsageProblem) {
      waiting.append(
        Call(
          id: id, tool: name, commandLine: try tool.commandLine(arguments),
          progressToken: Self.token(parameters), batch: batch))
      return nil
    } catch {
      return AssistantAnswer(error, to: name).json(isStructured: false)
    }
  }

  /// Returns the token for progress, which is a string or an integer.
  private static func token(_ parameters: JSON) -> JSON? {
    let token = parameters.at(["_meta", "progressToken"])
    return token?.plainText != nil || token?.plainInt != nil ? token : nil
  }

  // MARK: Calls

  /// Returns the next call to run, which then counts as running; nil if there is none, or one is running.
  mutating func next() -> Call? {
    guard running == nil, !waiting.isEmpty else { return nil }
    running = waiting.removeFirst()
    return running
  }

  /// Cancels a request, which gets no answer. One that runs counts as running until it has ended.
  private mutating func cancel(_ id: JSON) {
    if running?.id.identity == id.identity {
      running?.isCancelled = true
    } else if let place = waiting.firstIndex(where: { $0.id.identity == id.identity }) {
      close(nil, waiting.remove(at: place).batch)
    }
  }

  /// Answers the running call.
  mutating func finish(_ run: CapturedRun) {
    guard let call = running else { return }
    running = nil
    if call.isCancelled { return close(nil, call.batch) }
    let isStructured = version.map { $0 >= Self.structuredVersion } ?? false
    let answer = AssistantAnswer(run, of: call.tool, to: call.commandLine)
    close(RemoteCall.answer(call.id, answer.json(isStructured: isStructured)), call.batch)
  }

  /// Notifies the client for how many seconds its call has been running.
  mutating func tellProgress(seconds: Int) {
    guard let call = running, let token = call.progressToken, !call.isCancelled else { return }
    send(
      RemoteCall.notification(
        "notifications/progress",
        .object([
          ("progressToken", JSONText(token)), ("progress", .int(seconds)),
          ("message", .string("\(call.tool) has been running for \(seconds) s")),
        ])))
  }
}
