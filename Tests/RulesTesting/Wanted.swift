import Foundation
import Testing

/// What the environment asks tests for that make their cases at random: how many, and from which seed
/// on.
enum Wanted {
  /// True of an optimised build, which runs tests some seven times as fast: it draws all cases and makes the
  /// long searches. A debug build draws a sample.
  static let isWhole: Bool = {
    #if DEBUG
      text("RULES_CHECK_WHOLE") != nil
    #else
      true
    #endif
  }()

  /// The number of cases that a test draws: a sample in a debug build.
  static func cases(_ sample: Int, of all: Int) -> Int { isWhole ? all : sample }

  /// All of them, in a debug build every eighth.
  static func sample<Case>(of all: [Case]) -> [Case] {
    isWhole ? all : all.indices.filter { $0.isMultiple(of: 8) }.map { all[$0] }
  }

  /// The number in a variable of the environment, the usual one if it is not set; in a debug build a sample.
  static func number(_ variable: String, usually usual: Int, sample: Int? = nil) -> Int {
    guard let text = text(variable) else { return cases(sample ?? usual, of: usual) }
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

extension Trait where Self == ConditionTrait {
  /// A search that takes a debug build many seconds: an optimised one makes it.
  static var long: Self {
    .enabled(if: Wanted.isWhole, "an optimised build runs it, or RULES_CHECK_WHOLE=1")
  }
}
