extension Int {
  /// Returns a count in words, "1 request" or "2 requests"; `noun` is the singular, which takes an s.
  public func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
