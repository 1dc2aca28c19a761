import RulesEval
public import RulesLang

extension DocumentPath {
  /// The path of the collection that contains a document.
  var collectionPath: DocumentPath { DocumentPath(Array(segments.dropLast())) }

  /// The path of the document that contains a collection, or the collection of a document.
  var documentAbove: DocumentPath {
    DocumentPath(Array(segments.dropLast(isDocument ? 2 : 1)))
  }

  /// True if the path equals another one or is below it.
  func isWithin(_ other: DocumentPath) -> Bool { segments.starts(with: other.segments) }

  /// Throws the reason why the segments cannot alternate as names of collections and documents.
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
  /// Throws the reason why the text cannot be the ID of a collection in a request.
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

  /// Throws if the form or length of the text is invalid for a collection's ID.
  fileprivate func checkCollectionID() throws(Refusal) {
    try checkLength()
    if isReserved || isDots {
      throw .invalidArgument(
        "Collection id \"\(String(self))\" is invalid because it is reserved.")
    }
  }

  /// Throws if the text is too long for a segment of a path.
  fileprivate func checkLength() throws(Refusal) {
    if bytes.count > Impossibility.longestName {
      throw .invalidArgument(
        "The key path element name is longer than \(Impossibility.longestName) bytes.")
    }
  }

  /// Returns an ID for a document that is created without one: 20 letters and digits.
  ///
  /// - Parameter random: At least 20 random bytes of the host; missing ones count as 0.
  public static func newDocumentID(random: [UInt8]) -> Text {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var bytes: [UInt8] = []
    for place in 0..<idLength {
      let number = place < random.count ? Int(random[place]) : 0
      bytes.append(alphabet[number % alphabet.count])
    }
    return Text(wellFormed: bytes)
  }

  /// Length of an ID that the server generates (Docs/Emulator.md, Reads and lists).
  private static let idLength = 20
}
