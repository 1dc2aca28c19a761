import RulesEval
import RulesHost
import RulesLang
import RulesService

/// The kind of an open text.
enum LanguageKind {
  case rules, suite, other

  /// Determines the kind by the name of the file, or by the editor's language ID.
  init(path: String, language: String) {
    if path.hasSuffix(SuiteSearch.suffix) {
      self = .suite
    } else if path.hasSuffix(".rules") || language.lowercased().contains("rules") {
      self = .rules
    } else {
      self = .other
    }
  }
}

/// A text that is open in the editor.
struct OpenDocument {
  /// The text.
  var text: TextDocument
  /// The kind.
  let kind: LanguageKind
  /// The path.
  let path: String
  /// The place where the user is.
  let focus = ProofFocus()

  /// Takes the place of the user from the parameters of a request: its position, or its range if that does
  /// not contain the known place.
  func noteFocus(_ parameters: JSON) {
    if let place = try? LanguageCoder.position(parameters.member("position"), named: "position") {
      noteFocus(place)
    } else if let range = try? LanguageCoder.range(parameters.member("range")),
      !text.range(of: range).contains(focus.offset)
    {
      noteFocus(range.lowerBound)
    }
  }

  /// Takes the place of the user.
  func noteFocus(_ place: TextPosition) { focus.offset = UInt32(text.offset(of: place)) }
}

/// A folder of the editor, with its files and the analyses of these.
struct LanguageFolder {
  /// The path; empty for files outside of all folders.
  let path: String
  /// The analyses of its texts.
  var cache: AnalysisCache
  /// The suites; nil before they are searched.
  var suites: [String]?
  /// The rules files; nil before they are searched.
  var rules: [String]?

  /// Creates a folder with the settings of its `.rulescheck.json`.
  init(_ path: String, files: LanguageFiles) {
    self.path = path
    cache = AnalysisCache(Self.settings(of: path, files))
  }

  /// Reads the configuration again; analyses are dropped if it has changed.
  mutating func readConfiguration(_ files: LanguageFiles) {
    cache.settings = Self.settings(of: path, files)
  }

  private static func settings(of folder: String, _ files: LanguageFiles) -> AnalysisSettings {
    var place = folder
    while !place.isEmpty {
      let path = FilePath.join(place, with: Configuration.fileName)
      if let bytes = files.read(path) {
        var reader = ConfigurationReader(SourceText(name: path, bytes: bytes))
        let read = reader.read()
        var settings = AnalysisSettings(profile: read.profile ?? .emulator, levels: read.levels)
        settings.databases = databases(configured: read.database)
        return settings
      }
      let above = FilePath.folder(of: place)
      if above == place { break }
      place = above
    }
    var settings = AnalysisSettings()
    settings.databases = databases(configured: nil)
    return settings
  }

  /// Returns the databases that the folder's rules are deployed to.
  private static func databases(
    configured: DatabaseName?
  ) -> @Sendable (String) -> [DatabaseName] {
    let databases = Databases(named: nil, configured: configured)
    return { (try? databases.all(of: $0)) ?? [] }
  }
}

/// The open texts and the folders around them.
struct LanguageWorkspace {
  /// The files of the machine.
  let files: LanguageFiles
  /// The unit of positions.
  var encoding = PositionEncoding.utf16
  /// The open texts by URI.
  private(set) var documents: [String: OpenDocument] = [:]
  /// The folders; the last one is for files outside of the others.
  private(set) var folders: [LanguageFolder]

  /// Creates a workspace without open texts.
  init(_ files: LanguageFiles) {
    self.files = files
    folders = [LanguageFolder("", files: files)]
  }

  // MARK: Folders

  /// Adds a folder.
  mutating func add(folder path: String) {
    guard !path.isEmpty, !folders.contains(where: { $0.path == path }) else { return }
    folders.insert(LanguageFolder(path, files: files), at: 0)
    // The innermost of nested folders comes first.
    folders.sort { $0.path.utf8.count > $1.path.utf8.count }
  }

  /// Removes a folder.
  mutating func remove(folder path: String) {
    folders.removeAll { $0.path == path && !path.isEmpty }
  }

  /// Updates what depends on files that have changed outside of the editor.
  mutating func filesChanged(_ paths: [String]) {
    for index in folders.indices {
      folders[index].suites = nil
      folders[index].rules = nil
      let names = [Configuration.fileName, FirebaseProject.fileName]
      if paths.contains(where: { names.contains(FilePath.name(of: $0)) }) {
        folders[index].readConfiguration(files)
      }
    }
  }

  private func folder(of path: String) -> Int {
    folders.firstIndex { folder in
      folder.path.isEmpty || path == folder.path || path.hasPrefix(folder.path + "/")
    } ?? folders.count - 1
  }

  // MARK: Texts

  /// Opens a text.
  mutating func open(_ document: OpenDocument) { documents[document.text.uri] = document }

  /// Changes an open text. False if it is not open.
  mutating func change(_ uri: String, _ changes: [TextChange], version: Int?) -> Bool {
    guard documents[uri] != nil else { return false }
    documents[uri]?.text.apply(changes, version: version)
    return true
  }

  /// Closes a text and returns it; nil if it was not open.
  mutating func close(_ uri: String) -> OpenDocument? { documents.removeValue(forKey: uri) }

  /// Returns the open text of a file; nil if it is not open.
  func document(at path: String) -> OpenDocument? {
    documents.values.first { $0.path == path }
  }

  /// Returns the text of a file, open or not; nil if it cannot be read.
  func text(at path: String) -> TextDocument? {
    if let open = document(at: path) { return open.text }
    guard let bytes = files.read(path) else { return nil }
    return TextDocument(
      uri: FileURI.uri(of: path), SourceText(name: path, bytes: bytes), encoding: encoding)
  }

  // MARK: Analyses

  /// Returns the analysis of rules.
  mutating func analysis(of source: SourceText) -> RulesAnalysis {
    folders[folder(of: source.name)].cache.rules(source)
  }

  /// Returns the analysis of a suite.
  mutating func suite(_ source: SourceText) -> SuiteAnalysis {
    folders[folder(of: source.name)].cache.suite(source)
  }

  /// Returns the settings for a file.
  func settings(for path: String) -> AnalysisSettings { folders[folder(of: path)].cache.settings }

  /// Returns the path of a suite's rules file; nil if it names none.
  func rulesPath(of suite: Suite, at path: String) -> String? {
    suite.rulesPath.map {
      FilePath.normalized(FilePath.join(FilePath.folder(of: path), with: String($0)))
    }
  }

  /// Returns the suites of a rules file, open or not, sorted by path.
  mutating func suites(of rules: String) -> [(path: String, analysis: SuiteAnalysis)] {
    let index = folder(of: rules)
    var paths = folders[index].suites ?? []
    if folders[index].suites == nil {
      let root = folders[index].path
      paths = files.find(root.isEmpty ? FilePath.folder(of: rules) : root, SuiteSearch.suffix)
      // Files outside of all folders can be anywhere.
      if !root.isEmpty { folders[index].suites = paths }
    }
    let opened = documents.values.filter { $0.kind == .suite && !paths.contains($0.path) }
    var found: [(path: String, analysis: SuiteAnalysis)] = []
    for path in (paths + opened.map(\.path)).sorted() {
      guard let text = text(at: path) else { continue }
      let analysis = suite(text.source)
      guard let suite = analysis.suite, rulesPath(of: suite, at: path) == rules else { continue }
      found.append((path, analysis))
    }
    return found
  }

  /// Returns every rules file of the folders, open or not, sorted by path.
  mutating func rulesFiles() -> [String] {
    var paths = Set(documents.values.filter { $0.kind == .rules }.map(\.path))
    for index in folders.indices where !folders[index].path.isEmpty {
      if folders[index].rules == nil {
        folders[index].rules = files.find(folders[index].path, ".rules")
      }
      paths.formUnion(folders[index].rules ?? [])
    }
    return paths.sorted()
  }
}
