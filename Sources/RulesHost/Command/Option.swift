/// An option as a row of a command's table: all that parsing, help and completions know of it.
package protocol OptionRow: Sendable {
  /// The name with its dashes.
  var name: String { get }
  /// A one-letter form, with its dash.
  var short: String? { get }
  /// What the value is called in help; nil if the option takes none.
  var value: String? { get }
  /// The words that the value may be; empty for any.
  var choices: [String] { get }
  /// Whether the option may be given more than once.
  var isRepeatable: Bool { get }
  /// True if the value may be left out, which gives an empty one.
  var isValueOptional: Bool { get }
  /// One line of help.
  var summary: String { get }
  /// True if help and completions name it.
  var isListed: Bool { get }
}

extension OptionRow {
  /// False: few options mean something without their value.
  package var isValueOptional: Bool { false }
  /// True: only options that are accepted for the sake of another program are not named.
  package var isListed: Bool { true }
}

/// An option of another program that a command accepts in its place; neither help nor completions name it.
package struct ForeignOption: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// None.
  package var short: String? { nil }
  /// The value, whatever it is.
  package var value: String? { "VALUE" }
  /// None.
  package var choices: [String] { [] }
  /// True: that program takes the last one.
  package var isRepeatable: Bool { true }
  /// The reason why it is here.
  package var summary: String { "an option of another program" }
  /// False.
  package var isListed: Bool { false }

  /// Makes an option with a value; the name has its dashes.
  package init(name: String) { self.name = name }
}

/// An option without a value, which is given or not.
package struct Flag: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// A one-letter form, with its dash.
  package let short: String?
  /// One line of help.
  package let summary: String

  /// None: a flag takes no value.
  package var value: String? { nil }
  /// None.
  package var choices: [String] { [] }
  /// No: twice says no more than once.
  package var isRepeatable: Bool { false }

  /// A flag; the name has its dashes.
  package init(name: String, short: String? = nil, summary: String) {
    self.name = name
    self.short = short
    self.summary = summary
  }
}

/// An option with a value of some type: the one place that knows its name, its help and what its
/// value may be. `Invocation` is asked by it.
package struct Option<Value>: OptionRow {
  /// The name with its dashes.
  package let name: String
  /// A one-letter form, with its dash.
  package let short: String?
  /// What the value is called in help.
  package let value: String?
  /// The words that the value may be; empty for any.
  package let choices: [String]
  /// Whether the option may be given more than once.
  package let isRepeatable: Bool
  /// True if the value may be left out, which gives an empty one.
  package private(set) var isValueOptional = false
  /// One line of help.
  package let summary: String
  /// Makes a value of its text; it is told the option's name for what it says otherwise.
  let read: @Sendable (_ text: String, _ name: String) throws(UsageProblem) -> Value

  /// An option whose value is made by a function of its text and of the option's name.
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

  /// An option whose value is made by a function that gives nil for a text that is none; then
  /// `refusal` says what is wrong.
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

  /// An option whose value is one of some, each by its word.
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

extension Option where Value == String {
  /// An option whose value is any text.
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
  /// An option whose value is a case of an enumeration.
  package init(name: String, value: String, summary: String) {
    self.init(
      name: name, value: value, among: Array(Value.allCases), word: { $0.rawValue },
      summary: summary)
  }
}

extension Option where Value == Int {
  /// An option whose value is a number in a range.
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
  /// An option whose value is a time in seconds.
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

  /// An option whose value is a share in percent.
  package static func percentage(name: String, summary: String) -> Option {
    Option(
      name: name, value: "PERCENT", summary: summary,
      parsing: { text in Double(text).flatMap { (0...100).contains($0) ? $0 : nil } },
      refusal: { UsageProblem("`\($1) \($0)` is no percentage", help: "a number from 0 to 100") })
  }
}
