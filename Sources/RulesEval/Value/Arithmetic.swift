/// The arithmetic of ints and floats as the rules language defines it. (Docs/Language.md §7)
///
/// Nothing traps: nil is the error that the function documents.
public enum Arithmetic {
  /// The sum, or nil if it leaves 64 bits.
  public static func sum(of left: Int64, and right: Int64) -> Int64? {
    let (value, overflow) = left.addingReportingOverflow(right)
    return overflow ? nil : value
  }

  /// The difference, or nil if it leaves 64 bits.
  public static func difference(of left: Int64, and right: Int64) -> Int64? {
    let (value, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? nil : value
  }

  /// The product, or nil if it leaves 64 bits.
  public static func product(of left: Int64, and right: Int64) -> Int64? {
    let (value, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? nil : value
  }

  /// The quotient truncated toward zero, or nil if the divisor is zero; min / -1 is min.
  public static func quotient(of left: Int64, by right: Int64) -> Int64? {
    right == 0 ? nil : left.dividedReportingOverflow(by: right).partialValue
  }

  /// The remainder with the sign of the dividend, or nil if the divisor is zero; min % -1 is 0.
  public static func remainder(of left: Int64, by right: Int64) -> Int64? {
    right == 0 ? nil : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  /// The operand with the other sign, or nil for min.
  public static func negated(_ operand: Int64) -> Int64? { difference(of: 0, and: operand) }

  /// The operand without its sign; min stays min. The result of `math.abs(int)`.
  public static func magnitude(_ operand: Int64) -> Int64 { operand < 0 ? 0 &- operand : operand }
}
