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
      // What is not there, a lookup can ask for by any name.
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
