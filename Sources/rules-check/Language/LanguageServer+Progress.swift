import RulesEval
import RulesLang

// Progress of proofs, as the editor shows it: it is asked for a place first, and told nothing before it
// agrees (`window/workDoneProgress/create`).

/// A line of progress in the editor.
struct ProgressLine {
  /// The line's name in messages.
  let token: String
  /// True once the editor has agreed to show it.
  var isShown = false
}

extension LanguageServer {
  /// Shows how much of the proofs about a text is done.
  mutating func tellProgress(of path: String, _ count: ProofCount) {
    guard client.showsProgress else { return }
    guard let line = progress[path] else {
      guard count.isLong else { return }
      let token = "rules-check/proofs/\(path)/\(requests + 1)"
      progress[path] = ProgressLine(token: token)
      ask("window/workDoneProgress/create", .object([("token", .string(token))]))
      awaited[requests] = path
      return
    }
    guard line.isShown else { return }
    tell(
      line,
      [
        ("kind", .string("report")), ("message", .string(count.words)),
        ("percentage", .int(count.percentage)),
      ])
  }

  /// Handles the editor's answer to the request for a line of progress.
  mutating func showProgress(_ isAgreed: Bool, to request: Int) {
    guard let path = awaited.removeValue(forKey: request), isAgreed, let line = progress[path]
    else {
      return
    }
    progress[path]?.isShown = true
    tell(
      line,
      [
        ("kind", .string("begin")), ("title", .string("Proving rules")),
        ("cancellable", .bool(false)), ("percentage", .int(0)),
      ])
  }

  /// Removes the line of progress about a text.
  mutating func endProgress(of path: String) {
    guard let line = progress.removeValue(forKey: path) else { return }
    for (request, other) in awaited where other == path { awaited[request] = nil }
    if line.isShown { tell(line, [("kind", .string("end"))]) }
  }

  private mutating func tell(_ line: ProgressLine, _ value: [(String, JSONText)]) {
    notify(
      "$/progress", .object([("token", .string(line.token)), ("value", .object(value))]))
  }
}

extension ProofCount {
  /// The count in words.
  var words: String {
    guard let stopped else { return "\(done) of \(all) blocks" }
    let seconds = Int(exactly: stopped).map { "\($0)" } ?? "\(stopped)"
    let rest = done < all ? "" : ", but not what several blocks have in common"
    return "proofs stopped after \(seconds) s: \(done) of \(all) blocks\(rest)"
  }

  /// The part that is done.
  fileprivate var percentage: Int { all == 0 ? 100 : done * 100 / all }
}
