public import RulesLang

/// The files of an export that name its other files.
public enum ExportMetadata {
  /// The suffix of the file that is the root of an export.
  public static let overall = ".overall_export_metadata"

  /// Returns the paths of the `.export_metadata` files in an `.overall_export_metadata` file, relative to its
  /// folder.
  public static func parts(ofOverall bytes: [UInt8]) throws(ExportProblem) -> [Text] {
    var records = LogReader(bytes)
    // The first record has the version of the format.
    guard try records.next() != nil else {
      throw ExportProblem(offset: 0, reason: "is missing: the file is empty")
    }
    var paths: [Text] = []
    while let record = try records.next() {
      paths += try names(in: record.bytes, at: WireTag(1, .delimited), offset: record.offset)
    }
    return paths
  }

  /// Returns the names of the files with documents in an `.export_metadata` file, relative to its folder.
  public static func outputs(ofPart bytes: [UInt8]) throws(ExportProblem) -> [Text] {
    try names(in: bytes, at: WireTag(2, .delimited), offset: 0)
  }

  /// Returns the paths in the messages of a field, each in the second field of its message.
  private static func names(
    in bytes: [UInt8], at field: WireTag, offset: Int
  ) throws(ExportProblem) -> [Text] {
    do throws(WireProblem) {
      var reader = ProtobufReader(bytes, project: Text())
      var found: [Text] = []
      while !reader.isAtEnd {
        let tag = try reader.tag()
        guard tag == field else {
          try reader.skip(tag)
          continue
        }
        let outer = try reader.enter()
        while !reader.isAtEnd {
          let tag = try reader.tag()
          if tag == WireTag(2, .delimited) {
            found.append(try path(try reader.text()))
          } else {
            try reader.skip(tag)
          }
        }
        reader.leave(to: outer)
      }
      return found
    } catch {
      throw ExportProblem(error, offset: offset)
    }
  }

  /// Returns a path. Throws if it leaves the folder of the file.
  private static func path(_ text: Text) throws(WireProblem) -> Text {
    let steps = text.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isInside = steps.allSatisfy { step in
      !step.isEmpty && !step.contains(0) && !step.elementsEqual("..".utf8)
    }
    guard isInside else {
      throw .protobuf("the path \(String(text)) does not stay in the folder of the export")
    }
    return text
  }
}
