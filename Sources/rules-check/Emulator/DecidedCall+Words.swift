import FirestoreServer
import FirestoreStore
import RulesEval
import RulesLang

// The parts of a decided request that a line or a row of a page shows.

extension DecidedCall {
  /// The client: `owner`, `nobody`, or the user's ID.
  var who: String {
    switch caller {
    case .admin: return "owner"
    case .client(nil): return "nobody"
    case .client(let principal?):
      if case .string(let uid) = principal.uid { return String(uid) }
      return "a user without an ID"
    }
  }

  /// The method that the rules decided, and the first document or the collection.
  var what: (method: String, path: String) {
    if let access = decision?.accesses.last?.access { return (access.method.word, access.pathText) }
    switch request.operation {
    case .get(let paths): return ("get", paths.first.map { String($0.text) } ?? "")
    case .list(let query):
      let path = DocumentPath(query.parent.segments + [query.collection])
      return ("list", String(path.text))
    case .commit(let writes):
      return ("write", writes.first.map { String($0.path.text) } ?? "nothing")
    }
  }

  /// The file name and line of the statement that decided; nil if none was tried.
  var place: (file: String, line: Int)? {
    guard let rules, let tried = decision?.accesses.last?.tried.last else { return nil }
    let source = rules.ruleset.source
    return (source.name, source.line(of: rules.ruleset[tried.allow].keyword.start))
  }
}
