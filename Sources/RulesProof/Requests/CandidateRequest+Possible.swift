import RulesEval
import RulesLang

extension CandidateRequest {
  /// The reason why no client can make the request or Firestore cannot store its data; nil if
  /// possible.
  var impossibility: Impossibility? {
    do throws(Impossibility) {
      try path.checkDocument()
      try before?.checkStorable()
      try after?.checkStorable()
      try principal?.token.checkClaims()
      // A lookup of a missing document may use any name.
      for other in others where other.before != nil || other.after != nil {
        try other.path.checkDocument()
        try other.before?.checkStorable()
        try other.after?.checkStorable()
      }
      return nil
    } catch {
      return error
    }
  }
}
