import RulesLang

/// The kinds of clients of one path: the columns of queries and report.
///
/// Every client is of exactly one kind. If few combinations of marks are possible, each has a
/// column; otherwise each mark has a column for clients with this mark only, and one column is for
/// clients with several.
package struct ClientColumns: Sendable, Hashable {
  /// The conditions by which the path's rules distinguish clients.
  let marks: [Mark]
  /// The columns.
  private(set) package var clients: [Client]

  /// Columns without clients.
  static let none = ClientColumns(of: [])

  /// Creates the columns of a path whose rules distinguish these marks.
  init(of marks: [Mark]) {
    self.marks = marks
    clients = [.signedOut, marks.isEmpty ? .signedIn : .stranger]
    if let combinations = Self.combinations(of: marks) {
      clients += combinations.map { .marked($0) }
      return
    }
    for mark in marks {
      let client = Client.marked(marks.filter { $0 == mark || mark.implies($0) })
      if !clients.contains(client) { clients.append(client) }
    }
    clients.append(.mixed)
  }

  /// Returns the columns of clients that may exist.
  func keeping(_ mayExist: (Client) -> Bool) -> ClientColumns {
    var copy = self
    copy.clients = clients.filter(mayExist)
    return copy
  }

  /// Returns the possible combinations of marks, the smallest first; nil if there are too many.
  private static func combinations(of marks: [Mark]) -> [[Mark]]? {
    var found: [[Mark]] = [[]]
    // Counts the empty set; few sets lack an implied mark.
    let limit = 2 * Strategy.alternatives + 2
    for mark in marks {
      for known in found where !known.contains(where: { $0.excludes(mark) }) {
        found.append(known + [mark])
      }
      if found.count > limit { return nil }
    }
    let closed = found.filter { set in
      !set.isEmpty
        && marks.allSatisfy { mark in
          set.contains(mark) || !set.contains { $0.implies(mark) }
        }
    }
    guard closed.count <= Strategy.alternatives else { return nil }
    let sizes = Set(closed.map { $0.count }).sorted()
    return sizes.flatMap { size in closed.filter { $0.count == size } }
  }

  // MARK: Conditions

  /// Returns the condition that is true of exactly the clients of a column.
  package func condition(of client: Client) -> String {
    switch client {
    case .signedOut: return "request.auth == null"
    case .signedIn, .stranger: return Self.signed(marks.map { "!(\($0.condition))" })
    case .marked(let own):
      return Self.signed(
        marks.map { own.contains($0) ? "(\($0.condition))" : "!(\($0.condition))" })
    case .mixed:
      let pairs = marks.indices.compactMap { place -> String? in
        let (mark, later) = (marks[place], marks[(place + 1)...])
        let others = later.filter {
          !mark.implies($0) && !$0.implies(mark) && !mark.excludes($0)
        }
        if others.isEmpty { return nil }
        let words = others.map { "(\($0.condition))" }.joined(separator: " || ")
        return "(\(mark.condition)) && (\(words))"
      }
      return Self.signed([pairs.isEmpty ? "false" : "(" + pairs.joined(separator: " || ") + ")"])
    }
  }

  private static func signed(_ conditions: [String]) -> String {
    (["request.auth != null"] + conditions).joined(separator: " && ")
  }

  // MARK: Names

  /// The names of the columns, in order.
  package var labels: [String] { clients.map { label(of: $0) } }

  /// Returns the name of a column in reports. It says what the column excludes, so that statements
  /// about the column are true of everybody whom the name describes.
  package func label(of client: Client) -> String {
    switch client {
    case .signedOut: return "signed out"
    case .signedIn: return "signed in"
    case .stranger: return "signed-in stranger"
    case .marked(let own):
      let leading = leading(own)
      let implied = own.filter { !leading.contains($0) }
      var text = leading.map { $0.label }.joined(separator: " and ")
      if !implied.isEmpty {
        text += " (\(implied.map { article(for: $0) }.joined(separator: " and ")), too)"
      }
      return text + exclusions(of: own)
    case .mixed:
      return marks.count > Strategy.names + 1
        ? "two or more of the \(marks.count) kinds"
        : "two or more of " + marks.map { shortLabel(of: $0) }.joined(separator: ", ")
    }
  }

  /// Returns a column as the subject of a sentence.
  package func subject(of client: Client) -> String {
    switch client {
    case .signedOut: "anyone, signed out,"
    case .signedIn, .stranger: "any signed-in user"
    case .marked(let own):
      leading(own).map { $0.subject }.joined(separator: " and ") + exclusions(of: own)
        + (exclusions(of: own).isEmpty ? "" : ",")
    case .mixed: "a client that is two or more of these"
    }
  }

  /// Returns the mark of a column with one mark, beside implied ones; nil for other columns.
  func onlyMark(of client: Client) -> Mark? {
    guard case .marked(let own) = client else { return nil }
    let leading = leading(own)
    return leading.count == 1 ? leading[0] : nil
  }

  /// Returns the names of some columns. A mark stands for its columns if all of them are included.
  func shortLabels(of some: [Client]) -> [String] {
    let whole = marks.filter { mark in
      clients.allSatisfy { client in
        switch client {
        case .signedOut, .signedIn, .stranger: true
        case .marked(let own): !own.contains(mark) || some.contains(client)
        case .mixed: some.contains(client)
        }
      }
    }
    let rest = some.filter { client in
      guard case .marked(let own) = client else { return whole.isEmpty }
      return !own.contains { whole.contains($0) }
    }
    return whole.map { $0.label } + rest.map { label(of: $0) }
  }

  /// Returns the marks of a column that no other one of its marks implies.
  private func leading(_ own: [Mark]) -> [Mark] {
    own.filter { mark in
      !own.contains { $0 != mark && implies($0, mark) && !implies(mark, $0) }
    }
  }

  /// True if every client with one mark also has the other one, in the present columns.
  private func implies(_ mark: Mark, _ other: Mark) -> Bool {
    if mark.implies(other) { return true }
    if clients.contains(.mixed) { return false }
    return clients.allSatisfy { client in
      guard case .marked(let own) = client, own.contains(mark) else { return true }
      return own.contains(other)
    }
  }

  /// Returns the marks that a column excludes although its clients could have them: `, not
  /// token.admin`.
  private func exclusions(of own: [Mark]) -> String {
    let excluded = marks.filter { mark in
      !own.contains(mark) && isPossible(own + [mark])
        // A client that is not a member is not an admin among members either.
        && !marks.contains { other in
          !own.contains(other) && implies(mark, other) && !implies(other, mark)
        }
    }
    guard let last = excluded.last else { return "" }
    if excluded.count > Strategy.names { return ", none of the others" }
    let words = excluded.dropLast().map { shortLabel(of: $0) }
    return ", not "
      + (words.isEmpty ? "" : words.joined(separator: ", ") + " or ") + shortLabel(of: last)
  }

  /// True if a client may have all of these marks.
  private func isPossible(_ own: [Mark]) -> Bool {
    clients.contains { client in
      switch client {
      case .signedOut, .signedIn, .stranger: false
      case .marked(let marks): own.allSatisfy { marks.contains($0) }
      case .mixed:
        own.allSatisfy { mark in !own.contains { $0.excludes(mark) || mark.excludes($0) } }
      }
    }
  }

  private func article(for mark: Mark) -> String {
    let name = shortLabel(of: mark)
    return name == "member" ? "a member" : name
  }

  /// Returns the short name of a mark, or the long one if the short one is ambiguous.
  private func shortLabel(of mark: Mark) -> String {
    let name = mark.shortLabel
    let isShared = marks.contains { $0 != mark && $0.shortLabel == name }
    return isShared ? mark.label : name
  }
}
