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
}
