extension Pieces {
  /// The same, with what `// rules-check: fmt off` excludes, up to `// rules-check: fmt on` or the end,
  /// kept as it is.
  var withoutFormattedParts: Pieces {
    var result = self
    var isOff = false
    for index in 0..<count {
      if isOff {
        result[index].keepsGap = true
        result[index].keepsText = true
        result[index].lineFeeds = 0
      }
      guard self[index].kind == .lineComment else { continue }
      let words = words(index)
      guard words.count >= 2, words[0] == "fmt" else { continue }
      if words[1] == "off" { isOff = true }
      if words[1] == "on" { isOff = false }
    }
    return result
  }

  /// The words of a comment to rules-check after its name; none of another comment.
  private func words(_ index: Int) -> [Text] {
    let words = bytes(index).dropFirst(2).split { $0.isBlank }
    guard let first = words.first, first.elementsEqual("rules-check:".utf8) else { return [] }
    return words.dropFirst().map { (word: ArraySlice<UInt8>) -> Text in
      Text(wellFormed: Array(word))
    }
  }
}
