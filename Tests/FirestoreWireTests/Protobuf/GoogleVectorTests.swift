import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

/// Both notations against Google's own.
@Suite struct GoogleVectorTests {
  /// One message in both notations.
  struct Vector: Sendable, CustomTestStringConvertible {
    var type: MessageType
    var bytes: [UInt8]
    var json: String

    var testDescription: String { "\(type) \(json)" }
  }

  static let vectors: [Vector] = {
    var types: [String: MessageType] = [:]
    for type in MessageType.allCases { types["\(type)"] = type }
    let lines = GoogleVectors.text.split(separator: "\n")
    return stride(from: 0, to: lines.count - 1, by: 2).compactMap { place in
      let words = lines[place].split(separator: " ", omittingEmptySubsequences: false)
      guard let type = types[String(words[0])] else { return nil }
      return Vector(type: type, bytes: Bytes.hex(String(words[1])), json: String(lines[place + 1]))
    }
  }()

  @Test func allAreThere() { #expect(Self.vectors.count == 76) }

  @Test(arguments: vectors)
  func theProtobufIsReadAndWrittenAsGoogleWritesIt(_ vector: Vector) throws {
    let message = try WireMessage(protobuf: vector.bytes, as: vector.type, project: "p")
    #expect(Bytes.hex(message.protobuf(project: "p")) == Bytes.hex(vector.bytes))
  }

  @Test(arguments: vectors)
  func theJSONIsReadAsTheProtobuf(_ vector: Vector) throws {
    let message = try WireMessage(
      jsonText: Array(vector.json.utf8), as: vector.type, project: "p")
    #expect(Bytes.hex(message.protobuf(project: "p")) == Bytes.hex(vector.bytes))
  }

  @Test(arguments: vectors, [JSONLayout.pretty, .compact])
  func theJSONIsTheSameAsGoogles(_ vector: Vector, _ layout: JSONLayout) throws {
    let message = try WireMessage(protobuf: vector.bytes, as: vector.type, project: "p")
    let own = message.json(project: "p", layout: layout)
    let theirs = try JSONParser.parse(SourceText(name: "theirs", vector.json))
    let ours = try JSONParser.parse(SourceText(name: "ours", bytes: own))
    #expect(isSame(ours, theirs), "\(String(decoding: own, as: UTF8.self))")
  }

  /// Compares two texts member by member in any order, and numbers as what they are.
  private func isSame(_ one: JSON, _ other: JSON) -> Bool {
    switch (one.kind, other.kind) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let other)): return one == other
    case (.string(let one), .string(let other)): return one == other
    case (.number(let one), .number(let other)): return Double(one) == Double(other)
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy(isSame)
    case (.object(let one), .object(let other)):
      return one.count == other.count
        && one.allSatisfy { member in
          other.contains { $0.key == member.key && isSame($0.value, member.value) }
        }
    default: return false
    }
  }
}
