import RulesLang

/// The names that a generated expression may use.
struct Scope {
  /// A variable.
  struct Variable {
    /// The text, after which a `.` may follow.
    var text: String
    /// The type of its value.
    var type: ValueType
    /// True if reading it never fails and needs no document.
    var isSure: Bool
  }

  /// A function of the rules file.
  struct Routine {
    /// The name.
    var name: String
    /// The types of its intended arguments; it accepts any.
    var parameters: [ValueType]
    /// The intended type of its result.
    var result: ValueType
  }

  /// The variables.
  var variables: [Variable] = []
  /// The functions.
  var routines: [Routine] = []
  /// The paths of documents as lookups write them: `/databases/(default)/documents/t/a`.
  var lookups: [String] = []

  /// Adds a variable.
  mutating func add(_ text: String, as type: ValueType, isSure: Bool = true) {
    variables.append(Variable(text: text, type: type, isSure: isSure))
  }
}
