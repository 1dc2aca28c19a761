import RulesLang
import RulesStyle

/// A text as the formatter lays it out; nil if it leaves it as it is.
func laidOut(_ text: String) -> String? {
  guard case .formatted(let bytes) = RulesFormatter.format(SourceText(name: "t", text)) else {
    return nil
  }
  return String(decoding: bytes, as: UTF8.self)
}
