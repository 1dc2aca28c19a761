import RulesEval
import RulesLang

/// The sum of the numbers among values. Ints are added exactly, floats with compensation of the rounding
/// errors.
struct RunningSum {
  /// The sum of the ints, which cannot overflow for any number of documents.
  private var ints: Int128 = 0
  /// The sum of the floats, rounded after each addition.
  private var floats = 0.0
  /// The sum of the rounding errors.
  private var lost = 0.0
  /// The number of ints.
  private var intCount = 0
  /// The number of floats.
  private var floatCount = 0

  /// Creates an empty sum.
  init() {}

  /// Adds a value. Ignored if it is not a number.
  mutating func add(_ value: Value?) {
    switch value {
    case .int(let number)?:
      ints += Int128(number)
      intCount += 1
    case .float(let number)?:
      add(number)
      floatCount += 1
    default: return
    }
  }

  private mutating func add(_ number: Double) {
    let sum = floats + number
    lost += abs(floats) >= abs(number) ? floats - sum + number : number - sum + floats
    floats = sum
  }

  /// The sum as a float. The sums of the ints and of the floats are rounded separately, as on the official
  /// emulator.
  private var total: Double {
    // The rounding error of an infinity is NaN, and all NaNs are one value.
    let exact = floats.isFinite ? floats + lost : floats
    let total = exact + Double(ints)
    return total.isNaN ? .nan : total
  }

  /// The sum: an int if all numbers are ints and it is in their range, else a float; 0 without numbers.
  var value: Value {
    if floatCount == 0, let sum = Int64(exactly: ints) { return .int(sum) }
    return .float(total)
  }

  /// The mean as a float; null without numbers.
  var average: Value {
    let count = intCount + floatCount
    return count == 0 ? .null : .float(total / Double(count))
  }
}
