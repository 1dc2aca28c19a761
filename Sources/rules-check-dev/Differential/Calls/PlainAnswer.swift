import FirestoreWire
import RulesEval
import RulesHost
import RulesLang

/// Writes the messages of one side without values that differ from run to run: versions become numbers in the
/// order of their first occurrence; tokens, read times and identifiers drawn by the server become words.
struct PlainAnswer {
  /// The project, which is left out of references.
  let project: String
  private var numbers: [String: Int] = [:]

  /// Creates a writer for a new sequence.
  init(project: String) { self.project = project }

  /// Returns a message as one line of JSON, keys in order.
  mutating func text(of message: WireMessage) -> String {
    let bytes = message.json(project: Text(project), layout: .compact)
    guard let json = EmulatorClient.json(bytes) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return text(of: json, key: "")
  }

  /// Returns the message of a status without versions, which have sixteen digits.
  static func text(of message: String) -> String {
    var result = ""
    var digits = ""
    for character in message + "\u{0}" {
      if character.isNumber {
        digits.append(character)
      } else {
        result += digits.count == versionDigits ? "VERSION" : digits
        digits = ""
        result.append(character)
      }
    }
    return String(result.dropLast())
  }

  /// Digits of microseconds since 1970, until the year 2286.
  private static let versionDigits = 16
  /// Characters of an identifier that the server draws.
  private static let drawnLength = 20

  private mutating func text(of json: JSON, key: String) -> String {
    switch json.kind {
    case .null: return "null"
    case .bool(let flag): return "\(flag)"
    case .number(let digits): return digits
    case .string(let text): return "\"" + word(String(text), key: key) + "\""
    case .array(let elements):
      return "[" + elements.map { text(of: $0, key: key) }.joined(separator: ",") + "]"
    case .object(let members):
      let parts = members.sorted { String($0.key) < String($1.key) }.compactMap { member in
        let name = String(member.key)
        // The official emulator gives a token for the next page where no page follows.
        return name == "nextPageToken" ? nil : "\(name):" + text(of: member.value, key: name)
      }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  private mutating func word(_ text: String, key: String) -> String {
    switch key {
    case "createTime", "updateTime", "commitTime":
      let number = numbers[text] ?? numbers.count
      numbers[text] = number
      return "T\(number)"
    case "readTime", "resumeToken", "streamToken", "streamId", "transaction": return "*"
    // Times that are drawn are of the year 2020: a later one is the server's.
    case "timestampValue": return text > "2025" ? "NOW" : text
    case "message": return Self.text(of: text)
    case "name":
      let last = text.split(separator: "/").last ?? ""
      guard last.count == Self.drawnLength else { return text }
      return String(text.dropLast(Self.drawnLength)) + "DRAWN"
    default: return text
    }
  }
}
