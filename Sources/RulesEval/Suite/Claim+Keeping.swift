import RulesLang

// Claims with `keeps`: for every create and update of a document, the condition is true of the document after
// the request if it was true before.

extension Claim {
  /// The claim that a condition on `resource` holds for documents after every create and update; nil if the
  /// condition reads `request`.
  public static func keeping(
    _ kept: Condition, of path: ClaimPath, given: Condition? = nil
  ) -> Claim? {
    guard let left = kept.text.aboutWhatIsLeft else { return nil }
    var claim = Claim(
      name: "", path: path, methods: MethodSet(.create).union(MethodSet(.update)),
      obligation: .onlyIf(Condition(left, at: kept.range)))
    let found = "resource == null || (\(String(kept.text))\n)"
    let all = given.map { "(\(String($0.text))\n) && (\(found))" } ?? found
    claim.given = Condition(Text(all), at: kept.range)
    claim.kept = kept
    claim.keptGiven = given
    return claim
  }
}

extension Text {
  /// The condition on `resource` rewritten to `request.resource`; nil if it reads `request`.
  fileprivate var aboutWhatIsLeft: Text? {
    let source = SourceText(name: "", bytes: bytes)
    var found: [UInt8] = []
    var place = 0
    var isMember = false
    for range in source.tokenRanges {
      let word = source.string(range)
      if !isMember, word == "request" { return nil }
      if !isMember, word == "resource" {
        found += bytes[place..<Int(range.start)]
        found += Array("request.".utf8)
        place = Int(range.start)
      }
      isMember = word == "."
    }
    return Text(wellFormed: found + bytes[place...])
  }
}
