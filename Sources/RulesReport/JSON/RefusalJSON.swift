package import RulesEval
import RulesLang

extension [Annotation] {
  /// What could not be looked at, as the last member of a report before its summary; nothing if there is
  /// nothing of that kind.
  package var errorMembers: [(String, JSONText)] {
    isEmpty ? [] : [("errors", .array(map { $0.errorJSON }))]
  }

  /// The report of a command that could not do its work, by the name of its schema.
  package func report(_ schema: String) -> JSONText {
    .object([("schema", .string("rules-check.\(schema)/1"))] + errorMembers)
  }
}

extension Annotation {
  /// Why something could not be looked at.
  fileprivate var errorJSON: JSONText {
    var members: [(String, JSONText)] = file.isEmpty ? [] : [("file", .string(file))]
    members += [("code", .string(code)), ("message", .string(message))]
    if let place { members += [("line", .int(place.line)), ("column", .int(place.column))] }
    if let help { members.append(("help", .string(help))) }
    return .object(members)
  }
}
