import RulesLang

/// Reads the documents of a file of an export, one at a time.
///
/// Everything is checked as it is read: checksums, lengths, nesting and kinds of values; not the names and
/// sizes of documents, which the store checks.
public struct ExportReader: Sendable {
  private var records: LogReader
  /// The byte at which the record of the last document begins.
  public private(set) var offset = 0

  /// Begins to read the bytes of a file.
  public init(_ bytes: [UInt8]) { records = LogReader(bytes) }

  /// Reads the next document; nil at the end of the file.
  public mutating func next() throws(ExportProblem) -> ExportedDocument? {
    guard let record = try records.next() else { return nil }
    offset = record.offset
    do throws(WireProblem) {
      return try ExportedDocument(entity: record.bytes)
    } catch {
      throw ExportProblem(error, offset: record.offset)
    }
  }
}
