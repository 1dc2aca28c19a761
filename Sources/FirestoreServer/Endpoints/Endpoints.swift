import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// The result of routing an HTTP/1.1 request.
enum EndpointAnswer {
  /// A response.
  case response(HTTPResponse)
  /// A response after which the server ends.
  case shutdown(HTTPResponse)
  /// A call of a method over REST, not answered yet.
  case call(FirestoreMethod, WireMessage)
  /// A WebChannel request, not answered yet.
  case channel(ChannelRequest)
}

/// The endpoints of the emulator itself (Docs/Emulator.md, Endpoints). Requests of REST and WebChannel are
/// passed on.
struct Endpoints {
  /// The address of the server; nil if it is not known.
  var address: ServerAddress?
  /// Writes coverage as the official emulator's JSON; nil if there is none.
  var coverageReport: CoverageText?
  /// Writes coverage as a page; nil if there is none.
  var coveragePage: CoverageText?
  /// Writes exports; nil if nothing is written.
  var exportWriter: ExportCall.Writer?
  /// Reads exports; nil if nothing is read.
  var importReader: ImportCall.Reader?
  /// Writes exports for the hub; nil if nothing is written.
  var hubExporter: Hub.Exporter?

  /// Answers a request.
  func answer(
    _ request: HTTPRequest, _ backend: inout Backend, at now: Timestamp
  ) -> EndpointAnswer {
    if request.method == "OPTIONS" { return .response(CrossOrigin.preflight(request)) }
    let segments = request.segments
    switch segments.first {
    case nil: return .response(request.method == "GET" ? .plain("Ok\n") : .notFound)
    case "emulator": return .response(emulator(request, segments, &backend, at: now))
    case "v1": return REST.call(request, segments: segments)
    case FirestoreMethod.service.description:
      return ChannelRequest(request).map { .channel($0) } ?? .response(.notFound)
    case "shutdown" where segments.count == 1 && request.method == "POST":
      return .shutdown(.plain("Shutting down...\n"))
    case "emulators" where segments.count == 1 && request.method == "GET":
      return .response(Hub.emulators(request, at: address))
    case "_admin" where segments == ["_admin", "export"] && request.method == "POST":
      guard let hubExporter else { return .response(.notFound) }
      return .response(Hub.export(request, &backend, by: hubExporter))
    case "functions" where segments.count == 2 && request.method == "PUT":
      switch segments[1] {
      case "disableBackgroundTriggers": return .response(Hub.triggers(areEnabled: false))
      case "enableBackgroundTriggers": return .response(Hub.triggers(areEnabled: true))
      default: return .response(.notFound)
      }
    default: return .response(.notFound)
    }
  }

  /// Handles `/emulator/v1/projects/P[/databases/D[/documents…]][:VERB]`.
  private func emulator(
    _ request: HTTPRequest, _ segments: [String], _ backend: inout Backend, at now: Timestamp
  ) -> HTTPResponse {
    guard let target = EmulatorTarget(segments) else { return .notFound }
    switch (target.verb, request.method) {
    case ("securityRules", "PUT") where target.path == nil:
      return RulesUpload.put(request.body, for: target.id, &backend)
    case ("securityRules", "GET") where target.path == nil:
      return RulesUpload.get(for: target.id, &backend)
    case ("ruleCoverage", "GET") where target.path == nil:
      return RulesUpload.coverage(
        of: target.id, &backend, as: coverageReport, isPage: false)
    case ("ruleCoverage.html", "GET") where target.path == nil:
      return RulesUpload.coverage(
        of: target.id, &backend, as: coveragePage, isPage: true)
    case ("export", "POST") where target.path == nil:
      guard let exportWriter else { return .notFound }
      return ExportCall.post(request, backend, by: exportWriter)
    case ("import", "POST") where target.path == nil:
      guard let importReader else { return .notFound }
      return ImportCall.post(request, &backend, by: importReader, at: now)
    case (nil, "DELETE"):
      guard let path = target.path else { return .notFound }
      backend.clear(target.id, below: path.segments.isEmpty ? nil : path)
      return .emptyObject
    default: return .notFound
    }
  }
}

/// The resource in a path of the emulator's own endpoints.
struct EmulatorTarget {
  /// The database; `(default)` if the path names none.
  var id: DatabaseID
  /// The path below the documents of the database; nil if the URL path does not reach them.
  var path: DocumentPath?
  /// The text after the last colon.
  var verb: String?

  /// Reads `emulator/v1/projects/P[/databases/D[/documents…]][:VERB]`; nil for other paths.
  init?(_ segments: [String]) {
    guard segments.count >= 4, segments[1] == "v1", segments[2] == "projects" else { return nil }
    var segments = Array(segments.dropFirst(3))
    let isOfDocuments = segments.count > 3 && segments[3] == "documents"
    if !isOfDocuments, let last = segments.last, let colon = last.lastIndex(of: ":") {
      verb = String(last[last.index(after: colon)...])
      segments[segments.count - 1] = String(last[..<colon])
    }
    id = DatabaseID(project: Text(segments[0]), database: .standard)
    if segments.count == 1 { return }
    guard segments.count > 2, segments[1] == "databases" else { return nil }
    id.database = DatabaseName(Text(segments[2]))
    guard id.database.problem == nil else { return nil }
    if segments.count == 3 { return }
    guard isOfDocuments else { return nil }
    path = DocumentPath(segments.dropFirst(4).map { Text($0) })
  }
}
