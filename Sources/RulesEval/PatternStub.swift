import RulesLang
struct PatternError: Error {}
struct TemplateError: Error {}
struct Pattern { init(_ s: Text) throws(PatternError) { throw PatternError() }
 func matches(_ t: Text) -> Bool { false }
 func split(_ t: Text) -> [Text] { [] }
 func replace(_ t: Text, with: Text) throws(TemplateError) -> Text { throw TemplateError() } }
