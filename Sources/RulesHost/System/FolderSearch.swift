#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A search for files in a folder and below it.
///
/// Links are followed. Each folder is entered once, under its own name if the search reaches it so; a cycle
/// of links therefore ends. A match that cannot be read is a problem: if the search skipped a suite, its
/// failure would go unnoticed.
struct FolderSearch {
  /// The files found, unsorted.
  private(set) var found: [String] = []
  /// Possible matches that cannot be read.
  private(set) var problems: [FileProblem] = []
  /// Skipped paths that may lead to matches.
  private(set) var remarks: [FileProblem] = []
  private let suffix: String
  private let isDeep: Bool
  private var entered: Set<[UInt64]> = []
  /// Folders that are reached by links, which are entered last.
  private var linked: [String] = []

  /// Maximum nesting of folders; deeper ones are an accident.
  private static let maximumDepth = 64

  /// Creates a search for files whose names end in `suffix`.
  init(suffix: String, isDeep: Bool) {
    self.suffix = suffix
    self.isDeep = isDeep
  }

  /// Searches a folder; hidden folders inside it are skipped.
  mutating func enter(_ folder: String) {
    enter(folder, depth: 0)
    while !linked.isEmpty {
      let next = linked.removeFirst()
      enter(next, depth: next.utf8.count { $0 == UInt8(ascii: "/") })
    }
  }

  private mutating func enter(_ folder: String, depth: Int) {
    guard depth < Self.maximumDepth else {
      return refuse(folder, "lies more than \(Self.maximumDepth) folders deep")
    }
    if let stamp = FileSystem.Stamp(folder), !entered.insert(stamp.file).inserted { return }
    for path in entries(of: folder) {
      switch FileSystem.kind(of: path) {
      case .folder where !isDeep: continue
      case .folder:
        if FileSystem.isLink(path) {
          linked.append(path)
        } else {
          enter(path, depth: depth + 1)
        }
      // Reading a pipe without a writer never ends.
      case .file where path.hasSuffix(suffix) && FileSystem.isStream(path):
        refuse(path, "is a pipe or a device, not a file")
      case .file: if path.hasSuffix(suffix) { found.append(path) }
      case .missing where path.hasSuffix(suffix):
        refuse(path, FileSystem.problem(ofLink: path))
      // The link may have led to a folder. A file that was deleted meanwhile is ignored.
      case .missing where isDeep && FileSystem.isLink(path):
        remarks.append(FileProblem(path: path, reason: FileSystem.problem(ofLink: path)))
      case .missing: continue
      }
    }
  }

  private mutating func refuse(_ path: String, _ reason: String) {
    problems.append(FileProblem(path: path, reason: reason))
  }

  /// Returns the paths in a folder, sorted, so that links are reached in the same order everywhere.
  private mutating func entries(of folder: String) -> [String] {
    guard Confinement.allows(folder) else {
      refuse(folder, Confinement.reason)
      return []
    }
    guard let handle = opendir(folder) else {
      refuse(folder, FileSystem.lastError)
      return []
    }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        // Safe: `d_name` ends in a zero byte and lives until the next `readdir`.
        Array(bytes.prefix { $0 != 0 })
      }
      if bytes.first == UInt8(ascii: ".") { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let shown = String(decoding: bytes, as: UTF8.self)
        let isFolder = isDeep && entry.pointee.d_type == UInt8(DT_DIR)
        if shown.hasSuffix(suffix) || isFolder {
          refuse(FilePath.join(folder, with: shown), "has a name that is not UTF-8")
        }
        continue
      }
      names.append(name)
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      .map { FilePath.join(folder, with: $0) }
  }
}
