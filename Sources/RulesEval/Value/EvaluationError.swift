public import RulesLang

/// An evaluation error: its reason and position (Docs/Language.md §7).
///
/// An error is a result like any other: `&&` and `||` absorb it, so it is a value, not a throw.
public struct EvaluationError: Error, Sendable {
  /// The reason, with its operands; `message` puts it into words.
  public enum Reason: Error, Sendable {
    /// Something was read from null, or a variable that does not exist was read.
    case nullValue
    /// The map has no such key.
    case undefinedProperty(Text)
    /// The value has none of the expected types.
    case wrongType(ValueType, expected: [ValueType])
    /// Operands of types that no form of the operator or built-in takes.
    case unsupported(received: String, expected: String)
    /// A call of a function, or of a method on the receiver's type, that does not exist.
    case functionNotFound(String)
    /// A call with too many or too few arguments.
    case argumentCount(Int, expected: String)
    case divideByZero
    case integerRange
    case timestampRange
    case durationRange
    case timestampYear(Int64)
    case invalidDate(year: Int64, month: Int64, day: Int64)
    case latlngRange(Double, Double)
    case indexOutOfBounds(Int64, size: Int)
    case illegalRange(from: Int64, to: Int64)
    case conversion(Text, to: ValueType)
    /// A list for `vector` with an element that is not a float.
    case vectorConversion([Value])
    /// A pattern that is not a regular expression, with the engine's text.
    case invalidPattern(Text)
    /// A pattern that exceeds the sizes modelled here although the engine may accept it: nothing absorbs the
    /// error, and the request is not decided.
    case patternTooLarge
    /// A string or list that exceeds the sizes modelled here; like `patternTooLarge`.
    case valueTooLarge
    /// A replacement template names a group that the pattern does not have.
    case invalidTemplate(Text)
    case emptyPathTemplate
    case invalidPathTemplate(Text, String)
    case emptyBinding(Text)
    case unknownBindings([Text])
    case unboundPathVariable(Text)
    /// A path with a capture of the same name twice.
    case repeatedPathVariable(Text)
    /// A capture that `bind` has bound before.
    case boundPathVariable(Text)
    /// A segment of a path template whose escapes cannot be decoded, with the decoder's words.
    case undecodableSegment(Text, String)
    /// A failed lookup; the engine's text does not give the reason.
    case serviceCall(String, path: PathValue, because: LookupFailure)
    case debugWithoutArgument
    /// A variable that has no value in this request.
    case variableRead(Text)
    /// Constraints cannot be compared inside sets and diffs.
    case constraintEquality
    /// The query's filters say nothing about the value; the engine has no text for this error.
    case unknown
    /// The budget of expressions was exceeded. Nothing absorbs the error.
    case budget
  }

  /// A reason why a lookup fails.
  public enum LookupFailure: Sendable {
    /// The path names no document of the database.
    case noDocument
    /// The document is not stored.
    case notStored
    /// A limit of lookups was reached.
    case limit(Int)
  }

  /// The reason.
  public var reason: Reason
  /// The expression that failed.
  public var expression: ExprID
  /// The token that the engine points at (Docs/Language.md §15).
  public var site: SourceRange
  /// True if the position is where the expression begins, including parentheses around it.
  var isAtBeginning = false

  /// Creates an error of an expression.
  public init(_ reason: Reason, at expression: ExprID, site: SourceRange) {
    self.reason = reason
    self.expression = expression
    self.site = site
  }

  /// True if the engine's answer is not modelled, so that the request is not decided.
  public var isUnsupported: Bool { reason.isUnsupported }

  /// True if `&&` and `||` may absorb it.
  public var isAbsorbable: Bool {
    switch reason {
    case .budget, .patternTooLarge, .valueTooLarge: false
    default: true
    }
  }
}

extension EvaluationError.Reason {
  /// True if the engine's answer is not modelled, so that neither a value nor an error is known.
  public var isUnsupported: Bool {
    switch self {
    case .patternTooLarge, .valueTooLarge: true
    default: false
    }
  }

  /// The engine's text; nil for an error without one.
  public var message: String? {
    switch self {
    case .nullValue: "Null value error."
    case .undefinedProperty(let key): "Property \(String(key)) is undefined on object."
    case .wrongType(let type, let expected):
      "Type error. Received: [\(type.word)] Expected: "
        + "[\(expected.map { $0.word }.joined(separator: ","))]."
    case .unsupported(let received, let expected):
      "Unsupported operation error. Received: \(received). Expected: \(expected)."
    case .functionNotFound(let name): "Function not found error: Name: [\(name)]."
    case .argumentCount(let count, let expected):
      "Incorrect number of arguments. Received: \(count). Expected: \(expected)."
    case .divideByZero: "Divide by zero error."
    case .integerRange:
      "Integer value is out of the [-9223372036854775808, 9223372036854775807] range."
    case .indexOutOfBounds(let index, let size):
      "Index out of bound error. Index: [\(index)] , size: [\(size)]."
    case .illegalRange(let from, let to):
      "Illegal range error. From index: [\(from)] , To index: [\(to)]."
    case .conversion(let text, let type):
      "Type conversion error. Argument: [\(String(text))], From type: [string], "
        + "To type: [\(type.word)]."
    case .vectorConversion(let elements):
      "Type conversion error. Argument: [\(ProtoText.fields("values", of: elements))], "
        + "From type: [list], To type: [vector]."
    case .invalidPattern(let text): String(text)
    case .patternTooLarge: "UNSUPPORTED: the regular expression is too large"
    case .valueTooLarge: "UNSUPPORTED: the value is too large"
    case .invalidTemplate(let template): "Invalid replacement. Template: \(String(template))."
    case .serviceCall(let function, let path, because: _):
      "Service call error. Function: [\(function)], Argument: ["
        + "\(ProtoText.field("path_value", ProtoText.segments(of: path)))]."
    case .debugWithoutArgument: "Service call error. Function: [debug], Argument: []."
    case .variableRead(let name): "Variable read error. Variable: [\(String(name))]."
    case .constraintEquality: "Equality is not defined for type CONSTRAINT_VALUE"
    case .unknown: nil
    case .budget:
      "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been "
        + "reached."
    case .timestampRange, .durationRange, .timestampYear, .invalidDate, .latlngRange:
      rangeMessage
    case .emptyPathTemplate, .invalidPathTemplate, .emptyBinding, .unknownBindings,
      .unboundPathVariable, .repeatedPathVariable, .boundPathVariable, .undecodableSegment:
      pathMessage
    }
  }

  private var rangeMessage: String? {
    switch self {
    case .timestampRange:
      "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. Nanos "
        + "must be in range [0, +999,999,999]."
    case .durationRange:
      "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. Nanos "
        + "must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds."
    case .timestampYear(let year):
      "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. year: \(year)."
    case .invalidDate(let year, let month, let day):
      "Date is not valid. year: \(year), month: \(month) day: \(day)."
    case .latlngRange(let latitude, let longitude):
      "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
        + "latitude: \(String(FloatText.text(of: latitude))), "
        + "longitude: \(String(FloatText.text(of: longitude)))."
    default: nil
    }
  }

  private var pathMessage: String? {
    switch self {
    case .emptyPathTemplate: "Empty Path Template is not allowed."
    case .invalidPathTemplate(let path, let why):
      "Invalid Path Template \(String(path)). \(why)"
    case .emptyBinding(let name):
      "Cannot bind empty value to path template variable \(String(name))."
    case .unknownBindings(let names):
      "Variable(s) \(names.map { String($0) }.joined(separator: ",")) do not exist in the path "
        + "template."
    case .unboundPathVariable(let name):
      "Variable \(String(name)) is not bound in path template."
    case .repeatedPathVariable(let name):
      "Variable \(String(name)) already exists in the PathTemplate."
    case .boundPathVariable(let name): "Variable \(String(name)) is already bound."
    case .undecodableSegment(let segment, let why):
      "Unable to decode \(String(segment)) to url. Error: URLDecoder: \(why)"
    default: nil
    }
  }
}

/// The outcome of evaluating an expression: a value or an error.
public enum Outcome: Sendable {
  case value(Value)
  case error(EvaluationError)

  /// True if it is the value true, the only outcome that grants.
  public var isTrue: Bool {
    if case .value(.bool(true)) = self { return true }
    return false
  }
}
