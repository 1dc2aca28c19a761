import RulesEval
import RulesLang

/// A request of a page: one JSON object.
struct PageRequest {
  /// The task.
  var task: PageTask
  /// The rules.
  var rules: SourceText
  /// The older rules, for a comparison.
  var old: SourceText
  /// The text of a suite.
  var suite: SourceText
  /// The code of a finding.
  var code = ""
  /// Expressions to evaluate.
  var lines: [Text]
  /// True to prove which parts of the rules decide nothing.
  var isDeep: Bool
  /// The only field that an audit covers; empty for all.
  var field = ""
  /// Maximum columns of a picture; nil for an unlimited one without colours.
  var columns: Int?
  /// The database that the rules are deployed to; nil for that of the suite, else `(default)`.
  var database: DatabaseName?
  /// The current time; nil if the page does not send it.
  var presentTime: Timestamp?
  /// The time of requests that set none.
  var now: Timestamp { presentTime ?? .epoch }

  /// Parses a request. Throws the mistake in it, in a sentence.
  init(_ bytes: [UInt8]) throws(PageProblem) {
    let json: JSON
    do throws(JSONProblem) {
      json = try JSONParser.parse(SourceText(name: "request", bytes: bytes))
    } catch {
      throw PageProblem(sentence: "the request cannot be read: \(error.message)")
    }
    guard case .object(let members) = json.kind else {
      throw PageProblem(sentence: "a request is an object")
    }
    func value(_ key: Text) -> JSON.Kind? { members.first { $0.key == key }?.value.kind }
    func source(_ key: Text, named name: String) -> SourceText {
      guard case .string(let text) = value(key) else { return SourceText(name: name, "") }
      return SourceText(name: name, String(text))
    }
    guard case .string(let word) = value("do"), let task = PageTask(rawValue: String(word)) else {
      throw PageProblem(sentence: "the request does not say what to do")
    }
    self.task = task
    rules = source("rules", named: "rules")
    old = source("old", named: "old rules")
    suite = source("suite", named: "suite")
    isDeep = if case .bool(true) = value("deep") { true } else { false }
    if case .string(let name) = value("database") {
      let named = DatabaseName(name)
      if let problem = named.problem { throw PageProblem(sentence: problem) }
      database = named
    }
    if case .string(let name) = value("code") { code = String(name) }
    if case .string(let name) = value("field") { field = String(name) }
    if case .number(let digits) = value("columns") { columns = Int(digits) }
    lines = []
    if case .array(let elements) = value("lines") {
      for element in elements {
        if case .string(let text) = element.kind { lines.append(text) }
      }
    }
    if case .number(let digits) = value("now"), let milliseconds = Int64(digits),
      let time = Timestamp(milliseconds: milliseconds)
    {
      presentTime = time
    }
  }
}

/// The reason why a page gets no report, in a sentence.
struct PageProblem: Error {
  /// The sentence.
  var sentence: String
}
