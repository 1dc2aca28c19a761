import RulesEval
import RulesLang

/// Recorded requests in the log format of `replay`: a line for each document that is accessed.
enum RequestLog {
  /// Returns the lines of a request, with their ends.
  static func lines(of recorded: RequestRecording.Recorded) -> String {
    let request = recorded.request
    let head: [JSON.Member] = [
      JSON.Member("as", value: SuiteWriter.principal(request.principal)),
      JSON.Member("time", value: JSON(.string(Text(request.time.description)))),
    ]
    return entries(of: recorded).reduce("") { lines, entry in
      lines + JSONText(JSON(.object(head + entry))).compact + "\n"
    }
  }

  private static func entries(of recorded: RequestRecording.Recorded) -> [[JSON.Member]] {
    let stored = recorded.documents.all
    switch recorded.request.operation {
    case .get(let paths):
      return paths.map { path in
        entry(method: "get", path.text, before: recorded.documents[path], among: stored, path)
      }
    case .list(let query):
      var test =
        SuiteWriter.sent(
          named: "", recorded.request, on: recorded.documents, expect: .allow)?.members ?? []
      test.removeAll { !["query", "collectionGroup", "documents"].contains($0.key) }
      let path = DocumentPath(query.parent.segments + [query.collection]).text
      return [[member("method", "list"), member("path", path)] + test]
    case .commit(let writes):
      guard writes.count == 1 else { return [] }
      let write = writes[0]
      let before = recorded.documents[write.path]
      let after = write.apply(to: before, time: recorded.request.time)
      let method: Text = after == nil ? "delete" : before == nil ? "create" : "update"
      var line = entry(method: method, write.path.text, before: before, among: stored, write.path)
      if let after { line.append(JSON.Member("after", value: SuiteWriter.json(after))) }
      return [line]
    }
  }

  private static func entry(
    method: Text, _ path: Text, before: MapValue?,
    among stored: [(path: DocumentPath, data: MapValue)], _ own: DocumentPath
  ) -> [JSON.Member] {
    var line = [member("method", method), member("path", path)]
    if let before { line.append(JSON.Member("before", value: SuiteWriter.json(before))) }
    let others = stored.filter { $0.path != own }.map {
      JSON.Member($0.path.text, value: SuiteWriter.json($0.data))
    }
    if !others.isEmpty { line.append(JSON.Member("documents", value: JSON(.object(others)))) }
    return line
  }

  private static func member(_ key: Text, _ text: Text) -> JSON.Member {
    JSON.Member(key, value: JSON(.string(text)))
  }
}

extension JSON {
  /// The members of an object; none for another value.
  fileprivate var members: [Member] {
    if case .object(let members) = kind { members } else { [] }
  }
}
