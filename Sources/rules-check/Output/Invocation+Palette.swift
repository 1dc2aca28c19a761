import RulesHost
import RulesLang

extension Invocation {
  /// The colours of reports.
  var palette: Palette { terminal.palette }
}
