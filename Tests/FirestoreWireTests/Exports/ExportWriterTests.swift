import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

/// Exports that are written.
@Suite struct ExportWriterTests {
  private static let time = Timestamp(epochSeconds: 1_800_000_000, nanos: 5_000) ?? .epoch

  private static func documents(_ bytes: [UInt8]) throws(ExportProblem) -> [ExportedDocument] {
    var reader = ExportReader(bytes)
    var found: [ExportedDocument] = []
    while let document = try reader.next() { found.append(document) }
    return found
  }

  private static func bytes(_ files: [ExportWriter.File], _ suffix: String) -> [UInt8] {
    files.first { $0.path.hasSuffix(suffix) }?.bytes ?? []
  }

  @Test func theOfficialExportIsWrittenByteForByte() throws {
    var writer = ExportWriter("rec", of: .standard, in: "demo-rec", at: Self.time)
    for document in try Self.documents(RecordedExport.output) {
      writer.add(document.data, at: document.path)
    }
    let files = writer.files
    #expect(
      files.map { $0.path } == [
        "rec.overall_export_metadata",
        "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata",
        "all_namespaces/all_kinds/output-0",
      ])
    #expect(Self.bytes(files, "output-0") == RecordedExport.output)
    #expect(Self.bytes(files, ".overall_export_metadata") == RecordedExport.overall)
    let part = Self.bytes(files, ".export_metadata")
    #expect(part.count == RecordedExport.part.count)
    // The name of the export and the tag of the time before the times, and the file behind them.
    #expect(part.prefix(8) == RecordedExport.part.prefix(8))
    #expect(part.suffix(14) == RecordedExport.part.suffix(14))
    #expect(try ExportMetadata.outputs(ofPart: part) == ["output-0"])
  }

  @Test func anExportWithoutDocumentsIsOneFile() throws {
    let files = ExportWriter("empty", of: .standard, in: "p", at: Self.time).files
    #expect(files.map { $0.path } == ["empty.overall_export_metadata"])
    // The official emulator writes these bytes, too.
    #expect(files[0].bytes == Bytes.hex("b86d444e0100013305 2b28430000 01"))
    #expect(try ExportMetadata.parts(ofOverall: files[0].bytes).isEmpty)
  }

  @Test func recordsOfAllLengthsComeBack() throws {
    let edges = (LogLayout.block - 20..<LogLayout.block + 10).map { $0 }
    for first in edges + [0, 1, 3 * LogLayout.block] {
      var writer = LogWriter()
      let records = [first, 0, 5, LogLayout.block].map { [UInt8](repeating: 9, count: $0) }
      for record in records { writer.add(record) }
      var reader = LogReader(writer.bytes)
      var found: [[UInt8]] = []
      while let record = try reader.next() { found.append(record.bytes) }
      #expect(found == records, "\(first)")
    }
  }

  @Test func randomDocumentsComeBack() throws {
    var maker = MessageMaker(seed: 0xE4)
    var writer = ExportWriter("r", of: DatabaseName("far"), in: "p", at: Self.time)
    var written: [(path: DocumentPath, data: MapValue)] = []
    for number in 1...300 {
      let fields = (0..<maker.below(6)).map { place in
        (Text("f\(place)"), Self.storable(maker.value(depth: 2), inList: false))
      }
      let id = Text(number.isMultiple(of: 2) ? "__id\(number)__" : "d\(number)")
      written.append((DocumentPath(["c", id, "s", "ü"]), MapValue(fields)))
      writer.add(written[number - 1].data, at: written[number - 1].path)
    }
    let read = try Self.documents(Self.bytes(writer.files, "output-0"))
    #expect(read.count == written.count)
    for (one, other) in zip(read, written) {
      #expect(one.project == "p" && one.database == DatabaseName("far"))
      #expect(one.path == other.path)
      #expect(Self.bytes(of: one.data) == Self.bytes(of: other.data))
    }
  }

  /// Fields as the wire has them, which tells all values apart; references name their project there.
  private static func bytes(of data: MapValue) -> [UInt8] {
    WireMessage(.document) { $0[.documentFields] = data }.protobuf(project: "p")
  }

  /// A value that a document can have: no list or vector in a list, no empty vector, whole microseconds.
  private static func storable(_ value: Value, inList: Bool) -> Value {
    switch value {
    case .list(let elements):
      inList ? .null : .list(elements.map { storable($0, inList: true) })
    case .vector(let numbers): inList || numbers.isEmpty ? .null : value
    case .map(let map): .map(MapValue(map.map { ($0.0, storable($0.1, inList: false)) }))
    case .timestamp(let time): .timestamp(time.microsecondPrecise)
    case .null, .bool, .int, .float, .string, .bytes, .set, .duration, .latlng, .path, .mapDiff,
      .constraint:
      value
    }
  }
}
