import RulesEval
import RulesLang

/// A converter of document references between messages, where they name their project, and the evaluator,
/// whose paths begin with the database.
///
/// In the message's own project, `projects/P/databases/D/documents/a/b` is `/databases/D/documents/a/b`. A
/// reference to another project keeps its first two segments, as does everything else that begins with
/// `projects`, so that each reference is written as it was read.
struct ReferenceName: Sendable {
  /// The project of the message.
  let project: Text

  private static let slash = UInt8(ascii: "/")

  /// Returns the path of a reference.
  func path(of name: Text) throws(WireProblem) -> PathValue {
    var segments = name.bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
      .map { Text(wellFormed: Array($0)) }
    guard segments[0] == "projects" else {
      throw .argument("Resource name \"\(String(name))\" lacks \"projects\" at index 0.")
    }
    if segments.count > 2, segments[1] == project, segments[2] == "databases" {
      segments.removeFirst(2)
    }
    return PathValue(plain: segments)
  }

  /// Returns the reference of a path. Captures, which stored paths do not have, become empty.
  func name(of path: PathValue) -> Text {
    var bytes: [UInt8] = []
    if case .plain(let root)? = path.segments.first, root == "databases" {
      bytes += "projects/".utf8
      bytes += project.bytes
    }
    for segment in path.segments {
      if !bytes.isEmpty { bytes.append(Self.slash) }
      if case .plain(let text) = segment { bytes += text.bytes }
    }
    return Text(wellFormed: bytes)
  }

  /// Returns the project in the name of a resource, such as `P` in `projects/P/databases/D`; empty if there
  /// is none.
  static func project(of resource: Text) -> Text {
    let segments = resource.bytes.split(
      separator: slash, maxSplits: 2, omittingEmptySubsequences: false)
    guard segments.count > 1, segments[0].elementsEqual("projects".utf8) else { return Text() }
    return Text(wellFormed: Array(segments[1]))
  }
}
