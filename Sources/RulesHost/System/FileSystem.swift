#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failure to read or write a file.
package struct FileProblem: Error {
  /// The path as the user typed it.
  package var path: String
  /// The reason, usually the system's.
  package var reason: String

  /// Creates a problem; `reason` follows the path in a sentence.
  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The message for people: the path and the reason.
  package var message: String { "\(path): \(reason)" }
}

/// Files and folders.
package enum FileSystem {
  /// The kind of a path.
  package enum Kind { case file, folder, missing }

  /// Returns the kind of a path, following links.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    guard Confinement.allows(path), stat(path, &status) == 0 else { return .missing }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// True if a path is itself a link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// True if a path leads to something like a terminal or a pipe, which takes one text after another.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return Confinement.allows(path) && stat(path, &status) == 0
      && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Returns the reason why a link leads to nothing.
  package static func problem(ofLink path: String) -> String {
    Confinement.allows(path) ? "is a broken link" : "leads out of the folder that may be read"
  }

  /// Returns the absolute path.
  package static func absolute(_ path: String) -> String {
    guard let here = realpath(".", nil) else { return path }
    defer { free(here) }
    return FilePath.join(String(cString: here), with: path)
  }

  /// Returns the absolute path with links resolved; nil if it leads to nothing.
  package static func real(_ path: String) -> String? {
    guard Confinement.allows(path), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns a path without `.` and `..` steps; unchanged if that would lead elsewhere because of a link.
  package static func plain(_ path: String) -> String {
    let plain = FilePath.normalized(path)
    if plain == path { return path }
    let (wanted, found) = (Stamp(path)?.file, Stamp(plain)?.file)
    return wanted == found ? plain : path
  }

  /// True if two paths lead to the same file.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    if let one = Stamp(one), let other = Stamp(other) { return one.file == other.file }
    return FilePath.normalized(one) == FilePath.normalized(other)
  }

  /// True if a folder is the root of the file system, or of the part of it that may be read.
  package static func isRoot(_ folder: String) -> Bool {
    var here = stat()
    var above = stat()
    guard Confinement.allows(folder + "/.."), stat(folder, &here) == 0,
      stat(folder + "/..", &above) == 0
    else { return true }
    return here.st_dev == above.st_dev && here.st_ino == above.st_ino
  }

  /// A value that changes when a file or folder does.
  package struct Stamp: Hashable {
    private var seconds: Int
    private var nanoseconds: Int
    private var size: Int64
    private var node: UInt64
    private var device: UInt64

    /// The identity of the file.
    var file: [UInt64] { [device, node] }

    /// Creates the stamp of a path; nil if it leads to nothing.
    package init?(_ path: String) {
      var status = stat()
      guard Confinement.allows(path), stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// Creates a stamp from the system's record.
    init(_ status: stat) {
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
      size = Int64(status.st_size)
      node = UInt64(status.st_ino)
      device = UInt64(truncatingIfNeeded: status.st_dev)
    }
  }

  /// Returns the bytes of a file, or of standard input for `-`.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try Confinement.allow(reading: path)
    if path == "-" { return try read(descriptor: STDIN_FILENO, path) }
    if isNamedPipe(path) {
      throw FileProblem(path: path, reason: "is a pipe or a device, not a file")
    }
    let descriptor = try openForReading(path)
    defer { close(descriptor) }
    return try read(descriptor: descriptor, path)
  }

  /// True if a path leads to a named pipe: reading one without a writer never ends. Pipes of the process
  /// itself, such as a shell's `<(…)`, have no name.
  private static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
      let real = real(path)
    else { return false }
    return !real.hasPrefix("/dev/") && !real.hasPrefix("/proc/")
  }

  /// Opens a file for reading.
  static func openForReading(_ path: String) throws(FileProblem) -> Int32 {
    // The system would end the path at the zero byte.
    if path.utf8.contains(0) {
      throw FileProblem(path: path, reason: "has a zero byte in its name")
    }
    try Confinement.allow(reading: path)
    if kind(of: path) == .folder { throw FileProblem(path: path, reason: "is a folder") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(path: path, reason: lastError) }
    InputFiles.add(descriptor)
    return descriptor
  }

  /// Appends up to `limit` bytes of an open file from its position, and returns their number, 0 at the end.
  package static func read(
    _ descriptor: Int32, of path: String, upTo limit: Int, into bytes: inout [UInt8]
  ) throws(FileProblem) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limit))
    while true {
      // Safe: the buffer does not leave the call.
      let count = bytes.withUnsafeMutableBytes {
        systemRead(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
      }
      if count < 0, errno == EINTR { continue }
      bytes.removeLast(limit - max(count, 0))
      if count < 0 { throw FileProblem(path: path, reason: lastError) }
      return count
    }
  }

  /// Maximum bytes of an input without a size, such as a device or pipe.
  private static let maximumOfEndless = 256 << 20
  /// Maximum bytes of a file. Rules, suites and certificates are smaller; logs are not read as a whole.
  private static let maximumOfFile = 1 << 30

  private static func read(descriptor: Int32, _ path: String) throws(FileProblem) -> [UInt8] {
    var status = stat()
    let expected = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    if expected > maximumOfFile {
      throw FileProblem(path: path, reason: "is larger than \(maximumOfFile >> 30) GiB")
    }
    var bytes: [UInt8] = []
    // An input that is not a file has no size beforehand.
    let room = expected > 0 ? min(expected + 1, 1 << 24) : 1 << 16
    while true {
      var count = 0
      // Safe: the buffer does not leave the call, and the bytes read are initialised.
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, used in
        count = systemRead(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
        used = max(0, count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileProblem(path: path, reason: lastError)
      }
      if count == 0 { return bytes }
      if expected == 0, bytes.count + count > maximumOfEndless {
        throw FileProblem(path: path, reason: "is endless, or longer than 256 MiB")
      }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
  }

  private static func systemRead(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer)
    -> Int
  {
    // Safe: the buffer is valid for the call and its own count limits the read.
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  /// Creates a folder and its parents; one that exists is kept.
  package static func makeFolder(_ path: String) throws(FileProblem) {
    try Confinement.allow(writing: path)
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    let outer = FilePath.folder(of: path)
    guard errno == ENOENT, outer != path, !outer.isEmpty else {
      throw FileProblem(path: path, reason: lastError)
    }
    try makeFolder(outer)
    if mkdir(path, 0o755) != 0 { throw FileProblem(path: path, reason: lastError) }
  }

  /// Replaces a file.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try write(bytes, to: path, mode: O_TRUNC)
  }

  /// Replaces an existing file atomically: a reader sees the old bytes or the new ones. Links are followed,
  /// and permissions are kept.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileProblem) {
    try Confinement.allow(writing: path)
    guard let real = realpath(path, nil) else {
      throw FileProblem(path: path, reason: lastError)
    }
    defer { free(real) }
    let target = String(cString: real)
    var status = stat()
    guard stat(target, &status) == 0, access(target, W_OK) == 0 else {
      throw FileProblem(path: path, reason: lastError)
    }
    let draft = target + ".rules-check-\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o7777)
    guard descriptor >= 0 else { throw FileProblem(path: path, reason: lastError) }
    let isWritten =
      write(bytes, descriptor: descriptor) && fchmod(descriptor, status.st_mode & 0o7777) == 0
      && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(draft, target) == 0 else {
      let reason = lastError
      unlink(draft)
      throw FileProblem(path: path, reason: reason)
    }
  }

  /// Appends to a file.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try write(bytes, to: path, mode: O_APPEND)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, mode: Int32
  ) throws(FileProblem) {
    try Confinement.allow(writing: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | mode | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileProblem(path: path, reason: lastError) }
    defer { close(descriptor) }
    guard write(bytes, descriptor: descriptor) else {
      throw FileProblem(path: path, reason: lastError)
    }
  }

  /// Writes all bytes; returns false, with `errno` set, if that fails.
  package static func write(_ bytes: [UInt8], descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safe: the buffer does not leave the call.
      let count = rest.withUnsafeBytes { systemWrite(descriptor, from: $0) }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func systemWrite(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer) -> Int {
    // Safe: the buffer is valid for the call and its own count limits the write.
    #if canImport(Glibc)
      Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.write(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  /// Returns paths without those that lead to the same file as an earlier one.
  package static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<[UInt64]> = []
    return paths.filter { path in Stamp(path).map { seen.insert($0.file).inserted } ?? true }
  }

  /// Returns the files below a folder whose names end in `suffix`, sorted by path, without those in hidden
  /// folders. Unless `isDeep`, only the folder itself is searched. `FolderSearch` documents links.
  package static func files(
    below folder: String, suffix: String, isDeep: Bool = true
  ) throws(FileProblem) -> [String] {
    let found = search(below: folder, suffix: suffix, isDeep: isDeep)
    if let problem = found.problems.first { throw problem }
    return found.files
  }

  /// Returns the files below a folder whose names end in `suffix`, with the problems and remarks of the
  /// search.
  package static func search(
    below folder: String, suffix: String, isDeep: Bool = true
  ) -> FoundFiles {
    var search = FolderSearch(suffix: suffix, isDeep: isDeep)
    search.enter(folder)
    return FoundFiles(
      files: search.found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) },
      problems: search.problems, remarks: search.remarks)
  }

  /// The system's description of the last failure.
  static var lastError: String { String(cString: strerror(errno)).lowercased() }
}

/// Operations on paths as strings.
package enum FilePath {
  /// Returns `folder/name`, or `name` alone if it is absolute or the folder is the working folder.
  package static func join(_ folder: String, with name: String) -> String {
    if name.utf8.first == UInt8(ascii: "/") || folder.isEmpty || folder == "." { return name }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// Returns a path without `.` and without folders that a following `..` leaves; links are not followed.
  package static func normalized(_ path: String) -> String {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." || parts.isEmpty && !isAbsolute || parts.last == ".." {
        parts.append(part)
      } else if !parts.isEmpty {
        parts.removeLast()
      }
    }
    let text = parts.joined(separator: "/")
    return isAbsolute ? "/" + text : text.isEmpty ? "." : text
  }

  /// Returns the rest of a path below a folder; nil if it is outside. Both are absolute.
  static func relative(_ path: String, below folder: String) -> String? {
    if path == folder { return "." }
    let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    guard path.utf8.starts(with: start.utf8) else { return nil }
    return String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
  }

  /// Returns a path relative to a folder, so that both can be moved together; links are not followed.
  package static func relative(_ path: String, to folder: String) -> String {
    let parts = normalized(FileSystem.absolute(path)).split(separator: "/")
    let above = normalized(FileSystem.absolute(folder.isEmpty ? "." : folder)).split(separator: "/")
    var shared = 0
    while shared < min(parts.count - 1, above.count), parts[shared] == above[shared] {
      shared += 1
    }
    // A path that shares no folder with the other one is not moved with it.
    if shared == 0, !above.isEmpty { return "/" + parts.joined(separator: "/") }
    let steps =
      Array(repeating: "..", count: above.count - shared) + parts[shared...].map(String.init)
    return steps.joined(separator: "/")
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// Returns the folder part of a path; empty if there is none.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
