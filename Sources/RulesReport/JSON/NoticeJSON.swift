package import RulesEval
import RulesLang

extension [ProjectNotice] {
  /// The notices as a member of a machine-readable report; no member if there are none.
  package var members: [(String, JSONText)] {
    isEmpty ? [] : [("notices", .array(map { $0.json }))]
  }
}

extension ProjectNotice {
  /// The notice in machine-readable form.
  fileprivate var json: JSONText {
    let help: [(String, JSONText)] = help.map { [("help", .string($0))] } ?? []
    return .object(
      [
        ("file", .string(file)), ("code", .string(code)), ("severity", .string(severity.word)),
        ("message", .string(message)),
      ] + help)
  }
}

extension [NewSilence] {
  /// The new silences as a member of a machine-readable report; no member if there are none.
  package var members: [(String, JSONText)] {
    if isEmpty { return [] }
    let list = map { silence -> JSONText in
      let place: [(String, JSONText)] =
        silence.place.map { [("line", .int($0.line)), ("column", .int($0.column))] } ?? []
      return .object(
        [("file", .string(silence.file)), ("message", .string(silence.message))] + place)
    }
    return [("newlySilenced", .array(list))]
  }
}
