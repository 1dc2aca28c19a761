import RulesEval
import RulesLang

/// The state that a commit leaves, and who made it, as conditions of the rules language: what a later
/// request of the same client finds.
struct StateConditions {
  /// The conditions; all are true of such requests.
  private(set) var conditions: [String] = []
  /// Whether everything could be said.
  private(set) var isWhole = true
  private let own: DocumentPath?

  /// Says what is left; `steps` is the path of the later request.
  init(_ step: Draft, at steps: [ClaimPath.Step]) {
    let texts = steps.compactMap { each -> Text? in
      if case .literal(let text) = each { return text }
      return nil
    }
    own = texts.count == steps.count ? DocumentPath(texts) : nil
    add(step.principal)
    add(step.path, before: step.before, after: step.method == .delete ? nil : step.after)
    for other in step.others { add(other.path, before: other.before, after: other.after) }
  }

  private mutating func add(_ principal: Principal?) {
    guard let principal, case .string(let uid) = principal.uid else {
      conditions.append("request.auth == null")
      return
    }
    conditions.append("request.auth != null && request.auth.uid == \(uid.literal)")
    let plain = Principal(uid: uid)
    for (key, value) in principal.token {
      if let standard = plain.token[key], Value.areIdentical(standard, value) { continue }
      guard let text = value.rulesText else {
        isWhole = false
        continue
      }
      conditions.append("request.auth.token.get([\(key.literal)], null) == \(text)")
    }
  }

  private mutating func add(_ path: DocumentPath, before: MapValue?, after: MapValue?) {
    let isOwn = path == own
    guard let after else {
      if before != nil, !isOwn { conditions.append("!exists(\(path.rulesText))") }
      return
    }
    let data = isOwn ? "resource.data" : "get(\(path.rulesText)).data"
    if !isOwn { conditions.append("exists(\(path.rulesText))") }
    for (key, value) in after {
      guard let text = value.rulesText else {
        isWhole = false
        continue
      }
      conditions.append("\(data)[\(key.literal)] == \(text)")
    }
    for key in before?.keys ?? [] where after[key] == nil {
      conditions.append("!(\(key.literal) in \(data))")
    }
  }
}

extension DocumentPath {
  /// The path as the rules language writes it, whatever its segments are.
  fileprivate var rulesText: String {
    segments.reduce("/databases/$('(default)')/documents") { $0 + "/$(\($1.literal))" }
  }
}

extension Value {
  /// The value in the rules language; nil if it has no literal.
  var rulesText: String? {
    switch self {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .int(let number): return number >= 0 ? "\(number)" : number > .min ? "(\(number))" : nil
    case .string(let text): return text.literal
    case .float(let number):
      if number.isNaN { return nil }
      return number.sign == .plus ? number.rulesText : "(-\(number.magnitude.rulesText))"
    case .bytes(let octets): return octets.rulesText
    case .list(let elements):
      var parts: [String] = []
      for element in elements {
        guard let text = element.rulesText else { return nil }
        parts.append(text)
      }
      return "[" + parts.joined(separator: ", ") + "]"
    case .map(let map):
      var parts: [String] = []
      for (key, value) in map {
        guard let text = value.rulesText else { return nil }
        parts.append("\(key.literal): \(text)")
      }
      return "{" + parts.joined(separator: ", ") + "}"
    case .timestamp(let time):
      guard time.nanos % 1_000_000 == 0, time.epochSeconds >= 0 else { return nil }
      return "timestamp.value(\(time.epochSeconds * 1000 + Int64(time.nanos / 1_000_000)))"
    case .set, .duration, .latlng, .path, .mapDiff, .vector, .constraint: return nil
    }
  }
}
