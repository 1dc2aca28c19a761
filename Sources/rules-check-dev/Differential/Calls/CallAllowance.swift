import FirestoreTransport
import FirestoreWire

/// An accepted difference (Docs/Fidelity.md, Calls). Each is recognised narrowly: everything else about the
/// two answers has to be equal.
enum CallAllowance: String, CaseIterable {
  /// `UNKNOWN`, which clients retry for ever, is `INVALID_ARGUMENT`.
  case permanentCode = "INVALID_ARGUMENT instead of UNKNOWN"
  /// The official emulator refuses queries by descending names.
  case descendingNames = "queries by descending names"
  /// The official emulator repeats texts of a denial, because it evaluates conditions twice.
  case repeatedTexts = "repeated texts of a denial"
  /// The official emulator names statements about documents that were allowed, and for a set also those for
  /// the other kind of write, and tries documents in another order.
  case otherDocuments = "texts about other documents of a request"
  /// The official emulator sends the documents of a target in the order of a hash map once it has sent them.
  case documentOrder = "the order of the documents of a target"
  /// The official emulator tells the queries of a stream in the order of a hash map.
  case targetOrder = "the order of the queries of a stream"
  /// The official emulator notifies listeners of each write of a batch, ours of all of them together.
  case batchRounds = "what listeners hear of a batch"
  /// A denial by one emulator names alternatives of a query that a denial by the other one does not name.
  case otherAlternatives = "texts about other alternatives of a query"

  /// Returns the accepted difference that explains two answers to a step; nil if none does.
  static func explaining(
    _ official: CallAnswer, _ ours: CallAnswer, of step: CallStep
  ) -> CallAllowance? {
    if isPermanentCode(official, ours, of: step) { return .permanentCode }
    if isRefusedForNames(official, of: step), isAnswerToNames(ours.status),
      official.heard == ours.heard, official.messages.isEmpty
    {
      return .descendingNames
    }
    let (their, own) = (withoutDocumentOrder(official), withoutDocumentOrder(ours))
    if their.lines == own.lines { return .documentOrder }
    if withoutTargetOrder(their).lines == withoutTargetOrder(own).lines { return .targetOrder }
    if step.method == .batchWrite, official.messages == ours.messages,
      official.status == ours.status,
      official.heard.mapValues({ lastWords($0) }) == ours.heard.mapValues({ lastWords($0) })
    {
      return .batchRounds
    }
    return denial(official.lines, ours.lines, of: step)
  }

  /// True if a query by descending names is refused for that, in a group below a document in other words.
  private static func isRefusedForNames(_ answer: CallAnswer, of step: CallStep) -> Bool {
    guard let status = answer.status, status.code == .failedPrecondition else { return false }
    return status.message.contains("does not support descending key scans")
      || status.message.contains("ascending primary key scan") && step.asksForDescendingNames
  }

  /// True if a query by descending names is answered, or refused because of its aggregations or of orders
  /// after the names.
  private static func isAnswerToNames(_ status: CallStatus?) -> Bool {
    guard let status else { return false }
    return status.code == .ok
      || status.code == .invalidArgument
        && (status.message.contains(" after __name__ ")
          || status.message.hasSuffix("after the key"))
  }

  private static func isPermanentCode(
    _ official: CallAnswer, _ ours: CallAnswer, of step: CallStep
  ) -> Bool {
    guard official.status?.code == .unknown, official.messages == ours.messages else {
      return false
    }
    var (theirs, own) = (official.heard, ours.heard)
    if step.method == .listen {
      theirs[step.user] = nil
      let last = own.removeValue(forKey: step.user)?.last ?? ""
      return theirs == own && ours.status == nil && last.contains("cause:{code:3,")
    }
    return theirs == own && ours.status?.code == .invalidArgument
  }

  // MARK: Order

  /// Sorts consecutive documents in the messages to one target, except those followed by `CURRENT`, which are
  /// the first results of a query.
  private static func withoutDocumentOrder(_ answer: CallAnswer) -> CallAnswer {
    var answer = answer
    answer.heard = answer.heard.mapValues { lines in
      var sorted: [String] = []
      var start = 0
      while start < lines.count {
        let target = target(ofDocument: lines[start])
        var end = start + 1
        while end < lines.count, target != nil, Self.target(ofDocument: lines[end]) == target {
          end += 1
        }
        let isEnded = end < lines.count && says("CURRENT", lines[end])
        sorted += isEnded ? Array(lines[start..<end]) : lines[start..<end].sorted()
        start = end
      }
      return sorted
    }
    return answer
  }

  /// Sorts the messages to queries about one commit by target. Each query gets `RESET` and all of its
  /// messages at once. Messages to targets of documents stay where they are.
  private static func withoutTargetOrder(_ answer: CallAnswer) -> CallAnswer {
    var answer = answer
    answer.heard = answer.heard.mapValues { lines in
      var sorted: [String] = []
      var round: [(target: String, lines: [String])] = []
      func end() {
        sorted += round.sorted { $0.target < $1.target }.flatMap { $0.lines }
        round = []
      }
      for line in lines {
        if let target = Self.target(of: line), says("RESET", line) || round.last?.target == target {
          if round.last?.target != target { round.append((target, [])) }
          round[round.count - 1].lines.append(line)
        } else {
          end()
          sorted.append(line)
        }
      }
      end()
      return sorted
    }
    return answer
  }

  /// The target of a line; nil for the snapshot of the whole stream, which has none.
  private static func target(of line: String) -> String? {
    let target = line.split(separator: "argetIds:").dropFirst().last
    return target.map { String($0.prefix { $0 != "]" }) }
  }

  /// Returns the target of a line about a document; nil for other lines.
  private static func target(ofDocument line: String) -> Substring? {
    guard line.hasPrefix("{documentChange:") || line.hasPrefix("{documentDelete:") else {
      return nil
    }
    return line.split(separator: "argetIds:").last
  }

  private static func says(_ type: String, _ line: String) -> Bool {
    line.contains("targetChangeType:\"\(type)\"")
  }

  /// Returns the last messages to each target; documents are sorted unless all were sent again.
  private static func lastWords(_ lines: [String]) -> [String: [String]] {
    var words: [String: [String]] = [:]
    var current: String?
    for line in lines {
      let name = target(of: line)
      if says("RESET", line) || name != current, let name { words[name] = [] }
      if let name { words[name, default: []].append(line) }
      current = name
    }
    return words.mapValues { $0.contains { says("RESET", $0) } ? $0 : $0.sorted() }
  }

  // MARK: Texts

  /// Returns the accepted difference of denials whose answers are equal except for the texts.
  private static func denial(
    _ official: [String], _ ours: [String], of step: CallStep
  ) -> CallAllowance? {
    guard official.count == ours.count else { return nil }
    var found: CallAllowance?
    for (theirs, own) in zip(official, ours) where theirs != own {
      guard let their = DenialLine(theirs), let our = DenialLine(own), their.rest == our.rest
      else { return nil }
      if their.parts == our.parts {
        found = found ?? .repeatedTexts
      } else if step.writesDocuments || step.method == .batchGetDocuments {
        found = .otherDocuments
      } else if step.isPlural, our.isPart(of: their) || their.isPart(of: our) {
        found = .otherAlternatives
      } else {
        return nil
      }
    }
    return found
  }
}

/// A line of an answer with the message of a denial.
struct DenialLine {
  /// The distinct texts of statements, without those of evaluations that read no documents.
  let parts: Set<Substring>
  /// The line without the message.
  let rest: String

  private static let marks = ["PERMISSION_DENIED ", "cause:{code:7,message:\""]

  /// Parses a line; nil if it is not about a denial.
  init?(_ line: String) {
    guard let mark = Self.marks.compactMap({ line.firstRange(of: $0) }).first else { return nil }
    var message = line[mark.upperBound...]
    var end: Substring = ""
    if let quote = message.firstRange(of: "\"},") {
      end = message[quote.lowerBound...]
      message = message[..<quote.lowerBound]
    }
    let texts = message.drop { $0 == "\n" }.split(separator: ", ")
    parts = Set(texts.filter { !$0.hasPrefix("evaluation error at") })
    rest = String(line[..<mark.upperBound]) + "…" + String(end)
  }

  /// True if the texts are a subset of another line's; if no statement applies to one document, the other
  /// line names those of others.
  func isPart(of other: DenialLine) -> Bool {
    parts.isSubset(of: other.parts) || parts == ["No matching allow statements"]
  }
}
