import RulesEval
import RulesHost
import RulesLang

/// Decides lines of a request log: what one thread needs for that.
final class ReplayWorker: @unchecked Sendable {
  // Safe: a worker is used by one thread at a time, as `decide(_:firstLine:by:)` sees to.

  /// What is printed.
  struct Style {
    /// One JSON object a line.
    var isJSON: Bool
    /// Nothing but what is wrong.
    var isQuiet: Bool
  }

  /// How many of what.
  struct Tally {
    var count = 0
    var allowed = 0
    var changed = 0
    var undecided = 0
    var unreadable = 0

    /// Adds the counts of another part.
    mutating func add(_ other: Tally) {
      count += other.count
      allowed += other.allowed
      changed += other.changed
      undecided += other.undecided
      unreadable += other.unreadable
    }

    /// The last line for people.
    func summary(since started: UInt64, isComparing: Bool, _ isQuiet: Bool) -> String {
      if isQuiet, changed + undecided == 0 { return "" }
      let microseconds = (Clock.nanoseconds - started) / 1000
      var text = "\(count) requests, \(allowed) allowed, \(count - allowed - undecided) denied"
      if undecided > 0 { text += ", \(undecided) undecided" }
      if isComparing { text += ", \(changed) decided otherwise" }
      return text + " (\(microseconds / 1000).\(microseconds / 100 % 10) ms)\n"
    }
  }

  /// What came of a part of a block.
  struct Part: Sendable {
    /// The number of its first line.
    var firstLine: Int
    /// What is printed.
    var text: [UInt8] = []
    /// `LINE:COLUMN: message` of lines that cannot be read.
    var complaints: [String] = []
    var tally = Tally()
    /// The number of lines, empty ones included.
    var lines = 0

    /// The line that is being decided.
    var line: Int { firstLine + lines }

    /// Prints a number that is not negative.
    mutating func append(_ number: Int) {
      let start = text.count
      var rest = number
      repeat {
        text.append(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      text[start...].reverse()
    }

    /// Prints a text that is fit for a terminal.
    mutating func append(_ printable: String) { text.append(contentsOf: printable.utf8) }

    /// Prints a text of the log.
    mutating func append(_ logged: Text) {
      // Almost always a path or an ID, which needs no look at its characters.
      if logged.bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
        text += logged.bytes
      } else {
        append(Printable.text(String(logged)))
      }
    }
  }

  /// What a program says to a request.
  private enum Verdict: Equatable {
    case allow(line: Int)
    case deny
    case undecided(String)

    var word: String {
      switch self {
      case .allow: "allow"
      case .deny: "deny"
      case .undecided: "undecided"
      }
    }
  }

  private var new: Machine
  /// For the old rules; without any it is not used.
  private var old: Machine
  private let isComparing: Bool
  private let style: Style
  private let now: Timestamp
  /// The keys of the lines before.
  private var keys = JSONKeys()

  /// Makes a worker for rules and, if there are any, the old ones.
  init(_ new: Program, _ old: Program?, profile: Profile, style: Style, now: Timestamp) {
    self.new = Machine(new, profile: profile)
    isComparing = old != nil
    self.old = Machine(old ?? new, profile: profile)
    self.style = style
    self.now = now
  }

  // MARK: Blocks

  /// Decides the lines of a block, each worker a part of them; the parts are in order.
  static func decide(
    _ block: [UInt8], firstLine: Int, by workers: [ReplayWorker]
  ) -> [Part] {
    let shares = shares(of: block, firstLine, workers.count)
    return Workers.map(shares.count, jobs: workers.count) { place in
      workers[place].decide(block, shares[place].range, firstLine: shares[place].line)
    }
  }

  /// Parts of a block that are about equally long and consist of whole lines.
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
    let (logged, diagnostics) = SuiteReader.readLogged(block, in: line, now: now, keys: &keys)
    guard let logged else {
      part.tally.unreadable += 1
      for one in diagnostics where part.complaints.count < 20 {
        let column = one.range.map { Int($0.start) - line.lowerBound + 1 } ?? 1
        let help = one.help.map { " (\($0))" } ?? ""
        part.complaints.append("\(part.line):\(column): \(Printable.text(one.message + help))")
      }
      return
    }
    part.tally.count += 1
    let verdict = Self.verdict(logged, &new)
    switch verdict {
    case .allow: part.tally.allowed += 1
    case .undecided: part.tally.undecided += 1
    case .deny: break
    }
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

  private static func verdict(_ logged: LoggedRequest, _ machine: inout Machine) -> Verdict {
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
    _ logged: LoggedRequest, _ verdict: Verdict, _ before: Verdict?, _ part: inout Part
  ) {
    if style.isJSON {
      printJSON(logged, verdict, before, &part)
      return
    }
    // Piece by piece: to put a line together as a string takes longer than to print it.
    part.append(part.line)
    part.append(": ")
    if let before {
      part.append(before.word)
      part.append(" -> ")
    }
    part.append(verdict.word)
    part.append(" ")
    part.append(logged.method.word)
    part.append(" ")
    part.append(logged.path)
    part.append(" as ")
    if let name = logged.principalName { part.append(name) } else { part.append("nobody") }
    if case .allow(let line) = verdict {
      part.append(" (line ")
      part.append(line)
      part.append(")")
    }
    if case .undecided(let what) = verdict { part.append(" (\(what))") }
    part.append("\n")
  }

  private func printJSON(
    _ logged: LoggedRequest, _ verdict: Verdict, _ before: Verdict?, _ part: inout Part
  ) {
    var members: [(String, JSONText)] = [
      ("request", .int(part.line)), ("decision", .string(verdict.word)),
    ]
    if case .allow(let line) = verdict { members.append(("line", .int(line))) }
    if case .undecided(let what) = verdict { members.append(("problem", .string(what))) }
    if let before { members.append(("before", .string(before.word))) }
    members += [
      ("as", logged.principalName.map { .string(String($0)) } ?? .null),
      ("method", .string(logged.method.word)), ("path", .string(String(logged.path))),
    ]
    part.text += Array((JSONText.object(members).compact + "\n").utf8)
  }
}
