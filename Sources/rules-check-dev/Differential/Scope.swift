import RulesLang

/// What a made-up expression may mention.
struct Scope {
  /// Something that can be read.
  struct Variable {
    /// How it is written; a `.` may follow.
    var text: String
    /// The type of its value.
    var type: ValueType
    /// Whether reading it never fails and needs no document.
    var isSure: Bool
  }

  /// A function of the rules file.
  struct Routine {
    /// Its name.
    var name: String
    /// What it is made for; it takes anything.
    var parameters: [ValueType]
    /// What it is made to return.
    var result: ValueType
  }

  /// What can be read.
  var variables: [Variable] = []
  /// What can be called.
  var routines: [Routine] = []
  /// Paths of documents as they stand in a lookup: `/databases/(default)/documents/t/a`.
  var lookups: [String] = []

  /// Adds something that can be read.
  mutating func add(_ text: String, as type: ValueType, isSure: Bool = true) {
    variables.append(Variable(text: text, type: type, isSure: isSure))
  }
}
