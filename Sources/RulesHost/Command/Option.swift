/// An option as a row of a command's table, for parsing, help and completions.
package protocol OptionRow: Sendable {
  /// The name with its dashes.
  var name: String { get }
  /// A one-letter form, with its dash; nil if there is none.
  var short: String? { get }
  /// The name of the value in help; nil if the option takes none.
  var value: String? { get }
  /// The allowed values; empty for any.
  var choices: [String] { get }
  /// True if the option may be given more than once.
  var isRepeatable: Bool { get }
  /// True if the value may be left out, which gives an empty one.
  var isValueOptional: Bool { get }
  /// One line of help.
  var summary: String { get }
  /// True if help and completions name it.
  var isListed: Bool { get }
  /// True if the option only affects how the files of the working folder are read and decided. False if it
  /// needs a terminal, another process or the network, writes a file, or chooses the output.
  var isSelfContained: Bool { get }
  /// True if it limits the work, which help says under a heading of its own.
  var isLimit: Bool { get }
  /// The JSON type of values.
  var valueType: OptionValueType { get }
}

/// The JSON types of option values.
package enum OptionValueType: Sendable {
  /// A string.
  case text
  /// A whole number.
  case integer
  /// Any number.
  case number
  /// A text that is JSON, or names a file that contains it.
  case json
}

extension OptionRow {
  /// False by default.
  package var isValueOptional: Bool { false }
  /// False by default.
  package var isLimit: Bool { false }
  /// True by default. Only options that are accepted for compatibility are not listed.
  package var isListed: Bool { true }
  /// Text by default.
  package var valueType: OptionValueType { .text }
}

/// An option of another program that a command accepts in its place; help and completions do not list it.
package struct ForeignOption: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// Nil: a foreign option has no short form.
  package var short: String? { nil }
  /// A placeholder.
  package var value: String? { "VALUE" }
  /// Empty: the other program defines the values.
  package var choices: [String] { [] }
  /// True: the other program takes the last value.
  package var isRepeatable: Bool { true }
  /// One line of help, which is never shown.
  package var summary: String { "an option of another program" }
  /// False.
  package var isListed: Bool { false }
  /// False: the other program defines it.
  package var isSelfContained: Bool { false }

  /// Creates an option with a value; `name` has its dashes.
  package init(name: String) { self.name = name }
}

/// An option without a value.
package struct Flag: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// A one-letter form, with its dash; nil if there is none.
  package let short: String?
  /// One line of help.
  package let summary: String

  /// Nil: a flag takes no value.
  package var value: String? { nil }
  /// Empty: a flag takes no value.
  package var choices: [String] { [] }
  /// False.
  package var isRepeatable: Bool { false }
  /// True if the flag only affects how files are read and decided.
  package private(set) var isSelfContained = true

  /// Creates a flag; `name` has its dashes.
  package init(name: String, short: String? = nil, summary: String) {
    self.name = name
    self.short = short
    self.summary = summary
  }

  /// The flag as one that needs a terminal or process, or writes files.
  package var reachingOut: Flag {
    var copy = self
    copy.isSelfContained = false
    return copy
  }
}

/// An option with a typed value. It alone defines its name, its help and its values; `Invocation` looks its
/// value up.
package struct Option<Value>: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// A one-letter form, with its dash; nil if there is none.
  package let short: String?
  /// The name of the value in help.
  package let value: String?
  /// The allowed values; empty for any.
  package let choices: [String]
  /// True if the option may be given more than once.
  package let isRepeatable: Bool
  /// True if the value may be left out, which gives an empty one.
  package private(set) var isValueOptional = false
  /// True if the option only affects how files are read and decided.
  package private(set) var isSelfContained = true
  /// True if it limits the work.
  package private(set) var isLimit = false
  /// One line of help.
  package let summary: String
  /// Parses a value; the option's name is for the message if it is invalid.
  let read: @Sendable (_ text: String, _ name: String) throws(UsageProblem) -> Value

  /// The JSON type of values: that of `Value`, except for JSON, which help calls so.
  package var valueType: OptionValueType {
    if Value.self == Int.self || Value.self == Int64.self { return .integer }
    if Value.self == Double.self { return .number }
    return value == "JSON" ? .json : .text
  }

  /// The option as one that needs a process or the network, writes files, or chooses the output.
  package var reachingOut: Option {
    var copy = self
    copy.isSelfContained = false
    return copy
  }

  /// Creates an option whose value a function parses.
  package init(
    name: String, short: String? = nil, value: String, choices: [String] = [],
    isRepeatable: Bool = false, summary: String,
    reading read: @escaping @Sendable (_ text: String, _ name: String) throws(UsageProblem) -> Value
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.summary = summary
    self.read = read
  }

  /// Creates an option with a parser that returns nil for an invalid value; `refusal` then makes the problem.
  package init(
    name: String, short: String? = nil, value: String, summary: String,
    parsing parse: @escaping @Sendable (String) -> Value?,
    refusal: @escaping @Sendable (_ text: String, _ name: String) -> UsageProblem
  ) {
    self.init(name: name, short: short, value: value, summary: summary) {
      text, name throws(UsageProblem) in
      guard let value = parse(text) else { throw refusal(text, name) }
      return value
    }
  }

  /// Creates an option whose value is one of `values`, each by its word.
  package init(
    name: String, value: String, among values: [Value], word: (Value) -> String, summary: String
  ) where Value: Sendable {
    let words = values.map(word)
    self.init(name: name, value: value, choices: words, summary: summary) {
      text, name throws(UsageProblem) in
      guard let place = words.firstIndex(of: text) else {
        throw UsageProblem("`\(name)` cannot be `\(text)`")
      }
      return values[place]
    }
  }
}

extension Option {
  /// Returns the option as one that limits the work.
  package var asLimit: Option {
    var copy = self
    copy.isLimit = true
    return copy
  }
}

extension Option where Value == String {
  /// Creates an option whose value is any string.
  package init(
    name: String, short: String? = nil, value: String, isRepeatable: Bool = false,
    isValueOptional: Bool = false, summary: String
  ) {
    self.init(
      name: name, short: short, value: value, isRepeatable: isRepeatable, summary: summary
    ) { text, _ in text }
    self.isValueOptional = isValueOptional
  }
}

extension Option where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// Creates an option whose value is a case of an enumeration.
  package init(name: String, value: String, summary: String) {
    self.init(
      name: name, value: value, among: Array(Value.allCases), word: { $0.rawValue },
      summary: summary)
  }
}

extension Option where Value == Int {
  /// Creates an option whose value is a number in a range.
  package init(
    name: String, short: String? = nil, value: String, in range: ClosedRange<Int>, summary: String,
    refusal: @escaping @Sendable (_ text: String, _ name: String) -> UsageProblem
  ) {
    self.init(
      name: name, short: short, value: value, summary: summary,
      parsing: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }, refusal: refusal)
  }
}

extension Option where Value == Double {
  /// Returns an option whose value is a time in seconds.
  package static func seconds(name: String, summary: String) -> Option {
    Option(
      name: name, value: "SECONDS", summary: summary,
      parsing: { text in Double(text).flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil } },
      refusal: {
        UsageProblem(
          "`\($1)` needs a number of seconds, not `\($0)`", help: "more than 0, less than a million"
        )
      })
  }

  /// Returns an option whose value is a percentage.
  package static func percentage(name: String, summary: String) -> Option {
    Option(
      name: name, value: "PERCENT", summary: summary,
      parsing: { text in Double(text).flatMap { (0...100).contains($0) ? $0 : nil } },
      refusal: { UsageProblem("`\($1) \($0)` is not a percentage", help: "a number from 0 to 100") }
    )
  }
}
