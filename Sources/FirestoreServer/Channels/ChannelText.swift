import FirestoreTransport
import RulesEval

/// The texts of WebChannel.
enum ChannelText {
  /// The versions of the protocol and of the server that the official emulator announces.
  private static let versions = "8,12"

  /// Returns a text preceded by its length in UTF-16 units.
  static func chunk(_ text: [UInt8]) -> [UInt8] {
    var units = 0
    for byte in text {
      // Every byte that is not a continuation byte begins a character. A character of four bytes is two
      // units.
      if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
    }
    return Array("\(units)\n".utf8) + text
  }

  /// Array 0, which opens a session.
  static func opening(_ id: ChannelID) -> [UInt8] {
    chunk(Array("[[0,[\"c\",\"\(id.text)\",\"\",\(versions),\(Channel.keepalive)]]]".utf8))
  }

  /// Returns the last element of a failed call. Its message begins with the code, as on the official
  /// emulator.
  static func error(_ status: CallStatus) -> [UInt8] {
    let name = status.code.name
    let message = status.message.isEmpty ? name : "\(name): \(status.message)"
    let members: [(String, JSONText)] = [("message", .string(message)), ("status", .string(name))]
    return Array(JSONText.object([("error", .object(members))]).compact.utf8)
  }
}
