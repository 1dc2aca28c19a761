import RulesEval
import RulesLang

/// The sum of the numbers among some values. Ints are added exactly, floats with what rounding loses.
struct RunningSum {
  /// The sum of the ints; no number of documents makes it leave the range.
  private var ints: Int128 = 0
  /// The sum of the floats, rounded at each step.
  private var floats = 0.0
  /// The sum of the rounding errors so far.
  private var lost = 0.0
  /// The number of ints.
  private var intCount = 0
  /// The number of floats.
  private var floatCount = 0

  /// Makes the sum of nothing.
  init() {}

  /// Adds a value, if it is a number.
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

  /// The sum as a float: that of the ints and that of the floats are rounded each by itself, as the
  /// official emulator does.
  private var total: Double {
    // The rounding error of an infinity is NaN, and all NaNs are one value.
    let exact = floats.isFinite ? floats + lost : floats
    let total = exact + Double(ints)
    return total.isNaN ? .nan : total
  }

  /// An int if all numbers are ints and the sum is in their range, else a float; 0 of no numbers.
  var value: Value {
    if floatCount == 0, let sum = Int64(exactly: ints) { return .int(sum) }
    return .float(total)
  }

  /// The mean, always a float; null of no numbers.
  var average: Value {
    let count = intCount + floatCount
    return count == 0 ? .null : .float(total / Double(count))
  }
}
