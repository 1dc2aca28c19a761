import RulesEval
import RulesHost
import RulesLang
import RulesReport
import RulesService

/// A language server (LSP 3.17) without its streams: it takes and returns messages, and hands out slow work
/// for another thread.
///
/// Only `exit` ends it; no other input does. Requests are answered in order, except for commands, which wait
/// for their work.
struct LanguageServer {
  /// The phase of the client's session.
  enum Phase: Equatable {
    /// Before `initialize`.
    case fresh
    /// After `initialize`.
    case running
    /// After `shutdown`.
    case stopping
    /// After `exit`; orderly if `shutdown` came before.
    case ended(isOrderly: Bool)
  }

  /// The phase of the session.
  private(set) var phase = Phase.fresh
  /// The abilities of the client.
  private(set) var client = ClientAbilities()
  /// The user's settings.
  private(set) var options = LanguageOptions()
  /// The open texts.
  var workspace: LanguageWorkspace
  /// The rules files whose suites are to be run when the user is not typing.
  var untested: Set<String> = []
  /// The messages to send.
  private var outgoing: [JSONText] = []
  /// The texts whose diagnostics are to be sent again.
  private var untold: [String] = []
  /// The work for another thread.
  var queue = WorkQueue()
  /// The server's own requests without an answer yet, with their subjects.
  private var asked: [Int: String] = [:]
  /// The number of the server's own requests so far.
  private(set) var requests = 0
  /// The lines of progress in the editor, by the path of the text that is being proved.
  var progress: [String: ProgressLine] = [:]
  /// The requests for lines of progress without an answer yet, with the paths.
  var awaited: [Int: String] = [:]
  /// The answers of proofs, by content.
  let shelf = ProofShelf.shared()

  /// Creates a server without a client.
  init(_ files: LanguageFiles) { workspace = LanguageWorkspace(files) }

  /// True if there is work for when the user is not typing.
  var isWaiting: Bool { queue.isWaiting || !untested.isEmpty }

  // MARK: Messages

  /// Handles messages that arrived together. A request that a later one cancels is not started.
  mutating func receive(_ messages: [[UInt8]]) {
    let calls = messages.map { RemoteCall($0) }
    var cancelled: Set<String> = []
    for case .notification("$/cancelRequest", let parameters) in calls {
      if let id = parameters.member("id") { cancelled.insert(id.identity) }
    }
    for call in calls {
      if case .ended = phase { return }
      switch call {
      case .wrong(let id, let error): send(RemoteCall.answer(id, error))
      case .notification(let method, let parameters): note(method, parameters)
      case .response(let id, let result): note(answer: result, to: id)
      case .request(let id, _, _) where cancelled.contains(id.identity):
        send(RemoteCall.answer(id, .cancelled))
      case .request(let id, let method, let parameters):
        do throws(CallError) {
          if let result = try answer(method, parameters, id) {
            send(RemoteCall.answer(id, result))
          }
        } catch {
          send(RemoteCall.answer(id, error))
        }
      }
    }
  }

  /// Reports to the client that its input is not a message.
  mutating func refuse(_ problem: String) {
    send(RemoteCall.answer(nil, .parse(problem)))
  }

  /// Removes and returns the messages to send, in order.
  mutating func takeOutgoing() -> [JSONText] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Queues a message.
  mutating func send(_ message: JSONText) { outgoing.append(message) }

  /// Sends a notification.
  mutating func notify(_ method: String, _ parameters: JSONText) {
    send(RemoteCall.notification(method, parameters))
  }

  /// Sends a request.
  mutating func ask(_ method: String, _ parameters: JSONText) {
    requests += 1
    asked[requests] = method
    send(RemoteCall.request(requests, method, parameters))
  }

  /// Writes a message to the client's log.
  mutating func log(_ message: String) {
    notify(
      "window/logMessage", .object([("type", .int(2)), ("message", .string(message))]))
  }

  // MARK: Requests

  /// Answers a request; nil if the answer follows later.
  private mutating func answer(
    _ method: String, _ parameters: JSON, _ id: JSON
  ) throws(CallError) -> JSONText? {
    switch (phase, method) {
    case (.fresh, "initialize"): return initialize(parameters)
    case (.fresh, _): throw .notInitialized
    case (.running, "initialize"): throw .invalid("`initialize` comes once")
    case (.running, "shutdown"):
      phase = .stopping
      for id in queue.cancelAll() { send(RemoteCall.answer(id, .cancelled)) }
      return .null
    case (.running, "workspace/symbol"): return symbols(parameters)
    case (.running, "workspace/executeCommand"):
      try execute(parameters, id)
      return nil
    case (.running, "textDocument/rename"): return try rename(parameters)
    case (.running, _): return try answer(method, parameters)
    case (.stopping, _), (.ended, _): throw .invalid("the server was shut down")
    }
  }

  /// Returns the text that some parameters name.
  func text(_ parameters: JSON) throws(CallError) -> OpenDocument {
    guard let uri = parameters.at(["textDocument", "uri"])?.plainText else {
      throw .parameters("\"textDocument\" has a \"uri\"")
    }
    guard let document = workspace.documents[uri] else {
      throw .parameters("\(uri) is not open")
    }
    return document
  }

  /// Returns the answers about rules.
  mutating func rulesAnswers(_ document: OpenDocument) -> RulesAnswers {
    RulesAnswers(
      document: document.text, analysis: workspace.analysis(of: document.text.source),
      client: client)
  }

  /// Returns the answers about a suite.
  mutating func suiteAnswers(_ document: OpenDocument) -> SuiteAnswers {
    SuiteAnswers(
      document: document.text, analysis: workspace.suite(document.text.source), client: client)
  }

  /// Answers a request about one text.
  private mutating func answer(
    _ method: String, _ parameters: JSON
  ) throws(CallError) -> JSONText {
    guard let question = TextQuestion(rawValue: method) else { throw .unknown(method) }
    let document = try text(parameters)
    // The mouse is not where the user writes.
    if question != .hover { document.noteFocus(parameters) }
    switch document.kind {
    case .other: return .null
    case .suite: return try suiteAnswers(document).answer(question, parameters)
    case .rules:
      return try rulesAnswers(document).answer(
        question, parameters, asksForReasons: options.asksForReasons)
    }
  }

  private mutating func initialize(_ parameters: JSON) -> JSONText {
    phase = .running
    client = ClientAbilities(parameters)
    workspace.encoding = client.encoding
    if let settings = parameters.member("initializationOptions") { options.read(settings) }
    var folders =
      parameters.member("workspaceFolders")?.list.compactMap {
        $0.member("uri")?.plainText
      } ?? []
    if folders.isEmpty { folders = [parameters.member("rootUri")?.plainText].compactMap { $0 } }
    for folder in folders { workspace.add(folder: FileURI.path(of: folder)) }
    return ServerAbilities.json(encoding: client.encoding)
  }

  private mutating func rename(_ parameters: JSON) throws(CallError) -> JSONText {
    let document = try text(parameters)
    guard document.kind == .rules else { throw .failed("names of suites cannot be changed") }
    guard let name = parameters.member("newName")?.plainText else {
      throw .parameters("\"newName\" is the new name")
    }
    let answers = rulesAnswers(document)
    let offset = try LanguageCoder(document: document.text).offset(parameters)
    var changes: [(TextDocument, [TextEdit])] = []
    do throws(RenameRefusal) {
      changes.append((document.text, try answers.analysis.rename(at: offset, to: name)))
    } catch {
      throw .failed(error.reason)
    }
    // The conditions of claims call functions of the rules, too.
    if let function = answers.analysis.functionName(at: offset) {
      for (path, suite) in workspace.suites(of: document.path) {
        let edits = suite.rename(function: function, to: name)
        if !edits.isEmpty, let text = workspace.text(at: path) { changes.append((text, edits)) }
      }
    }
    return LanguageCoder.workspaceEdit(changes.filter { !$0.1.isEmpty }, for: client)
  }

  /// Maximum symbols in one answer.
  private static let greatestSymbols = 1000

  private mutating func symbols(_ parameters: JSON) -> JSONText {
    let query = parameters.member("query")?.plainText ?? ""
    var found: [JSONText] = []
    for path in workspace.rulesFiles() where found.count < Self.greatestSymbols {
      guard let text = workspace.text(at: path) else { continue }
      let coder = OutlineCoder(document: text, isNested: false)
      let items = OutlineReader.items(of: text.source)
      found += coder.flat(items, in: FilePath.name(of: path), matching: query)
    }
    return .array(Array(found.prefix(Self.greatestSymbols)))
  }

  // MARK: Notifications

  private mutating func note(_ method: String, _ parameters: JSON) {
    if method == "exit" {
      _ = queue.cancelAll()
      phase = .ended(isOrderly: phase == .stopping)
      return
    }
    guard phase == .running else { return }
    switch method {
    case "initialized": greet()
    case "$/cancelRequest": cancel(parameters.member("id"))
    case "textDocument/didOpen": open(parameters)
    case "textDocument/didChange": change(parameters)
    case "textDocument/didSave": saved(parameters)
    case "textDocument/didClose": close(parameters)
    case "workspace/didChangeConfiguration":
      if let settings = parameters.member("settings") { options.read(settings) }
      if client.hasConfiguration { askForConfiguration() }
      tellAll()
    case "workspace/didChangeWorkspaceFolders":
      for folder in parameters.at(["event", "removed"])?.list ?? [] {
        workspace.remove(folder: FileURI.path(of: folder.member("uri")?.plainText ?? ""))
      }
      for folder in parameters.at(["event", "added"])?.list ?? [] {
        workspace.add(folder: FileURI.path(of: folder.member("uri")?.plainText ?? ""))
      }
      tellAll()
    case "workspace/didChangeWatchedFiles":
      let changed = parameters.member("changes")?.list.compactMap { $0.member("uri")?.plainText }
      workspace.filesChanged((changed ?? []).map { FileURI.path(of: $0) })
      for document in workspace.documents.values where document.kind == .rules {
        planTests(of: document.path)
      }
      tellAll()
    default:
      // Methods that begin with a dollar sign, and notifications, may be ignored.
      break
    }
  }

  /// Requests notifications and settings that the client does not send unasked.
  private mutating func greet() {
    if client.watchesFiles {
      let watchers = [
        "**/*.rules", "**/*\(SuiteSearch.suffix)", "**/\(Configuration.fileName)",
        "**/\(FirebaseProject.fileName)",
      ].map {
        JSONText.object([("globPattern", .string($0))])
      }
      let registration = JSONText.object([
        ("id", .string("rules-check.files")),
        ("method", .string("workspace/didChangeWatchedFiles")),
        ("registerOptions", .object([("watchers", .array(watchers))])),
      ])
      ask("client/registerCapability", .object([("registrations", .array([registration]))]))
    }
    if client.hasConfiguration { askForConfiguration() }
  }

  private mutating func askForConfiguration() {
    let item = JSONText.object([("section", .string("rules-check"))])
    ask("workspace/configuration", .object([("items", .array([item]))]))
  }

  private mutating func note(answer: JSON?, to id: Int?) {
    guard let id, let method = asked.removeValue(forKey: id) else { return }
    showProgress(answer != nil, to: id)
    guard method == "workspace/configuration", let settings = answer?.list.first else { return }
    let before = options
    options.read(settings)
    if options != before { tellAll() }
  }

  private mutating func cancel(_ id: JSON?) {
    guard let id, queue.cancel(id) else { return }
    send(RemoteCall.answer(id, .cancelled))
  }

  // MARK: Texts

  private mutating func open(_ parameters: JSON) {
    guard let item = parameters.member("textDocument"), let uri = item.member("uri")?.plainText,
      case .string(let text)? = item.member("text")?.kind
    else { return log("didOpen without a \"uri\" or a \"text\"") }
    let path = FileURI.path(of: uri)
    let kind = LanguageKind(path: path, language: item.member("languageId")?.plainText ?? "")
    workspace.open(
      OpenDocument(
        text: TextDocument(
          uri: uri, name: path, version: item.member("version")?.plainInt,
          text: Text(decoding: text.bytes), encoding: client.encoding),
        kind: kind, path: path))
    tell(uri)
  }

  private mutating func change(_ parameters: JSON) {
    let uri = parameters.at(["textDocument", "uri"])?.plainText ?? ""
    guard let document = workspace.documents[uri] else {
      return log("didChange of \(uri), which is not open")
    }
    let version = parameters.at(["textDocument", "version"])?.plainInt
    var changes: [TextChange] = []
    for change in parameters.member("contentChanges")?.list ?? [] {
      guard case .string(let text)? = change.member("text")?.kind else {
        return log("didChange of \(uri) without a \"text\"")
      }
      var range: Range<TextPosition>?
      if let place = change.member("range"), place.kindName != "null" {
        guard let read = try? LanguageCoder.range(place) else {
          return log("didChange of \(uri) with something that is not a range")
        }
        range = read
      }
      changes.append(TextChange(replacing: range, with: Text(decoding: text.bytes)))
    }
    // Edits of a text that is older than this one would hit the wrong places.
    if let known = document.text.version, let version, version <= known,
      changes.contains(where: { $0.range != nil })
    {
      return log("didChange of \(uri) from version \(version), which is not after \(known)")
    }
    _ = workspace.change(uri, changes, version: version)
    if let place = changes.last(where: { $0.range != nil })?.range?.lowerBound {
      workspace.documents[uri]?.noteFocus(place)
    }
    tell(uri)
  }

  private mutating func saved(_ parameters: JSON) {
    guard let uri = parameters.at(["textDocument", "uri"])?.plainText,
      let document = workspace.documents[uri]
    else { return }
    if document.kind == .other { workspace.filesChanged([document.path]) }
    document.kind == .other ? tellAll() : tell(uri)
  }

  private mutating func close(_ parameters: JSON) {
    guard let uri = parameters.at(["textDocument", "uri"])?.plainText,
      workspace.close(uri) != nil
    else { return log("didClose of what is not open") }
    untold.removeAll { $0 == uri }
    notify(
      "textDocument/publishDiagnostics",
      .object([("uri", .string(uri)), ("diagnostics", .array([]))]))
  }

  // MARK: Diagnostics

  private mutating func tell(_ uri: String) {
    untold.removeAll { $0 == uri }
    untold.append(uri)
  }

  private mutating func tellAll() { untold = workspace.documents.keys.sorted() }

  /// Sends the diagnostics of changed texts; to be called when no more messages have arrived.
  mutating func settle() {
    guard phase == .running else {
      untold = []
      return
    }
    for uri in untold {
      guard let document = workspace.documents[uri] else { continue }
      switch document.kind {
      case .other: continue
      case .rules:
        let analysis = workspace.analysis(of: document.text.source)
        publish(analysis.allDiagnostics, of: document)
        plan(document, analysis)
      case .suite:
        publish(suiteAnswers(document).diagnostics, of: document)
        planTests(of: document)
      }
    }
    untold = []
  }

  /// Sends the diagnostics of a text.
  mutating func publish(_ diagnostics: [Diagnostic], of document: OpenDocument) {
    let coder = DiagnosticCoder(document: document.text, client: client)
    var members: [(String, JSONText)] = [("uri", .string(document.text.uri))]
    if let version = document.text.version { members.append(("version", .int(version))) }
    members.append(("diagnostics", coder.list(diagnostics)))
    notify("textDocument/publishDiagnostics", .object(members))
  }
}
