import RulesLang

/// One instruction of a program. Registers are named by number; the meaning of `a`, `b` and `immediate`
/// depends on the operation.
struct Instruction: Sendable {
  /// An operation code. Every operation gives an error if an operand that it needs is one.
  enum Operation: UInt8, Sendable {
    /// Ends the statement with the result `a`.
    case end
    /// Copies `a` to `target`.
    case move
    /// Charges `b` expressions to the budget, at the beginning of a branch.
    case charge
    /// Jumps to `immediate`.
    case jump
    /// Tests the first operand `a` of `&&`: jumps to `immediate` if it is false, which decides; else charges
    /// `b` for the next operand.
    case andFirst
    /// Tests an operand of `&&` that is neither the first nor the last.
    case andNext
    /// Tests the last operand of `&&`.
    case andLast
    /// Tests an operand of `||`, like `andFirst`, `andNext` and `andLast`, except that true decides.
    case orFirst, orNext, orLast
    /// Tests a condition: true charges `b` and goes on; false jumps to `immediate`, an error to the
    /// instruction before it.
    case branch
    /// Reads the variable `request`, the variable `resource` or a capture.
    case request, resource, capture
    /// `a.name` or `a['name']` with the symbol `immediate`.
    case member
    /// `a[b]`.
    case index
    /// `a[b:c]`; the operands are in the table at `immediate`.
    case slice
    /// `!a`, `-a`.
    case not, negate
    /// `a == b` and the like.
    case equal, notEqual, less, lessEqual, greater, greaterEqual
    case add, subtract, multiply, divide, remainder
    /// `a in b`; with a string constant: `immediate in b`.
    case isIn, has
    /// `a is T`, the types as bits in `immediate`.
    case isType
    /// A list, map or path of the operands in the table at `immediate`; `a` is their number, for a
    /// path `b` its template.
    case list, map, path
    /// Calls the built-in `b` with `a` operands in the table at `immediate`.
    case call
    /// Calls the method `b` on the first of `a` operands in the table at `immediate`.
    case method
    /// Computes `a.diff(b).affectedKeys().hasOnly(list)` with the list in register `immediate`, and skips the
    /// three calls behind it, which do the same one by one; goes on with these if the operands are not plain
    /// data.
    case changesOnly
    /// `a.get(name, b)` with the symbol `immediate`.
    case fetch
    /// `a.matches(p)` with the pattern `immediate`.
    case matches
    /// Looks up the document at the path `a` by the built-in `b`; with 1 in `immediate` only if the target is
    /// an error.
    case lookup
    /// Reports the value `a` of the expression `immediate` in the activation `b` to the observer. Only marked
    /// programs have this instruction and the next one.
    case observe
    /// Reports to the observer that the call `immediate` in the activation `b` enters the activation `a`.
    case enter
  }

  /// The number of instructions behind `changesOnly` that it skips.
  static let changesOnlyLength = 3

  var operation: Operation
  var target: UInt16 = 0
  var a: UInt16 = 0
  var b: UInt16 = 0
  var immediate: UInt32 = 0
}
