import FirestoreServer
import FirestoreStore
import FirestoreWire
import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// Exports of documents in the official emulator's file format (Docs/Emulator.md, Exports).
enum EmulatorExport {
  /// The Firebase CLI's name for the Firestore export.
  static let usualName = "firestore_export"

  /// Writes an export for the server's endpoint.
  static func answer(_ store: Store, in folder: String, named name: String?) -> ExportCall.Outcome {
    guard FileSystem.kind(of: folder) == .folder else { return .noFolder }
    let name = name ?? "\(usualName)_\(Clock.moment.epochSeconds)"
    guard isName(name) else { return .failed }
    do throws(FileProblem) {
      try write(store, to: FilePath.join(folder, with: name), named: name)
      return .written
    } catch {
      return .failed
    }
  }

  /// True if a text can be a file name.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains(UInt8(ascii: "/"))
      && !text.utf8.contains(0)
  }

  /// Writes the files of an export into a folder of its own.
  static func write(
    _ store: Store, to folder: String, named name: String
  ) throws(FileProblem) {
    var writer = ExportWriter(
      name, of: store.id.database, in: store.id.project, at: Clock.moment)
    store.forEachDocument { writer.add($0.data, at: $0.path) }
    for file in writer.files {
      let path = FilePath.join(folder, with: file.path)
      try FileSystem.makeFolder(FilePath.folder(of: path))
      try FileSystem.write(file.bytes, to: path)
    }
  }
}

/// An export in the form of the Firebase CLI, as an emulator leaves it when it ends.
struct FinalExport {
  /// The folder, which may also contain exports of other emulators of the Firebase CLI.
  let folder: String
  /// The name of the Firestore export.
  private let name: String
  /// The project to export, if it has any documents.
  private let project: String

  /// Prepares an export.
  ///
  /// - Parameter name: The name of the Firestore export; nil for the usual one.
  /// - Throws: The reason why nothing can be written there.
  init(to folder: String, named name: String?, of project: String) throws(UsageProblem) {
    self.folder = folder
    self.name = name ?? EmulatorExport.usualName
    self.project = project
    guard EmulatorExport.isName(self.name) else {
      throw UsageProblem("`\(self.name)` cannot be the name of an export")
    }
    switch FileSystem.kind(of: folder) {
    case .missing: return
    case .file: throw UsageProblem(FileProblem(path: folder, reason: "is not a folder"))
    case .folder:
      let description = FilePath.join(folder, with: EmulatorSeed.description)
      if FileSystem.kind(of: description) == .file { return }
      let files: [String]
      do throws(FileProblem) {
        files = try FileSystem.files(below: folder, suffix: "", isDeep: false)
      } catch {
        throw UsageProblem(error)
      }
      if let file = files.first {
        throw UsageProblem(
          "\(folder) is not an export: it has no \(EmulatorSeed.description), and other files "
            + "such as \(file)",
          help: "export to an empty folder, or to a new one")
      }
    }
  }

  /// Returns what writes exports for the hub.
  static func exporter(of project: String) -> Hub.Exporter {
    { databases, folder in
      do throws(UsageProblem) {
        let export = try FinalExport(to: folder, named: nil, of: project)
        return .written(try export.write(databases))
      } catch {
        return .failed(error.message)
      }
    }
  }

  /// Writes the documents of one project's database `(default)`, and returns lines about what was written and
  /// what was not.
  func write(_ databases: StoredDatabases) throws(UsageProblem) -> [String] {
    let used = databases.changed
    let projects = Set(used.filter { $0.database == .standard }.map { $0.project })
    var id = DatabaseID(project: Text(project), database: .standard)
    if projects.count == 1, let only = projects.first { id.project = only }
    let store = databases[id]
    do throws(FileProblem) {
      try EmulatorExport.write(store, to: FilePath.join(folder, with: name), named: name)
      let description = FilePath.join(folder, with: EmulatorSeed.description)
      try FileSystem.write(Array(try self.description(at: description).utf8), to: description)
    } catch {
      throw UsageProblem(error)
    }
    var lines = [
      "\(store.count.of("document")) of \(String(id.project)) exported to \(Printable.text(folder))"
    ]
    for other in used where other != id && databases[other].count > 0 {
      lines.append(
        "not exported: \(databases[other].count.of("document")) of "
          + Printable.text(String(other.name)))
    }
    return lines
  }

  /// Returns the folder's description, which keeps its entries for exports of other emulators.
  private func description(at path: String) throws(FileProblem) -> String {
    var members: [(String, JSONText)] = [("version", .string(Product.version))]
    members.append(
      (
        "firestore",
        .object([
          ("version", .string(Product.version)), ("path", .string(name)),
          ("metadata_file", .string("\(name)/\(name)\(ExportMetadata.overall)")),
        ])
      ))
    if FileSystem.kind(of: path) == .file {
      let old = try? JSONParser.parse(SourceText(name: path, bytes: try FileSystem.read(path)))
      if case .object(let known)? = old?.kind {
        for member in known where member.key != "firestore" && member.key != "version" {
          members.append((String(member.key), JSONText(member.value)))
        }
      }
    }
    return JSONText.object(members).pretty
  }
}
