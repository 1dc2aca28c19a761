import FirestoreServer
import FirestoreStore
import RulesEval
import RulesLang
import RulesReport

/// A decided request as a line: the verdict, who asks for what, and where that was decided.
struct DecidedCallText {
  private let palette: Palette

  /// Lines in some colours.
  init(_ palette: Palette) { self.palette = palette }

  /// The line, with its end.
  func text(of call: DecidedCall) -> String {
    "\(verdict(call))  \(Printable.text(who(call))) \(Printable.text(what(call)))\(place(call))\n"
  }

  private func verdict(_ call: DecidedCall) -> String {
    switch call.outcome {
    case .admin: "OWNER"
    case .open: "OPEN "
    case .allowed: palette.paint("ALLOW", as: .good)
    case .denied: palette.paint("DENY ", as: .error)
    case .refused: palette.paint("ERROR", as: .error)
    }
  }

  private func who(_ call: DecidedCall) -> String {
    switch call.caller {
    case .admin: return "owner"
    case .client(nil): return "nobody"
    case .client(let principal?):
      if case .string(let uid) = principal.uid { return String(uid) }
      return "somebody without an ID"
    }
  }

  private func what(_ call: DecidedCall) -> String {
    let database = call.id.database.suffix
    if let access = call.decision?.accesses.last {
      return "\(access.access.method.word) \(access.access.pathText)\(database)"
    }
    switch call.request.operation {
    case .get(let paths): return "get \(paths.first.map { String($0.text) } ?? "")\(database)"
    case .list(let query):
      let path = DocumentPath(query.parent.segments + [query.collection])
      return "list \(String(path.text))\(database)"
    case .commit(let writes):
      return "write \(writes.first.map { String($0.path.text) } ?? "nothing")\(database)"
    }
  }

  private func place(_ call: DecidedCall) -> String {
    guard let rules = call.rules, let tried = call.decision?.accesses.last?.tried.last else {
      return ""
    }
    let source = rules.ruleset.source
    let line = source.line(of: rules.ruleset[tried.allow].keyword.start)
    return "  \(Printable.text(source.name)):\(line)"
  }
}
