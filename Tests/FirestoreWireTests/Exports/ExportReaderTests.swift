import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

/// Documents of exports.
@Suite struct ExportReaderTests {
  private static func documents(_ bytes: [UInt8]) throws(ExportProblem) -> [ExportedDocument] {
    var reader = ExportReader(bytes)
    var found: [ExportedDocument] = []
    while let document = try reader.next() { found.append(document) }
    return found
  }

  @Test func theOfficialExportIsRead() throws {
    #expect(
      try ExportMetadata.parts(ofOverall: RecordedExport.overall)
        == ["all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"])
    #expect(try ExportMetadata.outputs(ofPart: RecordedExport.part) == ["output-0"])
    let found = try Self.documents(RecordedExport.output)
    #expect(found.map { $0.path.text } == ["/u/__id7__/p/q", "/t/all"])
    #expect(found.allSatisfy { $0.project == "demo-rec" && $0.database == .standard })
    #expect(found[0].data.count == 0)
  }

  @Test func valuesOfEachKindAreRead() throws {
    let data = try Self.documents(RecordedExport.output)[1].data
    let time = try #require(Timestamp(epochSeconds: 1_704_164_645, nanos: 678_901_000))
    let old = try #require(Timestamp(epochSeconds: -1, nanos: 500_000_000))
    let expected: [(Text, Value)] = [
      ("n", .null), ("t", .bool(true)), ("i", .int(-5)), ("d", .float(1.5)), ("z", .float(-0.0)),
      ("nan", .float(.nan)), ("s", .string("ü😀")), ("b", .bytes([0, 255])),
      ("ts", .timestamp(time)), ("old", .timestamp(old)),
      ("own", .path(Self.reference("demo-rec", "(default)", "a", "b", "c", "__id7__"))),
      ("far", .path(Self.reference("demo-far", "far", "a", "b"))),
      ("g", .latlng(LatLng(latitude: 12.5, longitude: -70.25))),
      (
        "l", .list([.int(1), .string("x"), .null, .map(MapValue([("k", .list([]))])), .bool(true)])
      ),
      ("e", .list([])),
      (
        "m",
        .map(MapValue([("v", .vector([1])), ("a", .map(MapValue([("b", .list([.int(2)]))])))]))
      ),
      ("me", .map(MapValue())), ("v", .vector([1, -2.5])),
    ]
    #expect(data.count == expected.count)
    for (name, value) in expected {
      let read = try #require(data[name], "\(String(name))")
      #expect(Self.bytes(of: read) == Self.bytes(of: value), "\(String(name))")
    }
  }

  private static func reference(_ project: Text, _ database: Text, _ path: Text...) -> PathValue {
    PathValue(plain: ["projects", project, "databases", database, "documents"] + path)
  }

  /// A value as the wire has it, which tells all values apart.
  private static func bytes(of value: Value) -> [UInt8] {
    WireMessage(.document) { $0[.documentFields] = MapValue([("v", value)]) }.protobuf(project: "")
  }

  // MARK: Entities made by hand

  private static func part(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    let bits = Int(number) << 3 | 2
    return length(bits) + length(content.count) + content
  }

  private static func length(_ count: Int) -> [UInt8] {
    count < 128 ? [UInt8(count)] : [UInt8(count & 127) | 128] + length(count >> 7)
  }

  /// A key of the project `d` with an element of these bytes.
  private static func key(_ element: [UInt8], further: [UInt8] = []) -> [UInt8] {
    let start = UInt8(1 << 3 | 3)
    let end = UInt8(1 << 3 | 4)
    let path = part(14, [start] + element + [end])
    return part(13, part(13, Array("dev~d".utf8)) + path + further)
  }

  private static let plainKey = key(part(2, [0x74]) + part(4, [0x6B]))

  /// A field `a` with a meaning and a value.
  private static func field(_ meaning: UInt8, _ value: [UInt8]) -> [UInt8] {
    part(15, [1 << 3, meaning] + part(3, [0x61]) + part(5, value))
  }

  @Test func badEntitiesAreRefusedWithTheField() {
    let key = Self.plainKey
    let cases: [(bytes: [UInt8], words: String)] = [
      ([], "no key"),
      (Self.part(13, []), "no key"),
      ([0x6A, 0x20, 0x6A], "leaves the message"),
      (Self.key(Self.part(2, [0x74])), "no kind or no ID"),
      (Self.key([]), "no kind or no ID"),
      (Self.key(Self.part(2, [0x74]) + [0x14]), "that has not begun"),
      (
        Self.key(Self.part(2, [0x74]) + Self.part(4, [0x6B]), further: Self.part(20, [0x6E])),
        "namespace"
      ),
      (key + Self.field(99, []), "a: a value has the unknown meaning 99"),
      (key + Self.field(19, [8, 1]), "a: a value of the meaning 19 has another content"),
      (key + Self.field(31, [8, 1]), "a: a value of the meaning 31 has another content"),
      (key + Self.field(0, []) + Self.field(0, []), "a: the field a comes twice"),
      (key + Self.field(24, []) + Self.field(24, []), "a: the field a comes twice"),
      (key + Self.field(0, Self.part(3, [0xFF])), "a: a text is not UTF-8"),
      (key + Self.field(0, [8 << 3 | 3]), "Google account"),
      (
        key + Self.field(7, [8] + [UInt8](repeating: 0xFF, count: 8) + [0x7F]),
        "a: the time of 9223372036854775807"
      ),
    ]
    for (bytes, words) in cases {
      do throws(WireProblem) {
        _ = try ExportedDocument(entity: bytes)
        Issue.record("\(words) is not refused")
      } catch {
        let problem = ExportProblem(error, offset: 0)
        #expect(problem.reason.contains(words), "\(problem.reason)")
      }
    }
  }

  @Test func namesOfDatabasesAreRead() throws {
    let named = Self.key(
      Self.part(2, [0x74]) + Self.part(4, [0x6B]), further: Self.part(23, Array("named".utf8)))
    #expect(try ExportedDocument(entity: named).database == DatabaseName("named"))
    #expect(try ExportedDocument(entity: Self.plainKey).database == .standard)
  }

  @Test func mapsAreReadToALimitedDepth() throws {
    func entity(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce([]) { inner, _ in Self.field(19, Self.part(3, inner)) }
    }
    _ = try ExportedDocument(entity: Self.plainKey + entity(20))
    for depth in [21, 2000] {
      #expect(throws: WireProblem.self) {
        try ExportedDocument(entity: Self.plainKey + entity(depth))
      }
    }
  }

  @Test func pathsOfOtherFilesStayInTheFolder() {
    for path in ["../x", "/etc/x", "a/../b", "a//b", ""] {
      let name = [0x12, UInt8(path.utf8.count)] + Array(path.utf8)
      #expect(throws: ExportProblem.self, "\(path)") {
        try ExportMetadata.outputs(ofPart: [0x12, UInt8(name.count)] + name)
      }
    }
  }

  /// Every prefix and every changed byte of a record is read or refused, and nothing else happens.
  @Test func hostileEntitiesAreReadOrRefused() throws {
    var records = LogReader(RecordedExport.output)
    var refused = 0
    var read = 0
    while let record = try records.next() {
      for place in record.bytes.indices {
        for change in [UInt8(0x01), 0x04, 0x80, 0xFF] {
          var bytes = record.bytes
          bytes[place] ^= change
          for entity in [bytes, Array(bytes[...place])] {
            if (try? ExportedDocument(entity: entity)) == nil { refused += 1 } else { read += 1 }
          }
        }
      }
    }
    #expect(refused > 1000)
    #expect(read > 100)
  }
}
