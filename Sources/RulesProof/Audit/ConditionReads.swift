import RulesLang

/// The set of sources that a condition reads.
package struct ConditionReads: OptionSet, Sendable, Hashable {
  /// One bit for each source.
  package let rawValue: UInt8

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The document as it is stored.
  static let stored = ConditionReads(rawValue: 1)
  /// Other documents: `get()` and `exists()`.
  static let others = ConditionReads(rawValue: 1 << 1)
  /// The data of a write, and documents after the commit.
  static let sent = ConditionReads(rawValue: 1 << 2)
  /// The limit, offset and order of a query.
  static let query = ConditionReads(rawValue: 1 << 3)
  /// The request time.
  static let time = ConditionReads(rawValue: 1 << 4)
  /// The path of the document.
  static let path = ConditionReads(rawValue: 1 << 5)
  /// The client's user ID and token.
  static let account = ConditionReads(rawValue: 1 << 6)

  /// True if it includes parts that the client chooses with each request.
  var isChosen: Bool { !isDisjoint(with: [.sent, .query]) }
  /// True if it includes data that exists before the request.
  var isGiven: Bool { !isDisjoint(with: [.stored, .others, .path]) }
}

/// Computes the sources that expressions read, through function calls. Results are cached by call.
final class ReadsFinder {
  private struct Call: Hashable {
    var function: FunctionID
    var arguments: [ConditionReads]
  }

  private let rules: Checked
  private var calls: [Call: ConditionReads] = [:]

  /// Prepares for rules.
  init(_ rules: Checked) { self.rules = rules }

  /// Returns the sources that an expression reads.
  ///
  /// - Parameter locals: The sources that each parameter and `let` in scope reads.
  func reads(_ id: ExprID, locals: [ConditionReads] = []) -> ConditionReads {
    let id = rules.ruleset.unparenthesized(id)
    var found: ConditionReads = []
    switch rules.binding(id) {
    case .local(let slot): return Int(slot) < locals.count ? locals[Int(slot)] : []
    case .capture: return .path
    case .resource: return .stored
    case .request: return [.sent, .query, .time, .path, .account]
    case .function(let function): return call(function, id, locals: locals)
    case .builtin(.get), .builtin(.exists): found = .others
    case .builtin(.getAfter), .builtin(.existsAfter): found = [.others, .sent]
    case .builtin, .none, .unknownVariable, .unknownFunction: break
    }
    if case .member(let base, let name) = rules.ruleset[id].kind {
      if let known = member(name.text, of: base) { return known }
    }
    for operand in rules.ruleset[id].operands { found.formUnion(reads(operand, locals: locals)) }
    return found
  }

  /// The reads of a member of `request`, `resource` or `request.resource`; nil for any other member.
  private func member(_ name: Text, of base: ExprID) -> ConditionReads? {
    let base = rules.ruleset.unparenthesized(base)
    if rules.binding(base) == .request {
      switch name {
      case "auth": return .account
      case "resource": return .sent
      case "time": return .time
      case "query": return .query
      case "path": return .path
      default: return []
      }
    }
    guard Self.names.contains(name) else { return nil }
    if rules.binding(base) == .resource { return .path }
    guard case .member(let root, let middle) = rules.ruleset[base].kind, middle.text == "resource",
      rules.binding(rules.ruleset.unparenthesized(root)) == .request
    else { return nil }
    return .path
  }

  /// Members of a document that are parts of its path.
  private static let names: Set<Text> = ["id", "__name__"]

  private func call(
    _ function: FunctionID, _ id: ExprID, locals: [ConditionReads]
  ) -> ConditionReads {
    guard case .call(_, let arguments) = rules.ruleset[id].kind else { return [] }
    let given = arguments.map { reads($0, locals: locals) }
    let call = Call(function: function, arguments: given)
    if let known = calls[call] { return known }
    // A recursive call reads nothing more.
    calls[call] = []
    var inner = given
    let body = rules.enter(function, arguments: given.count, &inner) { value, inner in
      inner.append(reads(value.root, locals: inner))
    }
    let found = body.map { reads($0.root, locals: inner) } ?? []
    calls[call] = found
    return found
  }
}
