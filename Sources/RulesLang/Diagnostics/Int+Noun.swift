extension Int {
  /// A number of things in words, "1 request" or "2 requests"; `noun` is the word for one, which takes an
  /// s for several.
  public func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
