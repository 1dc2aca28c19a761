import RulesEval
package import RulesLang

/// The report of `replay` as text: a line for each request, and one for all.
package struct ReplayText {
  private let isQuiet: Bool

  /// Creates a report; a quiet one contains only what is wrong.
  package init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// Adds the line of a request.
  package func write(_ request: ReplayedRequest, to text: inout [UInt8]) {
    // Written piece by piece: assembling a line as a string takes longer than printing it.
    Self.write(request.line, to: &text)
    text += ": ".utf8
    if let before = request.before {
      text += before.word.utf8
      text += " -> ".utf8
    }
    text += request.verdict.word.utf8
    text += " ".utf8
    text += request.method.word.utf8
    text += " ".utf8
    Self.write(request.path, to: &text)
    text += " as ".utf8
    if let name = request.principalName {
      Self.write(name, to: &text)
    } else {
      text += "nobody".utf8
    }
    if case .allow(let line) = request.verdict {
      text += " (line ".utf8
      Self.write(line, to: &text)
      text += ")".utf8
    }
    if case .undecided(let what) = request.verdict { text += " (\(what))".utf8 }
    text += "\n".utf8
  }

  /// Adds a number.
  ///
  /// - Requires: It is not negative.
  private static func write(_ number: Int, to text: inout [UInt8]) {
    let start = text.count
    var rest = number
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    text[start...].reverse()
  }

  /// Adds a text of the log, without control characters.
  private static func write(_ logged: Text, to text: inout [UInt8]) {
    // Almost always a path or an ID, whose characters need no check.
    if logged.bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      text += logged.bytes
    } else {
      text += Printable.text(String(logged)).utf8
    }
  }

  /// Returns the last line; empty when quiet and nothing is wrong.
  package func summary(
    of tally: ReplayTally, nanoseconds: UInt64, isComparing: Bool,
    database: DatabaseName = .standard
  ) -> String {
    if isQuiet, tally.changed + tally.undecided == 0 { return "" }
    let microseconds = nanoseconds / 1000
    let denied = tally.count - tally.allowed - tally.undecided
    var text = "\(tally.count.of("request")), \(tally.allowed) allowed, \(denied) denied"
    if tally.undecided > 0 { text += ", \(tally.undecided) undecided" }
    if isComparing { text += ", \(tally.changed) decided otherwise" }
    return text + database.suffix + " (\(microseconds / 1000).\(microseconds / 100 % 10) ms)\n"
  }
}
