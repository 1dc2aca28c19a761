import FirestoreServer
import FirestoreStore
import FirestoreWire
import RulesEval
import RulesHost
import RulesLang

/// The documents with which an emulator begins, read from an export of the official one.
struct EmulatorSeed {
  /// The file that marks a folder as an export of the Firebase CLI.
  static let description = "firebase-export-metadata.json"
  private static let overall = ExportMetadata.overall

  /// The documents.
  private(set) var seed: Seed

  /// Reads an export: a folder of the Firebase CLI, one with an `.overall_export_metadata`, or that file.
  init(_ path: String) throws(UsageProblem) {
    seed = Seed(at: Clock.moment)
    let file = try Self.overallFile(of: path)
    for part in try Self.names(in: file, ExportMetadata.parts) {
      for output in try Self.names(in: part, ExportMetadata.outputs) { try add(output) }
    }
  }

  /// Reads an export for the endpoint of the server.
  static func answer(_ path: String) -> ImportCall.Outcome {
    // The official emulator's answer for any other file.
    guard path.hasSuffix(overall), FileSystem.kind(of: path) == .file else {
      return .refused("Failed to parse overall export metadata file")
    }
    do throws(UsageProblem) {
      return .read(try EmulatorSeed(path).seed)
    } catch {
      return .refused(error.message)
    }
  }

  /// The number of documents, in words.
  var words: String {
    let counts = seed.counts
    let total = counts.reduce(0) { $0 + $1.documents }
    let others = counts.filter { $0.database != .standard }.map { String($0.database.text) }
    let names = others.isEmpty ? "" : " (databases: \(others.joined(separator: ", ")))"
    return total.of("document") + names
  }

  private mutating func add(_ file: String) throws(UsageProblem) {
    var reader = ExportReader(try Self.read(file))
    do throws(ExportProblem) {
      while let document = try reader.next() {
        do throws(Refusal) {
          try seed.add(
            document.data, at: document.path, of: document.database, in: document.project)
        } catch {
          throw ExportProblem(offset: reader.offset, reason: error.message)
        }
      }
    } catch {
      throw Self.problem(error, in: file)
    }
  }

  /// Returns the names of files that a file lists.
  private static func names(
    in file: String, _ read: ([UInt8]) throws(ExportProblem) -> [Text]
  ) throws(UsageProblem) -> [String] {
    let bytes = try Self.read(file)
    do throws(ExportProblem) {
      return try read(bytes).map { FilePath.join(FilePath.folder(of: file), with: String($0)) }
    } catch {
      throw problem(error, in: file)
    }
  }

  private static func read(_ file: String) throws(UsageProblem) -> [UInt8] {
    do throws(FileProblem) {
      return try FileSystem.read(file)
    } catch {
      throw UsageProblem(error)
    }
  }

  private static func problem(_ problem: ExportProblem, in file: String) -> UsageProblem {
    var usage = UsageProblem(
      "\(file) is not part of an export: the record at byte \(problem.offset): "
        + Printable.text(problem.reason))
    usage.file = file
    return usage
  }

  // MARK: Finding it

  private static func overallFile(of path: String) throws(UsageProblem) -> String {
    switch FileSystem.kind(of: path) {
    case .missing:
      throw UsageProblem(FileProblem(path: path, reason: "there is no such export"))
    case .file:
      if path.hasSuffix(overall) { return path }
      if FilePath.name(of: path) == description { return try described(by: path) }
      throw UsageProblem(
        "\(path) is not an export",
        help: "an export is a folder with \(description), or a file that ends in \(overall)")
    case .folder:
      let file = FilePath.join(path, with: description)
      if FileSystem.kind(of: file) == .file { return try described(by: file) }
      do throws(FileProblem) {
        let found = try FileSystem.files(below: path, suffix: overall, isDeep: false)
        if found.count == 1 { return found[0] }
      } catch {
        throw UsageProblem(error)
      }
      throw UsageProblem(
        "\(path) is not an export: it has no \(description)",
        help: "`firebase emulators:export DIR` writes one, and --export-on-exit here")
    }
  }

  /// Returns the file that the description of an export names. Throws if it is outside of the export's
  /// folder.
  private static func described(by file: String) throws(UsageProblem) -> String {
    let json = try? JSONParser.parse(SourceText(name: file, bytes: try read(file)))
    guard let firestore = json?.member("firestore") else {
      throw UsageProblem("\(file) names no export of Firestore")
    }
    guard case .string(let name)? = firestore.member("metadata_file")?.kind,
      !name.bytes.starts(with: "/".utf8), !String(name).split(separator: "/").contains("..")
    else { throw UsageProblem("\(file) has no `firestore.metadata_file` in its folder") }
    return FilePath.join(FilePath.folder(of: file), with: String(name))
  }
}
