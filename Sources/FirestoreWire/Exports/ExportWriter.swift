public import RulesEval
public import RulesLang

/// A writer of a database's documents as the files of an export.
public struct ExportWriter: Sendable {
  /// A file of an export.
  public struct File: Sendable {
    /// The path in the folder of the export.
    public var path: String
    /// The content.
    public var bytes: [UInt8]
  }

  private let name: String
  private let project: Text
  private let database: DatabaseName
  private let time: Timestamp
  private var log = LogWriter()
  /// The number of documents.
  public private(set) var count = 0

  /// The folder of the documents, relative to that of the export.
  private static let folder = "all_namespaces/all_kinds/"
  /// The file that names the files with documents.
  private static let part = "all_namespaces_all_kinds.export_metadata"
  /// The file with the documents.
  private static let output = "output-0"

  /// Creates an empty export.
  ///
  /// - Parameters:
  ///   - name: The name of the export and of its folder.
  ///   - project: The project of the database, which references within it do not name.
  public init(_ name: String, of database: DatabaseName, in project: Text, at time: Timestamp) {
    self.name = name
    self.project = project
    self.database = database
    self.time = time
  }

  /// Adds a document, in which references are written as in stores.
  public mutating func add(_ data: MapValue, at path: DocumentPath) {
    var writer = ProtobufWriter(project: project)
    writer.entity(
      ExportedDocument(project: project, database: database, path: path, data: data))
    log.add(writer.written)
    count += 1
  }

  /// The files. Without documents there is only one, as on the official emulator.
  public var files: [File] {
    var overall = LogWriter()
    overall.add([Self.version])
    overall.add(count == 0 ? [] : summary)
    var files = [File(path: name + ExportMetadata.overall, bytes: overall.bytes)]
    if count > 0 {
      files.append(File(path: Self.folder + Self.part, bytes: description))
      files.append(File(path: Self.folder + Self.output, bytes: log.bytes))
    }
    return files
  }

  /// The version of the format, as a digit.
  private static let version = UInt8(ascii: "3")

  /// The record about the documents in the file for the whole export.
  private var summary: [UInt8] {
    var writer = ProtobufWriter(project: project)
    writer.int(Int64(log.bytes.count))
    writer.tag(WireTag(4, .varint))
    writer.int(Int64(count))
    writer.tag(WireTag(3, .varint))
    writer.text(Text(Self.folder + Self.part))
    writer.tag(WireTag(2, .delimited))
    let scope = writer.count
    // The scope: all namespaces and all kinds.
    writer.int(3)
    writer.tag(WireTag(3, .varint))
    writer.int(2)
    writer.tag(WireTag(1, .varint))
    writer.length(since: scope)
    writer.tag(WireTag(1, .delimited))
    writer.length(since: 0)
    writer.tag(WireTag(1, .delimited))
    return writer.written
  }

  /// The record about the file with documents: the export's name and times, and the name of the file.
  private var description: [UInt8] {
    var writer = ProtobufWriter(project: project)
    writer.text(Text(Self.output))
    writer.tag(WireTag(2, .delimited))
    writer.text(Text())
    writer.tag(WireTag(1, .delimited))
    writer.length(since: 0)
    writer.tag(WireTag(2, .delimited))
    let mark = writer.count
    for number in [3, 2] as [UInt32] {
      writer.int(time.microseconds)
      writer.tag(WireTag(number, .varint))
    }
    writer.text(Text(name))
    writer.tag(WireTag(1, .delimited))
    writer.length(since: mark)
    writer.tag(WireTag(1, .delimited))
    return writer.written
  }
}

extension Timestamp {
  /// Microseconds since 1970.
  var microseconds: Int64 { epochSeconds * 1_000_000 + Int64(nanos / 1000) }
}
