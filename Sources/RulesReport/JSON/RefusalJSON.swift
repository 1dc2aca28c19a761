package import RulesEval
import RulesLang

extension [Annotation] {
  /// The errors of a run as the last member of a report before its summary; no member if there are none.
  package var errorMembers: [(String, JSONText)] {
    isEmpty ? [] : [("errors", .array(map { $0.errorJSON }))]
  }

  /// Returns the report of a command that could not run, by the name of its schema.
  package func report(_ schema: String) -> JSONText {
    .object([("schema", .string("rules-check.\(schema)/1"))] + errorMembers)
  }
}

extension Annotation {
  /// The error in machine-readable form.
  fileprivate var errorJSON: JSONText {
    var members: [(String, JSONText)] = file.isEmpty ? [] : [("file", .string(file))]
    members += [("code", .string(code)), ("message", .string(message))]
    if let place { members += [("line", .int(place.line)), ("column", .int(place.column))] }
    if let help { members.append(("help", .string(help))) }
    return .object(members)
  }
}
