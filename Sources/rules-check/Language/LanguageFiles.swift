import RulesHost

/// Access to the files beside those that are edited.
struct LanguageFiles: Sendable {
  /// Returns the bytes of a file; nil if it cannot be read.
  var read: @Sendable (_ path: String) -> [UInt8]?
  /// Returns the files below a folder with a suffix.
  var find: @Sendable (_ folder: String, _ suffix: String) -> [String]

  /// The files of the machine.
  static let system = LanguageFiles(
    // A path in a suite may lead to the stream that the protocol comes from.
    read: { FileSystem.isStream($0) ? nil : try? FileSystem.read($0) },
    find: { folder, suffix in
      let found = (try? FileSystem.files(below: folder, suffix: suffix)) ?? []
      return Array(found.filter { !$0.contains("/node_modules/") }.prefix(greatestCount))
    })

  /// Maximum files of a kind in one folder.
  private static let greatestCount = 500
}
