import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A removable part of a request, identified by name: positions change when other parts are
/// removed.
enum DraftPart: Equatable {
  /// A field of the document, before and after the request.
  case key(Text)
  /// Another document.
  case document(DocumentPath)
  /// A field of another document, before and after the request.
  case documentKey(DocumentPath, Text)
  /// A claim of the token.
  case claim(Text)

  /// Returns all removable parts of a request.
  static func all(of draft: Draft) -> [DraftPart] {
    var parts = draft.others.map { DraftPart.document($0.path) }
    parts += keys(of: draft.before, and: draft.after).map { .key($0) }
    for other in draft.others {
      parts += keys(of: other.before, and: other.after).map { .documentKey(other.path, $0) }
    }
    if let principal = draft.principal, case .string(let uid) = principal.uid {
      let plain = Principal(uid: uid)
      parts += principal.token.keys.filter { plain.token[$0] == nil }.map { .claim($0) }
    }
    return parts
  }

  /// Returns the field names of both maps.
  static func keys(of before: MapValue?, and after: MapValue?) -> [Text] {
    var keys = (before ?? MapValue()).map { $0.0 }
    let known = Set(keys)
    for (key, _) in after ?? MapValue() where !known.contains(key) { keys.append(key) }
    return keys
  }

  /// True if the part differs between two requests.
  func differs(_ one: Draft, _ other: Draft) -> Bool {
    func key(_ map: MapValue?) -> ConstantKey? { map.map { ConstantKey(of: .map($0)) } }
    func key(_ value: Value?) -> ConstantKey? { value.map { ConstantKey(of: $0) } }
    func stored(_ draft: Draft, _ path: DocumentPath) -> Draft.Other? {
      draft.others.first { $0.path == path }
    }
    switch self {
    case .key(let name):
      return key(one.before?[name]) != key(other.before?[name])
        || key(one.after?[name]) != key(other.after?[name])
    case .document(let path):
      let (one, other) = (stored(one, path), stored(other, path))
      return key(one?.before) != key(other?.before) || key(one?.after) != key(other?.after)
    case .documentKey(let path, let name):
      let (one, other) = (stored(one, path), stored(other, path))
      return key(one?.before?[name]) != key(other?.before?[name])
        || key(one?.after?[name]) != key(other?.after?[name])
    case .claim(let name):
      return key(one.principal?.token[name]) != key(other.principal?.token[name])
    }
  }

  /// Removes the part from a request.
  func take(from draft: inout Draft) {
    switch self {
    case .key(let key):
      draft.before?[key] = nil
      draft.after?[key] = nil
    case .document(let path): draft.others.removeAll { $0.path == path }
    case .documentKey(let path, let key):
      for place in draft.others.indices where draft.others[place].path == path {
        draft.others[place].before?[key] = nil
        draft.others[place].after?[key] = nil
      }
    case .claim(let name): draft.principal?.token[name] = nil
    }
  }

  /// Replaces the part of a request by that of another one.
  func put(into draft: inout Draft, from donor: Draft) {
    switch self {
    case .key(let key):
      draft.before?[key] = donor.before?[key]
      draft.after?[key] = donor.after?[key]
    case .document(let path):
      draft.others.removeAll { $0.path == path }
      draft.others += donor.others.filter { $0.path == path }
    case .documentKey(let path, let key):
      guard let known = donor.others.first(where: { $0.path == path }) else { return }
      for place in draft.others.indices where draft.others[place].path == path {
        draft.others[place].before?[key] = known.before?[key]
        draft.others[place].after?[key] = known.after?[key]
      }
    case .claim(let name): draft.principal?.token[name] = donor.principal?.token[name]
    }
  }
}

extension Draft {
  /// The request without its removable parts.
  var withoutParts: Draft {
    var draft = self
    for part in DraftPart.all(of: self) { part.take(from: &draft) }
    return draft
  }
}
