import RulesEval
public import RulesLang

extension DocumentPath {
  /// The path of the collection of a document.
  var collectionPath: DocumentPath { DocumentPath(Array(segments.dropLast())) }

  /// The path of the document that a collection is below, or of the one that a document is below.
  var documentAbove: DocumentPath {
    DocumentPath(Array(segments.dropLast(isDocument ? 2 : 1)))
  }

  /// True if the document is below another path, or is that path.
  func isWithin(_ other: DocumentPath) -> Bool { segments.starts(with: other.segments) }

  /// Throws what keeps the segments from being names of collections and documents, in turn.
  func checkNames() throws(Refusal) {
    for (place, segment) in segments.enumerated() {
      if place.isMultiple(of: 2) {
        try segment.checkCollectionID()
      } else {
        try segment.checkLength()
        if segment.isReserved, segment.numericID == nil {
          throw .invalidArgument(
            "Resource id \"\(String(segment))\" is invalid because it is reserved.")
        }
      }
    }
  }
}

extension Text {
  /// Throws what keeps the text from being the ID of a collection in a request.
  public func checkCollection() throws(Refusal) {
    if bytes.contains(UInt8(ascii: "/")) {
      throw .invalidArgument(
        "Collection id \"\(Refusal.quoting(self))\" is invalid because it contains \"/\".")
    }
    if bytes.count > Impossibility.longestName {
      throw .invalidArgument(
        "The query kind is longer than \(Impossibility.longestName) bytes.")
    }
    try checkCollectionID()
  }

  /// Throws if a collection cannot have the ID for its form or length.
  fileprivate func checkCollectionID() throws(Refusal) {
    try checkLength()
    if isReserved || isDots {
      throw .invalidArgument(
        "Collection id \"\(String(self))\" is invalid because it is reserved.")
    }
  }

  /// Throws if no segment of a path is as long.
  fileprivate func checkLength() throws(Refusal) {
    if bytes.count > Impossibility.longestName {
      throw .invalidArgument(
        "The key path element name is longer than \(Impossibility.longestName) bytes.")
    }
  }

  /// Returns an ID for a document that is created without one: 20 letters and digits.
  ///
  /// - Parameter random: 20 random bytes or more, of the host's; missing ones count as 0.
  public static func newDocumentID(random: [UInt8]) -> Text {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var bytes: [UInt8] = []
    for place in 0..<idLength {
      let number = place < random.count ? Int(random[place]) : 0
      bytes.append(alphabet[number % alphabet.count])
    }
    return Text(wellFormed: bytes)
  }

  /// Characters of an ID that the server makes (Docs/Emulator.md, Reads and lists).
  private static let idLength = 20
}
