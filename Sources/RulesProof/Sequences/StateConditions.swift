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
  private let database: DatabaseName

  /// Says what is left; `steps` is the path of the later request, which the account with this user ID
  /// makes, or that of the step if there is none.
  init(_ step: Draft, at steps: [ClaimPath.Step], by account: Text?) {
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

  /// Says that a document of a database has just these fields, and what is beside it.
  init(
    of path: DocumentPath, _ data: MapValue, beside others: [Draft.Other] = [],
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
  /// The root of the database's documents as the rules language writes it, whatever the name is.
  var rulesText: String { "/databases/$(\(text.literal))/documents" }
}

extension DocumentPath {
  /// The path as the rules language writes it, whatever its segments are.
  func rulesText(in database: DatabaseName) -> String {
    segments.reduce(database.rulesText) { $0 + "/$(\($1.literal))" }
  }
}
