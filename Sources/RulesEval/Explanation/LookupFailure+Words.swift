import RulesLang

extension EvaluationError.Reason {
  /// The error in plain words: for a lookup the reason of the failure, else the engine's text. Nil for the
  /// error that has no text.
  public var words: String? {
    guard case .serviceCall(_, let path, because: let failure) = self else { return message }
    let name = PathValue(Array(path.segments.dropFirst(DatabaseName.rootCount))).text
    switch failure {
    case .noDocument: return "\(String(path.text)) is not the path of a document"
    case .notStored: return "\(String(name)) is not stored"
    case .limit(let count):
      return "\(String(name)) is one lookup too many (the limit is \(count))"
    }
  }

  /// The document whose absence made a lookup fail, in the notation of suites; nil if it failed otherwise.
  var missingDocument: Text? {
    guard case .serviceCall(_, let path, because: .notStored) = self,
      let full = try? path.flattened()
    else { return nil }
    return DocumentPath(Array(full.dropFirst(DatabaseName.rootCount))).text
  }
}
