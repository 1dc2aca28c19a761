import RulesEval
import RulesLang

/// The state after a commit, and its client, as conditions of the rules language on a later
/// request.
struct StateConditions {
  /// The conditions, all true of such requests.
  private(set) var conditions: [String] = []
  /// True if everything could be expressed.
  private(set) var isWhole = true
  private let own: DocumentPath?
  private let database: DatabaseName

  /// Describes the state after a step.
  ///
  /// - Parameters:
  ///   - steps: The path of the later request.
  ///   - account: The user ID of the later request's client; nil for the client of the step.
  init(_ step: CandidateRequest, at steps: [ClaimPath.Step], by account: Text?) {
    let texts = steps.compactMap { each -> Text? in
      if case .literal(let text) = each { return text }
      return nil
    }
    database = step.database
    own = texts.count == steps.count ? DocumentPath(texts) : nil
    if let account {
      conditions.append("request.auth != null && request.auth.uid == \(account.literal)")
    } else {
      add(step.principal)
    }
    add(step.path, before: step.before, after: step.method == .delete ? nil : step.after)
    for other in step.others { add(other.path, before: other.before, after: other.after) }
  }

  /// Describes a state in which a document has exactly these fields, and other documents.
  init(
    of path: DocumentPath, _ data: MapValue, beside others: [CandidateRequest.Other] = [],
    in database: DatabaseName
  ) {
    self.database = database
    own = path
    add(path, before: nil, after: data)
    let names = data.keys.map { $0.literal }.joined(separator: ", ")
    conditions.append("resource.data.keys().hasOnly([\(names)])")
    for other in others { add(other.path, before: other.before, after: other.after) }
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
    // Claims that the client does not have: otherwise a later request could be an admin's.
    let names = principal.token.map { $0.0.literal }.joined(separator: ", ")
    conditions.append("request.auth.token.keys().hasOnly([\(names)])")
  }

  private mutating func add(_ path: DocumentPath, before: MapValue?, after: MapValue?) {
    let isOwn = path == own
    guard let after else {
      if before != nil, !isOwn { conditions.append("!exists(\(path.rulesText(in: database)))") }
      return
    }
    let data = isOwn ? "resource.data" : "get(\(path.rulesText(in: database))).data"
    if !isOwn { conditions.append("exists(\(path.rulesText(in: database)))") }
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

extension DatabaseName {
  /// The database root as a path literal, for any name.
  var rulesText: String { "/databases/$(\(text.literal))/documents" }
}

extension DocumentPath {
  /// Returns the path as a path literal, for any segments.
  func rulesText(in database: DatabaseName) -> String {
    segments.reduce(database.rulesText) { $0 + "/$(\($1.literal))" }
  }
}
