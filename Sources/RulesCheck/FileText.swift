#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files that callers name.
enum FileText {
  /// Reads a file. Throws a failure that names it.
  static func bytes(of url: URL) throws(Rules.Failure) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: url))
    } catch {
      throw Rules.Failure(.unusable, saying: "\(url.path): the file cannot be read")
    }
  }
}
