import RulesEval

/// The ID of a WebChannel session.
struct ChannelID: Hashable, Sendable {
  /// The parameter `SID` of each of its requests.
  let text: String

  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  /// Length of an ID in letters and digits: more than 100 bits, as in the official emulator's IDs.
  private static let length = 22

  /// Creates an ID from its text.
  init(_ text: String) { self.text = text }

  /// Draws an ID.
  init(_ dice: inout Dice) {
    text = String(decoding: (0..<Self.length).map { _ in dice.pick(Self.digits) }, as: UTF8.self)
  }
}
