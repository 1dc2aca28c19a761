import Foundation

/// What the environment asks tests for that make their cases at random: how many, and from which seed
/// on.
enum Wanted {
  /// The number in a variable of the environment, the usual one if it is not set.
  static func number(_ variable: String, usually usual: Int) -> Int {
    guard let text = text(variable) else { return usual }
    guard let number = Int(text), number >= 0 else {
      // Else fewer cases would be tried than were asked for.
      preconditionFailure("\(variable) is no number: \(text)")
    }
    return number
  }

  /// The seed in a variable of the environment, the usual one if it is not set.
  static func seed(_ variable: String, usually usual: Int = 1) -> UInt64 {
    UInt64(number(variable, usually: usual))
  }

  /// The text of a variable of the environment, nil if it is not set.
  static func text(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable]
  }
}
