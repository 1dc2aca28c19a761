import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// Decides lines of a request log: the state of one thread.
final class ReplayWorker: @unchecked Sendable {
  // Safe: a worker is used by one thread at a time, as `decide(_:firstLine:by:)` sees to.

  /// The style of the output.
  struct Style {
    /// True to print one JSON object a line.
    var isJSON: Bool
    /// True to print only what is wrong.
    var isQuiet: Bool
  }

  /// The result of a part of a block.
  struct Part: Sendable {
    /// The number of its first line.
    var firstLine: Int
    /// The output.
    var text: [UInt8] = []
    /// `LINE:COLUMN: message` for lines that cannot be read.
    var complaints: [String] = []
    var tally = ReplayTally()
    /// The number of lines, empty ones included.
    var lines = 0

    /// The number of the line that is being decided.
    var line: Int { firstLine + lines }
  }

  private var new: Machine
  /// The machine of the old rules; unused if there are none.
  private var old: Machine
  private let isComparing: Bool
  private let style: Style
  private let text: ReplayText
  private let now: Timestamp
  /// The database of the requests.
  private let database: DatabaseName
  /// The cache of keys of earlier lines.
  private var keys = JSONKeys()

  /// Creates a worker for rules and, if there are any, the old ones.
  init(_ new: Program, _ old: Program?, profile: Profile, style: Style, now: Timestamp) {
    self.new = Machine(new, profile: profile)
    database = new.rules.database
    isComparing = old != nil
    self.old = Machine(old ?? new, profile: profile)
    self.style = style
    text = ReplayText(isQuiet: style.isQuiet)
    self.now = now
  }

  // MARK: Blocks

  /// Decides the lines of a block, a part on each worker, and returns the parts in order.
  static func decide(
    _ block: [UInt8], firstLine: Int, by workers: [ReplayWorker]
  ) -> [Part] {
    let shares = shares(of: block, firstLine, workers.count)
    return WorkPool.map(shares.count, jobs: workers.count) { place in
      workers[place].decide(block, shares[place].range, firstLine: shares[place].line)
    }
  }

  /// Splits a block into parts of about equal length that consist of whole lines.
  private static func shares(
    of block: [UInt8], _ firstLine: Int, _ count: Int
  ) -> [(range: Range<Int>, line: Int)] {
    var shares: [(range: Range<Int>, line: Int)] = []
    var start = 0
    var line = firstLine
    for number in 1...count {
      let wanted = max(start, block.count * number / count)
      let newline = block.place(of: UInt8(ascii: "\n"), in: wanted..<block.count)
      let end = min(newline + 1, block.count)
      shares.append((start..<end, line))
      if number < count { line += block.count(of: UInt8(ascii: "\n"), in: start..<end) }
      start = end
    }
    return shares
  }

  private func decide(_ block: [UInt8], _ range: Range<Int>, firstLine: Int) -> Part {
    var part = Part(firstLine: firstLine)
    part.text.reserveCapacity(range.count / 4)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = block.place(of: UInt8(ascii: "\n"), in: start..<range.upperBound)
      if block[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        decide(block, start..<end, &part)
      }
      part.lines += 1
      start = end + 1
    }
    return part
  }

  // MARK: Lines

  private func decide(_ block: [UInt8], _ line: Range<Int>, _ part: inout Part) {
    let (logged, diagnostics) = SuiteReader.readLogged(
      block, in: line, now: now, database: database, keys: &keys)
    guard let logged else {
      part.tally.unreadable += 1
      if style.isJSON {
        part.text += (refusal(of: diagnostics, line, part.line).compact + "\n").utf8
      }
      for one in diagnostics where part.complaints.count < 20 {
        let column = one.range.map { Int($0.start) - line.lowerBound + 1 } ?? 1
        let help = one.help.map { " (\($0))" } ?? ""
        part.complaints.append("\(part.line):\(column): \(Printable.text(one.message + help))")
      }
      return
    }
    let verdict = Self.verdict(logged, &new)
    part.tally.add(verdict)
    guard isComparing else {
      if !style.isQuiet { print(logged, verdict, nil, &part) }
      return
    }
    let before = Self.verdict(logged, &old)
    if before.word != verdict.word {
      part.tally.changed += 1
      print(logged, verdict, before, &part)
    }
  }

  /// Returns the machine-readable entry of a line that cannot be read.
  private func refusal(
    of diagnostics: [Diagnostic], _ line: Range<Int>, _ number: Int
  ) -> JSONText {
    let errors = diagnostics.map { one in
      let column = one.range.map { Int($0.start) - line.lowerBound + 1 } ?? 1
      let help: [(String, JSONText)] = one.help.map { [("help", .string($0))] } ?? []
      return JSONText.object(
        [
          ("code", .string(one.code.name)), ("message", .string(one.message)),
          ("line", .int(number)), ("column", .int(column)),
        ] + help)
    }
    return .object([("request", .int(number)), ("errors", .array(errors))])
  }

  private static func verdict(_ logged: LoggedRequest, _ machine: inout Machine) -> ReplayVerdict {
    do throws(RequestProblem) {
      let decision = try machine.decide(logged.request, on: logged.documents)
      guard decision.isAllowed else { return .deny }
      let allow = decision.accesses.last?.tried.last?.allow
      return .allow(line: allow.map { machine.engine.line(of: $0) } ?? 0)
    } catch {
      switch error {
      case .unsupported(let what): return .undecided(what)
      }
    }
  }

  // MARK: Printing

  private func print(
    _ logged: LoggedRequest, _ verdict: ReplayVerdict, _ before: ReplayVerdict?, _ part: inout Part
  ) {
    let request = ReplayedRequest(logged, line: part.line, verdict: verdict, before: before)
    if style.isJSON {
      part.text += (request.json.compact + "\n").utf8
    } else {
      text.write(request, to: &part.text)
    }
  }
}
