import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// Damaged exports: an export that is read, written again and read again must give the same documents.
enum ExportFuzz {
  private static let time = Timestamp(epochSeconds: 1_800_000_000) ?? .epoch

  /// Reads the export of a seed: a document whose record is damaged under a right checksum, or in one case of
  /// eight the file.
  static func play(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    let fields = (0..<random.below(4)).map { (Text("f\($0)"), value(&random, depth: 0)) }
    let path = DocumentPath(["a", Text(random.onceIn(2) ? "b" : "__id7__")])
    let file = written([(path, MapValue(fields))])
    let bytes: [UInt8]
    if random.onceIn(8) {
      bytes = TrialConversation.mutated(file, &random)
    } else {
      var log = LogWriter()
      let record = Array(file.dropFirst(LogLayout.header))
      log.add(random.onceIn(4) ? record : TrialConversation.mutated(record, &random))
      bytes = log.bytes
    }
    guard let read = documents(of: bytes) else { return .refused }
    let once = written(read)
    guard let again = documents(of: once) else { return .failed("what is written is not read") }
    return written(again) == once ? .taken : .failed("written twice, it differs")
  }

  /// Returns the documents of a file; nil if it is refused.
  private static func documents(of bytes: [UInt8]) -> [(DocumentPath, MapValue)]? {
    var reader = ExportReader(bytes)
    var found: [(DocumentPath, MapValue)] = []
    do throws(ExportProblem) {
      while let document = try reader.next() { found.append((document.path, document.data)) }
    } catch {
      return nil
    }
    return found
  }

  private static func written(_ documents: [(DocumentPath, MapValue)]) -> [UInt8] {
    var writer = ExportWriter("fuzz", of: .standard, in: "p", at: time)
    for (path, data) in documents { writer.add(data, at: path) }
    return writer.files.first { $0.path.hasSuffix("output-0") }?.bytes ?? []
  }

  private static func value(_ random: inout TrialRandom, depth: Int) -> Value {
    switch random.below(depth < 3 ? 10 : 8) {
    case 0: return .null
    case 1: return .bool(random.onceIn(2))
    case 2: return .int(Int64(bitPattern: random.next()))
    case 3: return .float(Double(bitPattern: random.next()))
    case 4: return .string("text")
    case 5: return .timestamp(time)
    case 6: return .bytes(random.bytes(random.below(9)))
    case 7:
      return .path(
        PathValue(plain: ["projects", "p", "databases", "(default)", "documents", "a", "b"]))
    case 8:
      return .map(
        MapValue((0..<random.below(4)).map { (Text("k\($0)"), value(&random, depth: depth + 1)) }))
    default: return .list((0..<random.below(4)).map { _ in value(&random, depth: depth + 1) })
    }
  }
}
