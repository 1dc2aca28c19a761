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
  mutating func enter(_ folder: String) throws(FileProblem) {
    try enter(folder, depth: 0)
    while !linked.isEmpty {
      let next = linked.removeFirst()
      try enter(next, depth: next.utf8.count { $0 == UInt8(ascii: "/") })
    }
  }

  private mutating func enter(_ folder: String, depth: Int) throws(FileProblem) {
    guard depth < Self.maximumDepth else {
      throw FileProblem(path: folder, reason: "lies more than \(Self.maximumDepth) folders deep")
    }
    if let stamp = FileSystem.Stamp(folder), !entered.insert(stamp.file).inserted { return }
    for path in try Self.entries(of: folder, suffix: suffix) {
      switch FileSystem.kind(of: path) {
      case .folder where !isDeep: continue
      case .folder:
        if FileSystem.isLink(path) {
          linked.append(path)
        } else {
          try enter(path, depth: depth + 1)
        }
      case .file: if path.hasSuffix(suffix) { found.append(path) }
      case .missing where path.hasSuffix(suffix):
        throw FileProblem(path: path, reason: "is a link to what is not there")
      // What lies in a folder and went away meanwhile, or a link that has nothing to do with this.
      case .missing: continue
      }
    }
  }

  /// The paths of what is in a folder, sorted, so that links are met in the same order everywhere.
  private static func entries(
    of folder: String, suffix: String
  ) throws(FileProblem) -> [String] {
    guard let handle = opendir(folder) else {
      throw FileProblem(path: folder, reason: FileSystem.lastError)
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
        if !shown.hasSuffix(suffix) { continue }
        throw FileProblem(
          path: FilePath.join(folder, with: shown), reason: "has a name that is no UTF-8")
      }
      names.append(name)
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      .map { FilePath.join(folder, with: $0) }
  }
}
