import RulesLang

/// A reader of the documents in a file of an export.
///
/// Checksums, lengths, nesting and kinds of values are checked while reading. The names and sizes of
/// documents are not; the store checks them.
public struct ExportReader: Sendable {
  private var records: LogReader
  /// The offset of the last document's record.
  public private(set) var offset = 0

  /// Creates a reader of the bytes of a file.
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
