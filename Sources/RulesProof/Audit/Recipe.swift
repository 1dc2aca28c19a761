import RulesEncoding
import RulesEval
import RulesLang

/// The content of a request (written data, time and token) as a condition that is independent of
/// stored data.
struct Recipe {
  private let candidate: CandidateRequest
  private let isWhole: Bool
  /// The wildcards of the path and their values.
  private let captures: [(name: Text, value: Text)]

  /// Creates the recipe of a request; nil if it fixes only the changed fields and there are none.
  init?(_ candidate: CandidateRequest, on path: ClaimPath, isWhole: Bool) {
    self.candidate = candidate
    self.isWhole = isWhole
    let isPlain = !path.steps.contains { $0.isGlob }
    captures =
      isPlain
      ? zip(path.steps, candidate.path.segments).compactMap { step, text in
        step.name.map { ($0, text) }
      } : []
    if !isWhole, Self.changes(of: candidate).isEmpty { return nil }
  }

  /// Returns the fields that an update changes, with their new values; nil for removed fields.
  private static func changes(of candidate: CandidateRequest) -> [(Text, Value?)] {
    guard let before = candidate.before, let after = candidate.after else { return [] }
    return SuiteWriter.changedKeys(from: before, to: after).map { ($0, after[$0]) }
  }

  /// Returns the names of the fields that an update changes.
  static func changedNames(of candidate: CandidateRequest) -> [Text] {
    changes(of: candidate).map { $0.0 }
  }

  /// Returns another document after the request's update.
  static func applied(from candidate: CandidateRequest, to stored: MapValue) -> MapValue {
    var data = stored
    for (name, value) in changes(of: candidate) { data[name] = value }
    return data
  }

  /// Returns the condition; nil if a value has no literal. Time, query limits and claims are only
  /// fixed if the rules read them.
  func text(for operation: AccessMatrix.Operation, pinning reads: ConditionReads) -> String? {
    var parts = [operation.condition].compactMap { $0 }
    if operation.method == .create || operation.method == .update {
      guard let written else { return nil }
      parts += written
    }
    if reads.contains(.time) {
      guard let time = Value.timestamp(candidate.time).rulesText else { return nil }
      parts.append("request.time == \(time)")
    }
    if operation.method == .list, reads.contains(.query) {
      if let limit = candidate.limit { parts.append("request.query.limit == \(limit)") }
      parts.append("request.query.offset == \(candidate.offset)")
    }
    if reads.contains(.account) { parts += claims }
    return parts.isEmpty ? "true" : parts.joined(separator: " && ")
  }

  // MARK: Data

  private var written: [String]? {
    let data = "request.resource.data"
    var parts: [String] = []
    var values: [(Text, Value?)] = []
    if isWhole {
      guard let after = candidate.after else { return nil }
      values = after.map { ($0.0, $0.1) }
      parts.append("\(data).keys().hasOnly([\(Self.list(values.map { $0.0 }))])")
    } else {
      values = Self.changes(of: candidate)
      let names = Self.list(values.map { $0.0 })
      parts.append("\(data).diff(resource.data).affectedKeys().hasOnly([\(names)])")
    }
    for (name, value) in values {
      guard let value else {
        parts.append("!(\(name.literal) in \(data))")
        continue
      }
      guard let text = text(of: value) else { return nil }
      let field = "\(data)[\(name.literal)]"
      switch value {
      case .int: parts.append("\(field) is int")
      case .float: parts.append("\(field) is float")
      default: break
      }
      parts.append("\(field) == \(text)")
    }
    return parts
  }

  private static func list(_ names: [Text]) -> String {
    names.map { $0.literal }.joined(separator: ", ")
  }

  /// Returns a value as an expression: the user ID, a path segment or the time where equal, else a
  /// literal.
  private func text(of value: Value) -> String? {
    switch value {
    case .string(let text):
      if case .string(text)? = candidate.principal?.uid { return "request.auth.uid" }
      return captures.first { $0.value == text }.map { String($0.name) } ?? value.rulesText
    case .timestamp(candidate.time): return "request.time"
    case .list(let elements):
      let parts = elements.map { text(of: $0) }
      return parts.contains(nil)
        ? nil : "[" + parts.compactMap { $0 }.joined(separator: ", ") + "]"
    default: return value.rulesText
    }
  }

  // MARK: Claims

  /// Conditions on the claims of the token that anybody can have. The e-mail address is not among them: it
  /// belongs to its owner.
  private var claims: [String] {
    guard let token = candidate.principal?.token else { return [] }
    var parts: [String] = []
    for name: Text in ["name", "picture", "email_verified"] {
      guard let text = token[name]?.rulesText else { continue }
      parts.append("request.auth.token.get([\(name.literal)], null) == \(text)")
    }
    if case .map(let firebase)? = token["firebase"], let value = firebase["sign_in_provider"],
      case .string(let provider) = value,
      Role(claim: ["firebase", "sign_in_provider"], test: .equals(.string(provider))).isFree
    {
      parts.append("request.auth.token.firebase.sign_in_provider == \(provider.literal)")
    }
    return parts
  }
}
