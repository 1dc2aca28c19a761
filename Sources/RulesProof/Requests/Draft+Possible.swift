import RulesEval
import RulesLang

extension Draft {
  /// Why nobody can make the request, or nothing like it can be stored; nil if it is possible.
  var impossibility: Impossibility? {
    do throws(Impossibility) {
      try path.checkDocument()
      try before?.checkStorable()
      try after?.checkStorable()
      try principal?.token.checkClaims()
      for other in others {
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
