import RulesHost

/// The files around what is edited.
struct LanguageFiles: Sendable {
  /// The bytes of a file; nil if it cannot be read.
  var read: @Sendable (_ path: String) -> [UInt8]?
  /// The files below a folder whose names end in a text.
  var find: @Sendable (_ folder: String, _ suffix: String) -> [String]

  /// Those of the machine.
  static let system = LanguageFiles(
    // What a suite names may be the very stream that the protocol comes from.
    read: { FileSystem.isStream($0) ? nil : try? FileSystem.read($0) },
    find: { folder, suffix in
      let found = (try? FileSystem.files(below: folder, suffix: suffix)) ?? []
      return Array(found.filter { !$0.contains("/node_modules/") }.prefix(greatestCount))
    })

  /// So many files of a kind are looked at in one folder.
  private static let greatestCount = 500
}
