import RulesLang

/// One step of a program. Registers are named by number; what `a`, `b` and `immediate` mean depends
/// on the operation.
struct Instruction: Sendable {
  /// What a step does. Every operation gives an error if an operand it needs is one.
  enum Operation: UInt8, Sendable {
    /// The statement ends with `a`.
    case end
    /// `target` is `a`.
    case move
    /// Pays `b`, for a branch.
    case charge
    /// Goes on at `immediate`.
    case jump
    /// The first operand `a` of `&&`: false decides, and it goes on at `immediate`; else pays `b`.
    case andFirst
    /// A further operand of `&&` but the last.
    case andNext
    /// The last operand of `&&`.
    case andLast
    /// The same for `||`, which true decides.
    case orFirst, orNext, orLast
    /// True pays `b` and goes on; false goes on at `immediate`, an error before that.
    case branch
    /// The variables.
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
    /// `a.diff(b).affectedKeys().hasOnly(list)` with the register `immediate`, where plain data is
    /// enough; then it goes on behind the calls one by one, which follow.
    case changesOnly
    /// `a.get(name, b)` with the symbol `immediate`.
    case fetch
    /// `a.matches(p)` with the pattern `immediate`.
    case matches
    /// Looks up the path `a` by the built-in `b`; with 1 in `immediate` only if the target is an error.
    case lookup
    /// Shows `a`, which is what the expression `immediate` came to in the activation `b`. Only marked
    /// programs have it, like the next one.
    case observe
    /// Enters the activation `a` from the call `immediate` in the activation `b`.
    case enter
  }

  /// How many instructions `changesOnly` passes over.
  static let changesOnlyLength = 3

  var operation: Operation
  var target: UInt16 = 0
  var a: UInt16 = 0
  var b: UInt16 = 0
  var immediate: UInt32 = 0
}
