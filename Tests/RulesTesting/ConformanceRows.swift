import Foundation
import RulesLang
import Testing

/// One line of a file of measured answers: its number and its fields.
struct ConformanceRow: CustomStringConvertible {
  /// The name of the file.
  var file: String
  /// The number of the line, from 1.
  var line: Int
  /// The text between the tabs.
  var fields: [String]

  /// The place and the fields, for a failed expectation.
  var description: String { "\(file):\(line) \(fields.joined(separator: " | "))" }

  /// The field at `index`, empty past the end of the line.
  subscript(index: Int) -> String { index < fields.count ? fields[index] : "" }

  /// The field as an integer.
  func int(_ index: Int) throws -> Int64 { try #require(Int64(self[index]), "\(self)") }

  /// The field as a float in the notation of the standard library.
  func float(_ index: Int) throws -> Double {
    let names = ["NaN": Double.nan, "Infinity": .infinity, "-Infinity": -.infinity]
    return try #require(names[self[index]] ?? Double(self[index]), "\(self)")
  }

  /// The field as a text, in which `\uXXXX` stands for a UTF-16 unit.
  func text(_ index: Int) throws -> Text {
    let pieces = self[index].components(separatedBy: "\\u")
    var units = Array(pieces[0].utf16)
    for piece in pieces.dropFirst() {
      units.append(try #require(UInt16(piece.prefix(4), radix: 16), "\(self)"))
      units += piece.dropFirst(4).utf16
    }
    return Text(units: units)
  }

  /// Reads a file of the folder `Conformance`: tab-separated lines, those with `#` left out.
  static func all(of file: String) throws -> [ConformanceRow] {
    let folder = ConformanceData.tests.appendingPathComponent("Conformance")
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      if line.isEmpty || line.hasPrefix("#") { return nil }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return ConformanceRow(file: file, line: index + 1, fields: fields)
    }
  }
}

/// Whether two floats are the same one; any NaN is the same as any other.
func isSame(_ left: Double, _ right: Double) -> Bool {
  left.isNaN ? right.isNaN : left.bitPattern == right.bitPattern
}
