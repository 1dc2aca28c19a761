import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A removable part of a request, identified by name: positions change when other parts are
/// removed.
enum CandidatePart: Equatable {
  /// A field of the document, before and after the request.
  case key(Text)
  /// Another document.
  case document(DocumentPath)
  /// A field of another document, before and after the request.
  case documentKey(DocumentPath, Text)
  /// A claim of the token.
  case claim(Text)

  /// Returns all removable parts of a request.
  static func all(of candidate: CandidateRequest) -> [CandidatePart] {
    var parts = candidate.others.map { CandidatePart.document($0.path) }
    parts += keys(of: candidate.before, and: candidate.after).map { .key($0) }
    for other in candidate.others {
      parts += keys(of: other.before, and: other.after).map { .documentKey(other.path, $0) }
    }
    if let principal = candidate.principal, case .string(let uid) = principal.uid {
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
  func take(from candidate: inout CandidateRequest) {
    switch self {
    case .key(let key):
      candidate.before?[key] = nil
      candidate.after?[key] = nil
    case .document(let path): candidate.others.removeAll { $0.path == path }
    case .documentKey(let path, let key):
      for place in candidate.others.indices where candidate.others[place].path == path {
        candidate.others[place].before?[key] = nil
        candidate.others[place].after?[key] = nil
      }
    case .claim(let name): candidate.principal?.token[name] = nil
    }
  }
}
