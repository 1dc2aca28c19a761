import FirestoreServer
import FirestoreStore
import Foundation
import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import rules_check

/// Whole exports: documents of a server as files, and files as documents of a server.
@Suite struct WholeExportTests {
  private static let id = DatabaseID(project: "demo", database: .standard)
  private static let named = DatabaseID(project: "demo", database: DatabaseName("named"))
  private static let overall = "firestore_export/firestore_export.overall_export_metadata"
  private static let output = "firestore_export/all_namespaces/all_kinds/output-0"
  private static let part =
    "firestore_export/all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"

  /// A folder that is removed in the end.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.path }

    func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Changes a file, or with nil removes it.
    func change(_ name: String, _ edit: (inout [UInt8]?) -> Void) throws {
      var bytes: [UInt8]? = try self.bytes(name)
      edit(&bytes)
      let file = folder.appendingPathComponent(name)
      if let bytes {
        try Data(bytes).write(to: file)
      } else {
        try FileManager.default.removeItem(at: file)
      }
    }
  }

  /// A server that reads and writes exports, asked over HTTP.
  private struct Emulator {
    var server: EmulatorServer
    private var connections: UInt64 = 0

    init(_ documents: Seed? = nil) {
      var configuration = ServerConfiguration()
      if let documents { configuration.documents = documents }
      configuration.exportWriter = { EmulatorExport.answer($0, in: $1, named: $2) }
      configuration.importReader = { EmulatorSeed.answer($0) }
      configuration.hubExporter = FinalExport.exporter(of: "demo")
      server = EmulatorServer(configuration)
    }

    /// Sends a body; the answer with its head.
    mutating func post(_ target: String, _ body: String) -> String {
      connections += 1
      let connection = ConnectionID(connections)
      server.open(connection)
      let text =
        "POST \(target) HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
      server.receive(Array(text.utf8), on: connection, at: Clock.moment)
      return String(decoding: server.takeOutput(of: connection).bytes, as: UTF8.self)
    }

    /// Adds the documents of an export to `(default)` of the project `demo`.
    mutating func add(_ place: Place) -> String {
      post(
        "/emulator/v1/projects/demo:import",
        #"{"database":"\#(String(WholeExportTests.id.name))","#
          + #""export_directory":"\#(place.path)/\#(WholeExportTests.overall)"}"#)
    }
  }

  /// Documents with values of every kind that Firestore stores, as far as the blocks of a log and beyond.
  private static func documents() throws -> Seed {
    var seed = Seed(at: Timestamp(milliseconds: 1_700_000_000_000) ?? .epoch)
    func link(_ project: Text) -> Value {
      .path(
        PathValue(plain: ["projects", project, "databases", "(default)", "documents", "a", "b"]))
    }
    let time = Timestamp(epochSeconds: 1_700_000_000, nanos: 123_456_000) ?? .epoch
    let values: [(Text, Value)] = [
      ("null", .null), ("bool", .bool(true)), ("int", .int(.min)), ("float", .float(-0.0)),
      ("nan", .float(.nan)), ("text", .string("ü😀")), ("bytes", .bytes([0, 255])),
      ("time", .timestamp(time)),
      ("point", .latlng(LatLng(latitude: 1.5, longitude: -2))),
      ("own", link("demo")), ("foreign", link("other")), ("vector", .vector([1, -2.5])),
      ("list", .list([.int(1), .map(MapValue([("k", .list([]))]))])), ("empty", .list([])),
      ("map", .map(MapValue([("a.b", .null), ("__x", .map(MapValue()))]))),
    ]
    func add(
      _ path: [Text], _ data: [(Text, Value)], _ id: DatabaseID = WholeExportTests.id
    ) throws {
      try seed.add(MapValue(data), at: DocumentPath(path), of: id.database, in: id.project)
    }
    try add(["kinds", "all"], values)
    try add(["kinds", "all", "below", "__id7__"], [])
    try add(["large", "one"], [("bytes", .bytes((0..<100_000).map { UInt8($0 % 251) }))])
    for number in 0..<300 { try add(["many", Text("\(number)")], [("n", .int(Int64(number)))]) }
    return seed
  }

  /// True if two databases have the same documents.
  private static func areAlike(_ one: Store, _ other: Store) -> Bool {
    var isAlike = one.count == other.count
    one.forEachDocument { document in
      guard let found = other[document.path],
        Value.areStoredAlike(.map(document.data), .map(found.data))
      else { return isAlike = false }
    }
    return isAlike
  }

  /// Writes the documents as an export of the Firebase CLI's form.
  private static func export(_ seed: Seed, to place: Place) throws {
    let export = try FinalExport(to: place.path, named: nil, of: "demo")
    let lines = try export.write(EmulatorServer(configuration(seed)).databases)
    #expect(lines == ["303 documents of demo exported to \(place.path)"])
  }

  private static func configuration(_ seed: Seed) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.documents = seed
    return configuration
  }

  // MARK: There and back

  @Test func documentsSurviveTheFilesOfTheWayThereAndBack() throws {
    let (documents, first, second) = (try Self.documents(), Place(), Place())
    try Self.export(documents, to: first)
    let read = try EmulatorSeed(first.path)
    #expect(read.words == "303 documents")
    #expect(Self.areAlike(documents.store(Self.id), read.seed.store(Self.id)))
    // Written again they are the same bytes.
    try Self.export(read.seed, to: second)
    #expect(try first.bytes(Self.output) == second.bytes(Self.output))
  }

  @Test func theEndpointsReadAndWriteTheSameFiles() throws {
    let (documents, first, second) = (try Self.documents(), Place(), Place())
    try Self.export(documents, to: first)
    var emulator = Emulator()
    #expect(emulator.add(first).hasPrefix("HTTP/1.1 200 OK"))
    #expect(emulator.server.databases.changed == [Self.id])
    #expect(Self.areAlike(documents.store(Self.id), emulator.server.databases[Self.id]))
    #expect(emulator.post("/_admin/export", #"{"path":"\#(second.path)"}"#).contains(#""OK""#))
    #expect(try first.bytes(Self.output) == second.bytes(Self.output))
    #expect(
      emulator.server.takeNotices() == ["303 documents of demo exported to \(second.path)"])
    let answer = emulator.post(
      "/emulator/v1/projects/demo:export",
      #"{"database":"\#(String(Self.id.name))","export_directory":"\#(first.path)","#
        + #""export_name":"again"}"#)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    let again = first.path + "/again/again.overall_export_metadata"
    #expect(Self.areAlike(documents.store(Self.id), try EmulatorSeed(again).seed.store(Self.id)))
  }

  @Test func theHubRefusesAFolderThatIsNoExport() throws {
    let place = Place()
    try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: place.folder.appendingPathComponent("notes.txt"))
    var emulator = Emulator(try Self.documents())
    let answer = emulator.post("/_admin/export", #"{"path":"\#(place.path)"}"#)
    #expect(answer.hasPrefix("HTTP/1.1 500 "))
    #expect(answer.contains("is not an export: it has no firebase-export-metadata.json"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["notes.txt"])
  }

  @Test func namedDatabasesAreLeftOutAndSaidSo() throws {
    var documents = try Self.documents()
    try documents.add(
      MapValue(), at: DocumentPath(["n", "1"]), of: Self.named.database, in: Self.named.project)
    let (first, second) = (Place(), Place())
    var emulator = Emulator(documents)
    // Only what was changed is known to be a database of its own.
    for (id, place) in [(Self.id, first), (Self.named, second)] {
      try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
      let answer = emulator.post(
        "/emulator/v1/projects/demo:export",
        #"{"database":"\#(String(id.name))","export_directory":"\#(place.path)","#
          + #""export_name":"firestore_export"}"#)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    }
    var other = Emulator()
    #expect(other.add(first).hasPrefix("HTTP/1.1 200 OK"))
    #expect(
      other.post(
        "/emulator/v1/projects/demo:import",
        #"{"database":"\#(String(Self.named.name))","#
          + #""export_directory":"\#(second.path)/\#(Self.overall)"}"#
      ).hasPrefix("HTTP/1.1 200 OK"))
    #expect(other.server.databases.changed == [Self.id, Self.named])
    let place = Place()
    let lines = try FinalExport(to: place.path, named: nil, of: "demo")
      .write(other.server.databases)
    #expect(
      lines == [
        "303 documents of demo exported to \(place.path)",
        "not exported: 1 document of projects/demo/databases/named",
      ])
  }

  // MARK: Damaged files

  /// A file of an export, a change of it, and what is said of it.
  private struct Damage: CustomTestStringConvertible {
    var name: String
    var file: String
    var edit: @Sendable (inout [UInt8]?) -> Void
    /// A part of the sentence behind the name of the file; SECOND is the byte of the second record.
    var words: String
    var testDescription: String { name }
  }

  private static let damages: [Damage] = [
    Damage(
      name: "a changed byte of the first record", file: output,
      edit: { $0?[20] ^= 1 },
      words:
        " is not part of an export: the record at byte 0: does not have the checksum that it says"),
    Damage(
      name: "a changed byte of the second record", file: output,
      edit: { bytes in
        let second = 7 + Int(bytes?[4] ?? 0) + Int(bytes?[5] ?? 0) << 8
        bytes?[second + 9] ^= 1
      },
      words:
        " is not part of an export: the record at byte SECOND: does not have the checksum that it says"
    ),
    Damage(
      name: "a type that no record is", file: output, edit: { $0?[6] = 9 },
      words: " is not part of an export: the record at byte 0: is of type 9, which no record is"),
    Damage(
      name: "an end inside of a record", file: output, edit: { $0?.removeLast(3) },
      words: "beyond the end of its block or of the file"),
    Damage(
      name: "a block without its end", file: output,
      edit: { $0 = $0.map { Array($0[..<40_000]) } },
      words: "beyond the end of its block or of the file"),
    Damage(
      name: "no documents where some are named", file: output, edit: { $0 = nil },
      words: ": no such file or directory"),
    Damage(
      name: "no description", file: overall, edit: { $0 = [] },
      words: " is not part of an export: the record at byte 0: is missing: the file is empty"),
    Damage(
      name: "another text", file: overall, edit: { $0 = Array("not a log".utf8) },
      words:
        "the record at byte 0: has a length of 8289, beyond the end of its block or of the file"),
    Damage(
      name: "a list of files that is none", file: part, edit: { $0 = [0x12, 0x7f] },
      words: " is not part of an export: the record at byte 0: "),
  ]

  @Test(arguments: damages)
  private func damagedFilesAreNamedWithTheByteAndNothingIsStored(_ damage: Damage) throws {
    let place = Place()
    try Self.export(try Self.documents(), to: place)
    let first = try place.bytes(Self.output)
    let second = 7 + Int(first[4]) + Int(first[5]) << 8
    let words = damage.words.replacing("SECOND", with: "\(second)")
    try place.change(damage.file, damage.edit)
    do throws(UsageProblem) {
      _ = try EmulatorSeed(place.path)
      Issue.record("it was read")
    } catch {
      #expect(error.message.hasPrefix(place.path + "/" + damage.file), "\(error.message)")
      #expect(error.message.contains(words), "\(error.message)")
      var emulator = Emulator()
      let answer = emulator.add(place)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      let said = error.message.replacing("/", with: "\\/").replacing("\"", with: "\\\"")
      #expect(answer.contains(said), "\(answer)")
      #expect(emulator.server.databases.changed.isEmpty)
    }
  }

  @Test func whatIsNoSuchFileIsRefusedInTheOfficialWords() throws {
    let place = Place()
    try Self.export(try Self.documents(), to: place)
    var emulator = Emulator()
    for path in ["", "none", place.path, place.path + "/firebase-export-metadata.json"] {
      let answer = emulator.post(
        "/emulator/v1/projects/demo:import",
        #"{"database":"\#(String(Self.id.name))","export_directory":"\#(path)"}"#)
      #expect(answer.contains("Failed to parse overall export metadata file"))
    }
    #expect(emulator.server.databases.changed.isEmpty)
  }
}
