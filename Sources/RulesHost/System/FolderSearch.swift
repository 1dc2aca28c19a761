#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A search for files in a folder and those below it.
///
/// Links are followed. Each folder is entered once, by its own name if it has one in the search: links that
/// lead around in circles do not keep it from ending. What looks wanted and cannot be had is a problem: a
/// search that passes over a suite would let it fail in silence.
struct FolderSearch {
  /// The files that were found, in no order.
  private(set) var found: [String] = []
  /// What may be wanted and cannot be had.
  private(set) var problems: [FileProblem] = []
  /// What was passed over and may have led to more.
  private(set) var remarks: [FileProblem] = []
  private let suffix: String
  private let isDeep: Bool
  private var entered: Set<[UInt64]> = []
  /// Folders that are reached by links: they are entered when all others have been.
  private var linked: [String] = []

  /// More folders inside each other nobody has on purpose.
  private static let maximumDepth = 64

  /// Looks for files whose names end in `suffix`.
  init(suffix: String, isDeep: Bool) {
    self.suffix = suffix
    self.isDeep = isDeep
  }

  /// Searches a folder; hidden ones inside of it are left out.
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
      // Whoever reads a pipe that nobody writes to waits for ever.
      case .file where path.hasSuffix(suffix) && FileSystem.isStream(path):
        refuse(path, "is a pipe or a device, not a file")
      case .file: if path.hasSuffix(suffix) { found.append(path) }
      case .missing where path.hasSuffix(suffix):
        refuse(path, "is a link to what is not there")
      // It may have been a folder. What lies in a folder and went away meanwhile is nothing to speak of.
      case .missing where isDeep && FileSystem.isLink(path):
        remarks.append(FileProblem(path: path, reason: "is a link to what is not there"))
      case .missing: continue
      }
    }
  }

  private mutating func refuse(_ path: String, _ reason: String) {
    problems.append(FileProblem(path: path, reason: reason))
  }

  /// The paths of what is in a folder, sorted, so that links are met in the same order everywhere.
  private mutating func entries(of folder: String) -> [String] {
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
          refuse(FilePath.join(folder, with: shown), "has a name that is no UTF-8")
        }
        continue
      }
      names.append(name)
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      .map { FilePath.join(folder, with: $0) }
  }
}
